internal import CLinux
internal import EventLoop
internal import Linux

/// What apps have that was made for them, copies of files and previews: each takes memory or disk until it is closed, and
/// whoever takes many without closing any gets no more.
///
/// Each is counted before it is made (``reserve(_:mostInMemory:for:)``), so that many asked for at once are not more than there may
/// be. Nobody tells when a descriptor is closed that was handed over. But each file was opened once more, and who alone
/// has a file open can have a lease of it: that is tried now and then, and where room is asked for.
@EventLoopActor
final class HandedCopies {
  /// At a time.
  struct Limits {
    /// Files of one user, and of all.
    var count = 1024
    var countOfAll = 8192
    /// Bytes of memory of one user, and of all.
    var memoryBytes = 128 << 20
    var memoryBytesOfAll = 512 << 20
    /// Bytes of the disk of one user. What all leave there says ``StateRoom``.
    var diskBytes = 8 << 30
    /// After so long it is looked who has closed what, also where nobody needs the room.
    var interval = Duration.seconds(5)
  }

  /// Room that a file has which is being made. It is given back with this, unless the file was handed over.
  @EventLoopActor
  final class Reservation {
    /// Bytes that the file may have.
    fileprivate(set) var byteCount: Int
    /// Whether they are memory.
    let isInMemory: Bool
    fileprivate let user: UInt32
    fileprivate let copies: HandedCopies
    fileprivate var isHandedOver = false

    fileprivate var amount: Amount {
      Amount(count: 1, memory: isInMemory ? byteCount : 0, disk: isInMemory ? 0 : byteCount)
    }

    fileprivate init(_ byteCount: Int, isInMemory: Bool, _ user: UInt32, _ copies: HandedCopies) {
      self.byteCount = byteCount
      self.isInMemory = isInMemory
      self.user = user
      self.copies = copies
    }

    isolated deinit {
      if !isHandedOver { copies.giveBack(amount, user) }
    }
  }

  fileprivate struct Amount {
    var count = 0
    var memory = 0
    var disk = 0

    static func + (left: Self, right: Self) -> Self {
      Self(count: left.count + right.count, memory: left.memory + right.memory, disk: left.disk + right.disk)
    }

    static func - (left: Self, right: Self) -> Self {
      Self(count: left.count - right.count, memory: left.memory - right.memory, disk: left.disk - right.disk)
    }
  }

  private final class Share {
    var kept: [Kept] = []
    /// Of those and of what is being made.
    var amount = Amount()
    /// When it is looked next who has closed what (microseconds, CLOCK_MONOTONIC), where many are open.
    var restsUntil: UInt64 = 0
  }

  /// What was handed over, opened apart from that.
  private struct Kept {
    let descriptor: SharedDescriptor
    let amount: Amount
  }

  private final class SharedDescriptor {
    let owned: OwnedDescriptor

    init(_ owned: consuming OwnedDescriptor) { self.owned = owned }
  }

  private let limits: Limits
  private var shares: [UInt32: Share] = [:]
  private var all = Amount()
  private var restsUntil: UInt64 = 0
  private lazy var sweeping = Timer { [unowned self] in sweepAll() }

  /// So many are looked at whenever there is no room; more of them not again until ``rest`` is over, for that takes time.
  private static let few = 64
  private static let rest: UInt64 = 100_000

  init(limits: Limits = Limits()) { self.limits = limits }

  /// How many files there are, as far as it is known.
  var count: Int { all.count }

  // MARK: Room

  /// Counts a file of so many bytes for a user, before it is made: in memory if it is small and there is room, else on the disk.
  ///
  /// - Parameter mostInMemory: files of more bytes than that are on the disk; nil where none may be.
  /// - Returns: nil where there is no room for it.
  func reserve(_ byteCount: Int, mostInMemory: Int?, for user: UInt32) -> Reservation? {
    // A file may say of itself that it is as large as a number can be.
    guard 0...limits.diskBytes ~= byteCount else { return nil }
    if byteCount <= mostInMemory ?? .max, take(Amount(count: 1, memory: byteCount), user) {
      return Reservation(byteCount, isInMemory: true, user, self)
    }
    guard mostInMemory != nil, take(Amount(count: 1, disk: byteCount), user) else { return nil }
    return Reservation(byteCount, isInMemory: false, user, self)
  }

