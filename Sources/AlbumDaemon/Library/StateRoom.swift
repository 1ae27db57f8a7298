internal import Glibc
internal import LibraryIO
internal import Storage

/// Room on the file system of the state that what apps add has to leave: where both are on one disk, an app must not
/// take the place of what its owner decides about it.
struct StateRoom: Sendable {
  let directory: String
  let reserveBytes: Int

  /// Nothing has to be left.
  static let unlimited = StateRoom(directory: "/", reserveBytes: 0)

  /// Blocks, where the file system does (statvfs(3)).
  ///
  /// - Throws: `noSpace` where there is less.
  func check() throws(LibraryFileError) {
    var space = statvfs()
    guard reserveBytes > 0, statvfs(directory, &space) == 0 else { return }
    let (free, overflows) = UInt64(space.f_bavail).multipliedReportingOverflow(by: UInt64(space.f_frsize))
    guard overflows || free >= UInt64(reserveBytes) else {
      throw LibraryFileError(.noSpace, subject: directory)
    }
  }
}

extension Error {
  /// Whether a disk is full: the library's, or the one of the state, where what was done would have to be written down.
  var isNoSpace: Bool {
    switch self {
    case let error as LibraryFileError: error.code == .noSpace
    case let error as StorageError: error.code == .full
    case let error as LibraryUnwritable: error.cause.isNoSpace
    default: false
    }
  }
}
