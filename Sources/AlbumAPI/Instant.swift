/// A time on the wire: RFC 3339 in UTC, such as `2026-11-21T12:00:00.123456Z`.
///
/// Microseconds since 1970-01-01; leap seconds are not counted, as in POSIX.
public struct Instant: Hashable, Comparable, Sendable {
  /// Microseconds since the epoch, negative before it.
  public var microseconds: Int64

  /// A time by its distance from the epoch.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// The earlier is the smaller.
  public static func < (one: Instant, other: Instant) -> Bool { one.microseconds < other.microseconds }
}

extension Instant {
  /// Reads RFC 3339: any offset, any number of fraction digits (those beyond the sixth are dropped), or a
  /// date alone, which is its midnight in UTC.
  public init?(_ text: String) {
    var text = text
    guard let instant = text.withUTF8({ Instant(utf8: $0) }) else { return nil }
    self = instant
  }

  /// The same of bytes.
  public init?(utf8: UnsafeBufferPointer<UInt8>) {
    var scanner = DigitScanner(text: utf8)
    guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2), scanner.skip("-"),
      let day = scanner.number(2), let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    var seconds = date.daysSinceEpoch * 86_400
    var fraction: Int64 = 0
    if !scanner.isAtEnd {
      guard scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
        let hour = scanner.number(2), hour < 24, scanner.skip(":"), let minute = scanner.number(2),
        minute < 60, scanner.skip(":"), let second = scanner.number(2), second <= 60
      else { return nil }
      seconds += hour * 3600 + minute * 60 + second
      if scanner.skip(".") {
        guard let parsed = scanner.microseconds() else { return nil }
        fraction = parsed
      }
      guard let offset = scanner.offset(), scanner.isAtEnd else { return nil }
      seconds -= offset
    }
    microseconds = seconds * 1_000_000 + fraction
  }
}

extension Instant: Codable {
  /// Reads the text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let instant = Instant(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected a time such as 2026-11-21T12:00:00Z")
    }
    self = instant
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Int64 {
  func flooringDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

/// A day of the proleptic Gregorian calendar.
///
/// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years begin in March, so that
/// the leap day is the last.
struct CivilDate {
  let year: Int64
  let month: Int64
  let day: Int64

  init(daysSinceEpoch: Int64) {
    let (era, dayOfEra) = (daysSinceEpoch + 719_468).flooringDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shifted + 2) / 5 + 1
    month = shifted < 10 ? shifted + 3 : shifted - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  init?(year: Int64, month: Int64, day: Int64) {
    guard 1...12 ~= month, day >= 1, day <= Self.length(of: month, in: year) else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  private static func length(of month: Int64, in year: Int64) -> Int64 {
    if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
    // Thirty days have September, April, June and November.
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31
  }

  var daysSinceEpoch: Int64 {
    let (era, yearOfEra) = (month <= 2 ? year - 1 : year).flooringDivision(by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

/// Reads digits one by one: every asset carries two times, and assets come by the million.
private struct DigitScanner {
  private let text: UnsafeBufferPointer<UInt8>
  private var place = 0

  init(text: UnsafeBufferPointer<UInt8>) {
    self.text = text
  }

  var isAtEnd: Bool { place == text.count }

  @inline(__always)
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard place < text.count, UInt32(text[place]) == character.value else { return false }
    place &+= 1
    return true
  }

  @inline(__always)
  private mutating func digit() -> Int64? {
    guard place < text.count, 48...57 ~= text[place] else { return nil }
    defer { place &+= 1 }
    return Int64(text[place] &- 48)
  }

  /// A number of exactly so many digits.
  @inline(__always)
  mutating func number(_ count: Int) -> Int64? {
    var number: Int64 = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      number = number &* 10 &+ digit
    }
    return number
  }

  /// The digits of a fraction: one at least, of which six count.
  mutating func microseconds() -> Int64? {
    guard var value = digit() else { return nil }
    var count = 1
    while let digit = digit() {
      guard count < 6 else { continue }
      value = value &* 10 &+ digit
      count &+= 1
    }
    for _ in count..<6 { value &*= 10 }
    return value
  }

  /// Seconds east of UTC.
  mutating func offset() -> Int64? {
    if skip("Z") || skip("z") { return 0 }
    let isEast = skip("+")
    guard isEast || skip("-"), let hours = number(2), hours < 24, skip(":"), let minutes = number(2),
      minutes < 60
    else { return nil }
    return (isEast ? 1 : -1) * (hours * 3600 + minutes * 60)
  }
}