  /// A file has another number of bytes than it was thought to.
  ///
  /// - Returns: false where there is no room for it.
  func resize(_ reservation: Reservation, to byteCount: Int) -> Bool {
    var more = reservation.amount
    giveBack(more, reservation.user)
    if reservation.isInMemory { more.memory = byteCount } else { more.disk = byteCount }
    guard byteCount >= 0, take(more, reservation.user) else {
      // As it was: that has just been there.
      add(reservation.amount, reservation.user)
      return false
    }
    reservation.byteCount = byteCount
    return true
  }

  private func take(_ amount: Amount, _ user: UInt32) -> Bool {
    if !hasRoom(amount, user) {
      if let share = shares[user] { sweep(share) }
      if !hasRoom(amount, user) { sweepAllForRoom() }
    }
    guard hasRoom(amount, user) else { return false }
    add(amount, user)
    return true
  }

  private func hasRoom(_ amount: Amount, _ user: UInt32) -> Bool {
    let own = (shares[user]?.amount ?? Amount()) + amount
    let sum = all + amount
    return own.count <= limits.count && own.memory <= limits.memoryBytes && own.disk <= limits.diskBytes
      && sum.count <= limits.countOfAll && sum.memory <= limits.memoryBytesOfAll
  }

  private func add(_ amount: Amount, _ user: UInt32) {
    let share = shares[user] ?? Share()
    share.amount = share.amount + amount
    shares[user] = share
    all = all + amount
  }

  private func giveBack(_ amount: Amount, _ user: UInt32) {
    guard let share = shares[user] else { return }
    share.amount = share.amount - amount
    all = all - amount
    if share.amount.count == 0 { shares[user] = nil }
  }

  // MARK: What was handed over

  /// A file is handed over. It counts until it is closed by all who have it.
  ///
  /// - Parameter descriptor: borrowed for this call.
  func note(_ descriptor: CInt, _ reservation: Reservation) throws(SystemError) {
    let opened = SharedDescriptor(try PrivateCopy.reopened(descriptor))
    guard !reservation.isHandedOver, let share = shares[reservation.user] else { return }
    reservation.isHandedOver = true
    share.kept.append(Kept(descriptor: opened, amount: reservation.amount))
    sweeping.armUnlessArmed(after: limits.interval, accuracy: limits.interval / 5)
  }

  private func sweepAll() {
    for share in shares.values { sweep(share) }
    shares = shares.filter { $0.value.amount.count > 0 }
    if shares.values.contains(where: { !$0.kept.isEmpty }) {
      sweeping.arm(after: limits.interval, accuracy: limits.interval / 5)
    }
  }

  /// All have too much together: somebody else may have closed something.
  private func sweepAllForRoom() {
    guard all.count <= Self.few || Clock.monotonic >= restsUntil else { return }
    restsUntil = Clock.monotonic + Self.rest
    for share in shares.values { sweep(share) }
  }

  private func sweep(_ share: Share) {
    guard share.kept.count <= Self.few || Clock.monotonic >= share.restsUntil else { return }
    var closed = Amount()
    share.kept.removeAll { kept in
      guard linux_is_open_elsewhere(kept.descriptor.owned.number) == 0 else { return false }
      closed = closed + kept.amount
      return true
    }
    share.amount = share.amount - closed
    all = all - closed
    // Who closes what it has is not made to wait.
    share.restsUntil = closed.count > share.kept.count / 8 ? 0 : Clock.monotonic + Self.rest
  }
}
