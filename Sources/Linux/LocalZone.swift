internal import Glibc

/// The host's time zone, as tzset(3) has it: how far its clock is ahead of UTC, and was.
///
/// What it knows of half a month it remembers, since localtime_r(3) takes a lock. Confined to one thread.
package final class LocalZone {
  /// About twelve days: a clock is not set forth and back within so few.
  private static let span: Int64 = 1 << 20
  private var known: [Int64: Int64?] = [:]
  /// By how many seconds its clock is ahead of UTC at a time: what another of the same zone is made of, on another thread.
  package let ahead: @Sendable (Int64) -> Int64

  /// The host's.
  package convenience init() {
    self.init { seconds in
      var time = time_t(seconds)
      var parts = tm()
      return localtime_r(&time, &parts) == nil ? 0 : Int64(parts.tm_gmtoff)
    }
  }

  /// One by how many seconds its clock is ahead of UTC at a time, in seconds since 1970.
  package init(ahead: @escaping @Sendable (Int64) -> Int64) {
    self.ahead = ahead
  }

  /// How many seconds it is ahead of UTC.
  ///
  /// - Parameter time: seconds since 1970.
  package func offset(at time: Int64) -> Int64 {
    let number = time >> 20
    if let offset = known[number] { return offset ?? ahead(time) }
    if known.count > 4096 { known = [:] }
    let (first, last) = (ahead(number * Self.span), ahead((number + 1) * Self.span - 1))
    known[number] = .some(first == last ? first : nil)
    return ahead(time)
  }

  /// How many seconds it is ahead of UTC when it shows a time. Of one that it shows twice, the first; one that it never shows
  /// is taken as if it had not been set forth yet.
  ///
  /// - Parameter local: seconds from 1970-01-01 00:00 to what it shows.
  package func offset(showing local: Int64) -> Int64 {
    let (before, after) = (offset(at: local - 86_400), offset(at: local + 86_400))
    if before == after || offset(at: local - before) == before { return before }
    return offset(at: local - after) == after ? after : before
  }

  /// The day that it shows: days from 1970-01-01.
  package func day(at time: Int64) -> Int64 {
    let local = time + offset(at: time)
    return local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
  }

  /// When a day begins: seconds since 1970.
  package func start(ofDay day: Int64) -> Int64 {
    var (low, high) = (day * 86_400 - 16 * 3600, day * 86_400 + 16 * 3600)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if self.day(at: middle) >= day { high = middle } else { low = middle }
    }
    return high
  }

  /// A number that is another one for another zone, by what is seen of it between 1970 and 2038.
  package var signature: Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for week in 0..<Int64(68 * 52) {
      hash = (hash ^ UInt64(bitPattern: ahead(week * 7 * 86_400))) &* 0x100_0000_01B3
    }
    return Int64(bitPattern: hash | 1)
  }
}
