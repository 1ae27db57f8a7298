internal import Glibc
internal import LibraryModel
internal import Linux

/// Which bytes a file has, as far as its inode tells: ranges that were found belong to exactly these.
struct FileVersion: Hashable, Sendable {
  /// The file system, and the file in it.
  let device, inode: UInt64
  let byteCount: Int64
  /// Nanoseconds since 1970.
  private let modified, changed: Int64

  /// The version of an open file.
  init(_ descriptor: CInt) throws(SystemError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError("fstat") }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    byteCount = Int64(status.st_size)
    modified = Self.nanoseconds(status.st_mtim)
    changed = Self.nanoseconds(status.st_ctim)
  }

  /// The same, as the index has it.
  var stamp: FileStamp {
    FileStamp(inode: inode, byteCount: byteCount, modified: modified, changed: changed)
  }

  /// Whether a change that came now would have another time: clocks of file systems stand still for a while.
  ///
  /// - Parameter now: microseconds since 1970.
  func isSettled(at now: Int64) -> Bool {
    let latest = max(modified, changed) / 1000
    return latest < now - Self.coarsest
  }

  /// Microseconds for which clocks of file systems stand still: FAT counts in two seconds.
  private static let coarsest: Int64 = 2_500_000

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ Int64(time.tv_nsec)
  }
}
