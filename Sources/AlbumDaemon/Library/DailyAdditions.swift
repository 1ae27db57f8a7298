internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import Linux

/// How much apps have added within a day: an app that may add, and nothing else, must not fill the disk overnight.
///
/// A day begins with what is added first, by a clock that nobody sets. It is not kept over a restart.
@EventLoopActor
final class DailyAdditions {
  /// What one app of a user may add.
  struct Limit: Sendable {
    /// Bytes of all that it adds, or overwrites with.
    var bytes: Int
    /// Files.
    var files: Int

    /// So many changes instead: a tenth of what the journal keeps, so that no app makes it forget within a day what
    /// others have not read (S27). Of a journal that keeps next to nothing a hundred, so that an app can do anything.
    static func changes(ofJournal kept: Int) -> Limit {
      Limit(bytes: .max / 8, files: max(100, kept / 10))
    }
  }

  /// Who adds: an app, or all the apps of a user together.
  fileprivate struct Adder: Hashable {
    let uid: UInt32
    let appID: String?

    /// How many times the limit it may add.
    var factor: Int { appID == nil ? DailyAdditions.appsPerUser : 1 }
  }

  private struct Day {
    let end: UInt64
    var bytes: Int64 = 0
    var files = 0
  }

  /// All the apps of a user together may add as much as so many of them.
  nonisolated static let appsPerUser = 4
  private static let length: UInt64 = 86_400 * 1_000_000
  /// When it is worth another try where what is being copied takes all that is left.
  private static let secondsOfCopies = 10

  private let limit: Limit
  let accountable: @EventLoopActor (UInt32) -> UInt32
  private let now: @EventLoopActor () -> UInt64
  private var days: [Adder: Day] = [:]
  /// Bytes of copies that are being made, which are nobody else's meanwhile.
  private var reserved: [Adder: Int64] = [:]
  /// How many are remembered.
  var count: Int { days.count }

  /// - Parameters:
  ///   - accountable: whose quota a user counts against.
  ///   - now: microseconds since the boot.
  init(
    _ limit: Limit, accountable: @escaping @EventLoopActor (UInt32) -> UInt32,
    now: @escaping @EventLoopActor () -> UInt64 = { Clock.sinceBoot }
  ) {
    self.limit = limit
    self.accountable = accountable
    self.now = now
  }

  /// What an app has left.
  func share(of app: PeerIdentity) -> Share { Share(additions: self, app: app, adders: adders(app)) }

  /// An app's share of the day.
  @EventLoopActor
  struct Share {
    fileprivate let additions: DailyAdditions
    fileprivate let app: PeerIdentity
    /// Whose day it is, until all that is copied has an end: what is given back is theirs, whatever is reloaded meanwhile.
    fileprivate let adders: [Adder]

    /// The bytes that it may add yet.
    ///
    /// - Throws: `Throttled` where that is nothing.
    func left() throws -> Int64 { try additions.left(app) }

    /// It adds so much.
    ///
    /// - Throws: `Throttled` where it has not so much left, and nothing is to be added.
    func take(bytes: Int64, files: Int) throws { try additions.take(bytes, files, app) }

    /// The bytes that it may have copied yet, which is nothing where it may add none.
    var free: Int64 { additions.free(adders) }

    /// A copy that is being made takes so many bytes more.
    ///
    /// - Returns: whether there are so many; otherwise it takes none.
    func reserve(_ bytes: Int64) -> Bool { additions.reserve(bytes, adders) }

    /// It takes so many no more: it was given up, or is about to be taken.
    func giveBack(_ bytes: Int64) { additions.giveBack(bytes, adders) }

    /// What it is told who would have more than is left.
    var isOver: AuthorizationInterface.Throttled { additions.throttled(app) }
  }

  private func left(_ app: PeerIdentity) throws -> Int64 {
    let least = free(adders(app))
    guard least > 0 else { throw throttled(app) }
    return least
  }

  private func free(_ adders: [Adder]) -> Int64 {
    let free = adders.map { adder in unreserved(adder) - reserved[adder, default: 0] }
    return max(0, free.min() ?? 0)
  }

  /// What it has of the day, whatever is being copied.
  private func unreserved(_ adder: Adder) -> Int64 {
    let day = day(adder)
    return day.files < limit.files * adder.factor ? Int64(limit.bytes) * Int64(adder.factor) - day.bytes : 0
  }

  private func reserve(_ bytes: Int64, _ adders: [Adder]) -> Bool {
    guard bytes <= free(adders) else { return false }
    for adder in adders { reserved[adder, default: 0] += bytes }
    return true
  }

  private func giveBack(_ bytes: Int64, _ adders: [Adder]) {
    for adder in adders {
      let left = reserved[adder, default: 0] - bytes
      reserved[adder] = left > 0 ? left : nil
    }
  }

  private func take(_ bytes: Int64, _ files: Int, _ app: PeerIdentity) throws {
    let all = adders(app).map { adder in
      var day = day(adder)
      day.bytes += bytes
      day.files += files
      return (adder, day)
    }
    for (adder, day) in all
    where day.bytes > Int64(limit.bytes) * Int64(adder.factor) || day.files > limit.files * adder.factor {
      throw throttled(app)
    }
    let now = now()
    if all.contains(where: { days[$0.0]?.end ?? 0 <= now }) { days = days.filter { $0.value.end > now } }
    for (adder, day) in all { days[adder] = day }
  }

  private func throttled(_ app: PeerIdentity) -> AuthorizationInterface.Throttled {
    // Others are being copied: how much they take is known when they are there.
    if adders(app).allSatisfy({ unreserved($0) > 0 }), adders(app).contains(where: { reserved[$0] != nil }) {
      return .init(retryAfterSeconds: Self.secondsOfCopies)
    }
    let now = now()
    let ends = adders(app).compactMap { days[$0]?.end }.filter { $0 > now }
    let wait = (ends.max() ?? now + Self.length) - now
    return .init(retryAfterSeconds: Int((wait + 999_999) / 1_000_000))
  }

  private func adders(_ app: PeerIdentity) -> [Adder] {
    let uid = accountable(app.uid)
    return [Adder(uid: uid, appID: app.appID), Adder(uid: uid, appID: nil)]
  }

  private func day(_ adder: Adder) -> Day {
    let now = now()
    guard let day = days[adder], day.end > now else { return Day(end: now + Self.length) }
    return day
  }
}
