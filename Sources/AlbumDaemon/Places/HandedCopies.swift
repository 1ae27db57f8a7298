internal import CLinux
internal import EventLoop
internal import Linux

/// The copies that apps have: each takes memory or disk until it is closed, and whoever takes many without closing any
/// gets no more.
///
/// Nobody tells when a descriptor is closed that was handed over. But each copy was opened once more, and who alone has a
/// file open can have a lease of it: that is tried now and then, and where room is asked for.
@EventLoopActor
final class HandedCopies {
  /// Of one user, at a time.
  struct Limits {
    /// Copies.
    var count = 1024
    /// Bytes of memory, and of the disk.
    var memoryBytes = 256 << 20
    var diskBytes = 8 << 30
  }

  private final class Share {
    var copies: [Kept] = []
  }

  /// A copy, opened apart from what was handed over.
  private final class Kept {
    let descriptor: OwnedDescriptor
    let byteCount: Int
    let isInMemory: Bool

    init(_ descriptor: consuming OwnedDescriptor, _ copy: PrivateCopy) {
      self.descriptor = descriptor
      byteCount = copy.byteCount
      isInMemory = copy.isInMemory
    }
  }

  private let limits: Limits
  private var shares: [UInt32: Share] = [:]
  private lazy var sweeping = Timer { [unowned self] in sweepAll() }

  private static let interval = Duration.seconds(5)

  init(limits: Limits = Limits()) { self.limits = limits }

  /// Whether a user may have one more, of so many bytes.
  ///
  /// - Returns: the most bytes that it may take of memory; nil where there is no room for it.
  func room(for user: UInt32, byteCount: Int) -> Int? {
    // A file may say of itself that it is as large as a number can be.
    guard 0...limits.diskBytes ~= byteCount else { return nil }
    guard let share = shares[user] else { return limits.memoryBytes }
    if let room = room(share, byteCount) { return room }
    sweep(share)
    return room(share, byteCount)
  }

  private func room(_ share: Share, _ byteCount: Int) -> Int? {
    let memory = share.copies.filter(\.isInMemory).reduce(0) { $0 + $1.byteCount }
    let disk = share.copies.filter { !$0.isInMemory }.reduce(0) { $0 + $1.byteCount }
    guard share.copies.count < limits.count, byteCount <= limits.diskBytes - disk else { return nil }
    return max(0, limits.memoryBytes - memory)
  }

  /// One is handed over.
  func note(_ copy: PrivateCopy, of user: UInt32) throws(SystemError) {
    let kept = Kept(try PrivateCopy.reopened(copy.reader.number), copy)
    let share = shares[user] ?? Share()
    share.copies.append(kept)
    shares[user] = share
    sweeping.arm(after: Self.interval, accuracy: .seconds(1))
  }

  private func sweepAll() {
    for (user, share) in shares {
      sweep(share)
      if share.copies.isEmpty { shares[user] = nil }
    }
    if !shares.isEmpty { sweeping.arm(after: Self.interval, accuracy: .seconds(1)) }
  }

  private func sweep(_ share: Share) {
    share.copies.removeAll { linux_is_open_elsewhere($0.descriptor.number) == 0 }
  }
}
