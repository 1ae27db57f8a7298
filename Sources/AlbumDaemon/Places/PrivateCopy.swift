internal import CLinux
internal import Glibc
internal import Linux
internal import PictureAPI

/// The bytes of a file for one app alone, before they are handed to it: in memory, or in a file without a name.
///
/// Making and changing one waits for disks: not on the loop.
final class PrivateCopy: Sendable {
  /// Open for reading only: this is what the app gets, and what is looked through.
  let reader: OwnedDescriptor
  private let writer: OwnedDescriptor
  /// Whether it takes memory.
  let isInMemory: Bool
  /// Whether it shares its blocks with the original, but for those that are overwritten (ioctl_ficlone(2)).
  let isShared: Bool
  let byteCount: Int
  /// Of what it is a copy; nil where that changed meanwhile.
  let version: FileVersion?
  /// Whether a change meanwhile would have shown.
  let wasSettled: Bool
  /// When the original was last changed: who writes the copy out goes by it (S72).
  private let modified: timespec

  /// Where a copy is made.
  struct Place: Sendable {
    /// Whether it is memory, or a file.
    let isInMemory: Bool
    /// The most bytes that it may have.
    let mostBytes: Int
    /// A directory whose file system takes such files.
    let directory: String
    /// What has to be left there.
    let room: StateRoom
  }

  /// Copies an open file.
  ///
  /// - Parameter original: its descriptor, borrowed for this call.
  /// - Throws: ``LibraryIO/LibraryFileError`` `noSpace`, or the system's: EFBIG where it has more bytes than it may.
  init(of original: CInt, in place: Place) throws {
    let before = try FileVersion(original)
    wasSettled = before.isSettled(at: RealTime.microseconds)
    guard before.byteCount <= place.mostBytes else { throw SystemError("copy", code: EFBIG) }
    var status = stat()
    guard fstat(original, &status) == 0 else { throw SystemError("fstat") }
    modified = status.st_mtim
    isInMemory = place.isInMemory
    if isInMemory {
      writer = try OwnedDescriptor(linux_sealable_memory_file(), call: "memfd_create")
    } else {
      try place.room.check()
      let directory = try OwnedDescriptor(
        open(place.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC), call: "open", subject: place.directory)
      writer = try OwnedDescriptor(linux_open_unnamed(directory.number, 0o600), call: "open(O_TMPFILE)")
    }
    isShared = !isInMemory && linux_clone(writer.number, original) == 0
    if isShared {
      byteCount = Int(try FileVersion(writer.number).byteCount)
      guard byteCount <= before.byteCount else { throw SystemError("copy", code: EFBIG) }
    } else {
      byteCount = try Self.copy(
        from: original, to: writer.number, limit: before.byteCount, room: isInMemory ? nil : place.room)
    }
    reader = try Self.reopened(writer.number)
    let after = try FileVersion(original)
    version = before == after && Int64(byteCount) == after.byteCount ? after : nil
  }

  /// - Parameter limit: how many bytes it said that it has: what goes on beyond that is not followed.
  /// - Returns: how many bytes there were.
  private static func copy(from: CInt, to: CInt, limit: Int64, room: StateRoom?) throws -> Int {
    func check(_ count: Int64) throws(SystemError) {
      if count > limit { throw SystemError("copy", code: EFBIG) }
    }
    let piece = 1 << 20
    var buffer: [UInt8] = []
    var (read, written) = (Int64(0), Int64(0))
    var nextCheck = Int64(64 << 20)
    while true {
      // A disk that is shared with the state is not filled up.
      if written >= nextCheck {
        try room?.check()
        nextCheck = written + 64 << 20
      }
      var count = buffer.isEmpty ? linux_copy_range(from, &read, to, &written, piece) : -1
      if count < 0 {
        // Not between these two file systems: through memory.
        if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: piece) }
        count = try retryingInterrupts("pread") { pread(from, &buffer, piece, Int(read)) }
        try write(buffer[..<count], to: to, at: Int(written))
        read += Int64(count)
        written += Int64(count)
      }
      if count == 0 { return Int(written) }
      try check(written)
    }
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: CInt, at offset: Int)
    throws(SystemError)
  {
    var done = 0
    while done < bytes.count {
      let rest = bytes.dropFirst(done)
      done += try retryingInterrupts("pwrite") {
        rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, offset + done) }
      }
    }
  }

  /// The same file, opened once more, for reading.
  static func reopened(_ descriptor: CInt) throws(SystemError) -> OwnedDescriptor {
    try OwnedDescriptor(
      open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC), call: "open", subject: "copy")
  }

  /// Overwrites these, and lets nobody change anything from then on.
  func finish(_ overwritings: [Overwriting]) throws(SystemError) {
    for overwriting in overwritings {
      switch overwriting.filling {
      case .bytes(let bytes): try Self.write(bytes[...], to: writer.number, at: overwriting.range.lowerBound)
      case .zeros, .blanks:
        let byte = overwriting.byte(at: overwriting.range.lowerBound)
        let filling = [UInt8](repeating: byte, count: min(overwriting.range.count, 1 << 16))
        for start in stride(
          from: overwriting.range.lowerBound, to: overwriting.range.upperBound, by: filling.count)
        {
          try Self.write(filling.prefix(overwriting.range.upperBound - start), to: writer.number, at: start)
        }
      }
    }
    let times = [timespec(tv_sec: 0, tv_nsec: Int(LINUX_UTIME_OMIT)), modified]
    guard futimens(writer.number, times) == 0 else { throw SystemError("futimens") }
    guard isInMemory else { return }
    guard linux_seal(writer.number) == 0 else { throw SystemError("fcntl(F_ADD_SEALS)") }
  }
}
