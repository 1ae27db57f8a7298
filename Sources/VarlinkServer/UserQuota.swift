/// How many of a thing each user holds, and no more than a limit.
///
/// The habit of dbus-broker's `util/user.h`: whatever a peer can make the daemon hold is counted against
/// its user, because a process is free to make more processes but not more users.
struct UserQuota {
  let limit: Int
  private var held: [UInt32: Int] = [:]
  /// What all of them hold.
  private(set) var total = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// Takes one for `uid`; `false` when it has all it may have.
  mutating func take(_ uid: UInt32) -> Bool {
    let count = held[uid, default: 0]
    guard count < limit else { return false }
    held[uid] = count + 1
    total += 1
    return true
  }

  /// Gives one back.
  mutating func giveBack(_ uid: UInt32) {
    guard let count = held[uid] else { return }
    held[uid] = count > 1 ? count - 1 : nil
    total -= 1
  }
}
