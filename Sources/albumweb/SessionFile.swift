internal import AlbumWeb
internal import Glibc
internal import Linux

/// Where sessions outlive the program: a file that only its owner reads, replaced as a whole.
///
/// What it holds lets nobody in who reads it (docs/decisions/0101-sessions.md).
struct SessionFile: Sendable {
  private let directory: String?
  private let thread = SerialThread()
  private static let byteLimit = 64 << 10

  /// - Parameter directory: nil where nothing is kept.
  init(directory: String?) { self.directory = directory }

  /// What was kept.
  func read(now: Int64) -> Sessions {
    guard let directory else { return Sessions() }
    _ = mkdir(directory, 0o700)
    let descriptor = open(path(directory), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return Sessions() }
    let file = OwnedDescriptor(owning: descriptor)
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.byteLimit) { buffer, count in
      count = max(0, Glibc.read(file.number, buffer.baseAddress, buffer.count))
    }
    return Sessions(file: String(decoding: bytes, as: UTF8.self), now: now)
  }

  /// Keeps these, soon.
  func write(_ sessions: Sessions) {
    guard let directory else { return }
    let text = sessions.file
    let path = path(directory)
    thread.async {
      let temporary = path + ".new"
      let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else {
        return Log.warning("Sessions cannot be kept: \(SystemError("open").reason)")
      }
      let file = OwnedDescriptor(owning: descriptor)
      let bytes = Array(text.utf8)
      guard Glibc.write(file.number, bytes, bytes.count) == bytes.count, fsync(file.number) == 0,
        rename(temporary, path) == 0
      else { return Log.warning("Sessions cannot be kept: \(SystemError("write").reason)") }
    }
  }

  private func path(_ directory: String) -> String { directory + "/sessions" }
}
