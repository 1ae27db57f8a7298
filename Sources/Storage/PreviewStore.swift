internal import Glibc
package import Linux
internal import Synchronization

/// Previews on disk, in a directory of the daemon's own: bounded in bytes, and no loss if it goes.
///
/// Each file is checked whole when it is read, by a secret that is kept elsewhere: one that is damaged, or that somebody
/// else has put there, is removed. A file's modification time is when it was last used, to the hour. Every function waits
/// for the disk, and belongs on ``thread``.
package final class PreviewStore: Sendable {
  /// Where its functions are called, one at a time, and users take turns.
  package let thread = SharedThread()
  private let directory: String
  private let secretFile: String
  private let limit: Int64
  private let state = Mutex(State())

  private struct State {
    var secret: (UInt64, UInt64)?
    /// Bytes of all together; nil until it was looked.
    var total: Int64?
  }

  /// - Parameters:
  ///   - directory: made when there is something to keep.
  ///   - secretFile: made likewise, in another place; without it nothing that is kept is believed.
  ///   - limit: bytes; with 0 nothing is kept.
  package init(directory: String, secretFile: String, limit: Int) {
    self.directory = directory
    self.secretFile = secretFile
    self.limit = Int64(limit)
  }

  // MARK: Using

  /// What is kept under a key.
  package func read(_ key: PreviewKey) -> Preview? {
    guard limit > 0, let secret = secret() else { return nil }
    let path = "\(directory)/\(PreviewFile.name(of: key, secret: secret))"
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard number >= 0 else { return nil }
    let file = OwnedDescriptor(owning: number)
    var status = stat()
    guard fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let bytes = Self.contents(file, status.st_size),
      let preview = PreviewFile.decode(bytes, of: key, secret: secret)
    else {
      unlink(path)
      return nil
    }
    if time(nil) > status.st_mtim.tv_sec + Self.usedAgain { futimens(file.number, nil) }
    return preview
  }

  /// An hour, in seconds: a preview that is used all the time is not written down as often.
  private static let usedAgain = 3600

  /// Keeps a preview. What cannot be kept is made again when it is wanted.
  package func write(_ preview: Preview, _ key: PreviewKey) {
    guard limit > 0, let secret = secret() else { return }
    let bytes = PreviewFile.encode(preview, of: key, secret: secret)
    guard Int64(bytes.count) <= limit / 10, prepare() else { return }
    let path = "\(directory)/\(PreviewFile.name(of: key, secret: secret))"
    let new = "\(directory)/\(Self.newName)"
    unlink(new)
    let number = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0 else { return }
    let file = OwnedDescriptor(owning: number)
    // Not brought to disk: what a power failure leaves of it fails its check.
    guard Self.write(bytes, to: file), rename(new, path) == 0 else {
      unlink(new)
      return
    }
    let total = state.withLock { state in
      state.total = (state.total ?? 0) + Int64(bytes.count)
      return state.total ?? 0
    }
    if total > limit { evict() }
  }

  /// Only one is written at a time.
  private static let newName = "new"

  // MARK: The directory

  private func prepare() -> Bool {
    guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { return false }
    if state.withLock({ $0.total }) == nil { evict() }
    return true
  }

  /// Looks what there is, and removes what is too much.
  private func evict() {
    let entries = entries()
    let leaving = PreviewEviction.leaving(entries, limit: limit)
    for entry in leaving { unlink("\(directory)/\(entry.name)") }
    let total = (entries.reduce(0) { $0 + $1.byteCount }) - leaving.reduce(0) { $0 + $1.byteCount }
    state.withLock { $0.total = total }
  }

  private func entries() -> [PreviewEviction.Entry] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var entries: [PreviewEviction.Entry] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { start in
        start.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      var status = stat()
      // Of nothing else there are so many digits: what somebody else keeps there stays.
      guard name.utf8.count == 32, fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
        continue
      }
      entries.append(.init(name: name, byteCount: Int64(status.st_size), used: Int64(status.st_mtim.tv_sec)))
    }
    return entries
  }

  /// What the files are checked by. Where it is gone another is made, and what there was is of no use.
  private func secret() -> (UInt64, UInt64)? {
    if let known = state.withLock({ $0.secret }) { return known }
    let secret = readSecret() ?? makeSecret()
    state.withLock { $0.secret = secret }
    return secret
  }

  private func readSecret() -> (UInt64, UInt64)? {
    let number = open(secretFile, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard number >= 0, let bytes = Self.contents(OwnedDescriptor(owning: number), 16) else { return nil }
    return bytes.withUnsafeBytes {
      ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
  }

  private func makeSecret() -> (UInt64, UInt64)? {
    var generator = SystemRandomNumberGenerator()
    let secret: (UInt64, UInt64) = (generator.next(), generator.next())
    unlink(secretFile)
    let number = open(secretFile, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0 else { return nil }
    let file = OwnedDescriptor(owning: number)
    return Self.write(withUnsafeBytes(of: secret) { Array($0) }, to: file) ? secret : nil
  }

  // MARK: Bytes

  private static func contents(_ file: borrowing OwnedDescriptor, _ size: Int) -> [UInt8]? {
    guard 1...Preview.mostBytes + PreviewFile.headerLength ~= size else { return nil }
    let number = file.number
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let got = pread(number, buffer.baseAddress.map { $0 + count }, size - count, off_t(count))
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { return }
        count += got
      }
    }
    return bytes.count == size ? bytes : nil
  }

  private static func write(_ bytes: [UInt8], to file: borrowing OwnedDescriptor) -> Bool {
    var done = 0
    while done < bytes.count {
      let got = bytes.withUnsafeBytes {
        Glibc.write(file.number, $0.baseAddress.map { $0 + done }, bytes.count - done)
      }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { return false }
      done += got
    }
    return true
  }
}
