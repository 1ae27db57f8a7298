internal import Synchronization

/// Where a library's daemon listens: looked for until somebody answers there, and the same from then on, so that
/// all connections go to one daemon.
final class DaemonSocket: Sendable {
  private let language: String?
  private let find: @Sendable () -> String
  private let found: Mutex<String?>

  /// - Parameters:
  ///   - explicit: the path, where it is known.
  ///   - language: of the person, which is named on each connection.
  ///   - find: looks for it.
  init(
    _ explicit: String?, language: String? = nil,
    find: @escaping @Sendable () -> String = { SocketPath.find(explicit: nil) }
  ) {
    self.language = language
    self.find = find
    found = Mutex(explicit)
  }

  /// Whether it is always the same.
  var isKnown: Bool { found.withLock { $0 != nil } }

  /// The socket's path, as far as one can tell now.
  var path: String { found.withLock { $0 } ?? find() }

  /// A new connection.
  func connect() throws(AlbumError) -> AlbumConnection {
    let path = path
    let connection = try AlbumConnection(socket: path, language: language)
    // Whoever was first decides; a later one goes there the next time.
    found.withLock { $0 = $0 ?? path }
    return connection
  }
}
