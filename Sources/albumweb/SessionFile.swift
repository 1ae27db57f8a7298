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
    read("sessions").map { Sessions(file: $0, now: now) } ?? Sessions()
  }

  /// The name by which browsers are let in: what was kept, else a new one, which is kept, so that they stay.
  func hostLabel() -> HostLabel {
    if let kept = read("name").flatMap({ HostLabel($0) }) { return kept }
    var source = SystemRandomNumberGenerator()
    let label = HostLabel(using: &source)
    keep(label.text, in: "name")
    return label
  }

  private func read(_ name: String) -> String? {
    guard let directory else { return nil }
    _ = mkdir(directory, 0o700)
    let descriptor = open("\(directory)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    let file = OwnedDescriptor(owning: descriptor)
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.byteLimit) { buffer, count in
      count = max(0, Glibc.read(file.number, buffer.baseAddress, buffer.count))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Keeps these, soon.
  func write(_ sessions: Sessions) { keep(sessions.file, in: "sessions") }

  private func keep(_ text: String, in name: String) {
    guard let directory else { return }
    let path = "\(directory)/\(name)"
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
}
