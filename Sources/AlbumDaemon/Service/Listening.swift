internal import EventLoop
internal import Glibc
internal import Linux
internal import VarlinkServer
internal import VarlinkTransport

/// The sockets that the daemon serves: those that the service manager hands over, else one of its own.
@EventLoopActor
struct Listening {
  /// The path of the socket that this daemon made, which it removes at the end.
  private var ownPath: String?
  /// Where clients connect.
  private(set) var paths: [String] = []

  /// Serves every socket that was handed over, or makes one at `path`.
  ///
  /// - Throws: ``StartupError``.
  init(on server: VarlinkServer, path: String) throws {
    do {
      var handedOver = 0
      try ServiceManager.takeListeners { descriptor in
        handedOver += 1
        if UnixSocket.isListening(descriptor.number) {
          paths.append(UnixSocket.path(of: descriptor.number) ?? "a socket without a path")
          try server.serve(listener: descriptor)
        } else {
          server.serve(connection: descriptor)
        }
      }
      guard handedOver == 0 else { return }
      try Self.makeWay(for: path)
      try server.serve(listener: UnixSocket.listen(at: path))
      ownPath = path
      paths = [path]
    } catch let error as SystemError {
      throw StartupError("The socket cannot be served: \(error). Name another with --socket.")
    }
  }

  /// Removes the socket again, if it is this daemon's.
  func remove() {
    if let ownPath { unlink(ownPath) }
  }

  /// Makes the socket's directory, and removes what a daemon left that was killed.
  private static func makeWay(for path: String) throws {
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex { mkdir(String(path[..<slash]), 0o755) }
    do throws(SystemError) {
      _ = try UnixSocket.connect(to: path)
    } catch {
      switch error.code {
      case ENOENT: return
      case ECONNREFUSED:
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
          throw StartupError("\(path) is no socket. Remove it, or name another path with --socket.")
        }
        unlink(path)
        return
      default: throw error
      }
    }
    throw StartupError("Somebody serves \(path) already. Stop it first, or name another path with --socket.")
  }
}
