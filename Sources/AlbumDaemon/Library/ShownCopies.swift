internal import EventLoop

/// The memory that copies of what apps would put in photos' places take (S33).
@EventLoopActor
final class ShownCopies {
  /// Bytes of one user: so many of the largest at a time.
  nonisolated static let mostOfUser = 2 * ProposedFile.shownLimit
  /// Bytes of all.
  nonisolated static let most = 4 * ProposedFile.shownLimit

  /// How many there are.
  private(set) var byteCount: Int64 = 0
  private var users: [UInt32: Int64] = [:]

  nonisolated init() {}

  /// A copy takes so many bytes.
  ///
  /// - Returns: whether there is room for it; otherwise it takes none.
  func take(_ bytes: Int64, of user: UInt32) -> Bool {
    guard byteCount + bytes <= Self.most, users[user, default: 0] + bytes <= Self.mostOfUser else {
      return false
    }
    byteCount += bytes
    users[user, default: 0] += bytes
    return true
  }

  /// It takes so many no more.
  func release(_ bytes: Int64, of user: UInt32) {
    byteCount -= bytes
    let left = users[user, default: 0] - bytes
    users[user] = left > 0 ? left : nil
  }
}
