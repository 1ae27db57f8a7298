internal import EventLoop
internal import LibraryIO
internal import VarlinkServer

/// What the files of one item must not exceed while they are copied: their bound, what their app may add today, and the
/// room that the state's disk has to have. How long a copy takes is its bringer's to say, and so is how many are made at
/// a time: each is asked about as it grows, and what it takes is nobody else's meanwhile.
@EventLoopActor
final class GrowingCopies {
  private let share: DailyAdditions.Share?
  private let room: StateRoom
  private let limit: Int64
  private var disk: DiskThreads.Place?
  /// Bytes of the files that are whole.
  private var whole: Int64 = 0
  /// The most that the file may have which is being copied.
  private var bound: Int64 = 0
  /// Bytes of the day that are theirs.
  private var reserved: Int64 = 0
  private var isChecking = false
  private var isEnded = false
  private var isRoomOver = false

  /// - Parameters:
  ///   - share: what may be added today; `nil` where that is not counted.
  ///   - limit: bytes of one file.
  /// - Throws: `Throttled` where nothing may be added.
  init(share: DailyAdditions.Share?, room: StateRoom, limit: Int64) throws {
    _ = try share?.left()
    self.share = share
    self.room = room
    self.limit = limit
  }

  /// Whether it is the day that keeps the last file from being copied.
  private(set) var isBoundByDay = false

  /// One more file is copied.
  ///
  /// - Parameters:
  ///   - most: bytes of it, whatever others may have.
  ///   - disk: where the room is looked at.
  /// - Returns: how many bytes it may have.
  func begin(most: Int64 = .max, on disk: DiskThreads.Place) -> Int64 {
    self.disk = disk
    let most = min(most, limit)
    let left = share.map { max(0, $0.free + reserved - whole) } ?? most
    bound = min(most, left)
    isBoundByDay = left < most
    _ = goesOn(0)
    return bound
  }

  /// So many bytes of it are there, and about a step more is written next.
  ///
  /// - Returns: whether it may.
  func goesOn(_ count: Int64) -> Bool {
    // Who waited for the disk may have given up.
    guard !isEnded, reserve(whole + min(count + PeerFiles.stepBytes, bound)) else { return false }
    if count > 0 { checkRoom() }
    return !isRoomOver
  }

  /// It was stopped, and why.
  func stopped(_ subject: String) -> LibraryFileError {
    if isRoomOver { return LibraryFileError(.noSpace, subject: subject) }
    isBoundByDay = true
    return LibraryFileError(.tooLarge, subject: subject)
  }

  /// It is whole, with so many bytes.
  ///
  /// - Throws: `tooLarge`: the day has not so many.
  func filled(_ byteCount: Int64, _ subject: String) throws(LibraryFileError) {
    whole += byteCount
    guard reserve(whole) else { throw stopped(subject) }
    giveBack(to: whole)
  }

  /// Nothing is copied any more, or what was is about to be taken.
  func end() {
    isEnded = true
    giveBack(to: 0)
  }

  private func reserve(_ bytes: Int64) -> Bool {
    guard let share, bytes > reserved else { return true }
    guard share.reserve(bytes - reserved) else { return false }
    reserved = bytes
    return true
  }

  private func giveBack(to bytes: Int64) {
    guard let share, reserved > bytes else { return }
    share.giveBack(reserved - bytes)
    reserved = bytes
  }

  /// Looks off the loop, while the next step is written.
  private func checkRoom() {
    guard !isChecking, room.reserveBytes > 0, let disk else { return }
    isChecking = true
    let room = room
    Task.onLoopNow { [self] in
      do throws(LibraryFileError) {
        try await disk.run { () throws(LibraryFileError) in try room.check() }
      } catch { if error.code == .noSpace { isRoomOver = true } }
      isChecking = false
    }
  }
}
