internal import AlbumAPI

/// A camera's clock as it was written down, and how far ahead of UTC it was, where that is known.
struct CaptureTime: Hashable {
  /// Microseconds from 1970-01-01 00:00 to what the clock showed.
  let local: Int64
  /// Minutes east of UTC.
  var offset: Int?

  /// Exif's `YYYY:MM:DD HH:MM:SS`, with the fraction and the offset that stand in tags of their own.
  ///
  /// Blanks and zeros stand for what the camera does not know: such a time is none.
  init?(exif text: String, subseconds: String?, offset: String?) {
    var parts = Array(text.utf8.prefix(19))
    guard parts.count == 19 else { return nil }
    for separator in [4, 7] where parts[separator] == UInt8(ascii: ":") {
      parts[separator] = UInt8(ascii: "-")
    }
    let fraction = subseconds?.prefix { $0.isASCII && $0.isWholeNumber } ?? ""
    let date = String(decoding: parts, as: UTF8.self)
    self.init(date: date + (fraction.isEmpty ? "" : ".\(fraction)"), offset: offset)
  }

  /// ISO 8601, as XMP and QuickTime write it: with or without seconds, a fraction and an offset.
  init?(iso8601 text: String) {
    guard let clock = text.firstIndex(where: { $0 == "T" || $0 == " " }) else { return nil }
    let time = text[clock...]
    let zone = time.firstIndex { "Zz+-".contains($0) } ?? text.endIndex
    let seconds = text[clock..<zone].filter { $0 == ":" }.count == 1 ? ":00" : ""
    self.init(
      date: String(text[..<zone]) + seconds, offset: zone == text.endIndex ? nil : String(text[zone...]))
  }

  private init?(date: String, offset: String?) {
    // In the year 0 is what was never set, and in 1904 and 1970 the clock of one that was reset begins: the last is kept,
    // since nobody can tell it from a scan of an old photo.
    guard let instant = Instant("\(date)Z"), instant.microseconds > Self.earliest else { return nil }
    local = instant.microseconds
    self.offset = offset.flatMap(Self.minutes)
  }

  /// Photography begins: what is before is a clock that was never set.
  private static let earliest = Instant("1826-01-01")?.microseconds ?? 0

  /// `+02:00`, `+0200`, `+02` or `Z`, up to the 14 hours that there are.
  static func minutes(_ text: String) -> Int? {
    if text == "Z" || text == "z" { return 0 }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard let sign = text.first, sign == "+" || sign == "-", digits.count == 4 || digits.count == 2,
      digits.utf8.allSatisfy({ 48...57 ~= $0 }), let number = Int(digits)
    else { return nil }
    let minutes = digits.count == 2 ? number * 60 : number / 100 * 60 + number % 100
    guard minutes <= 14 * 60, number % 100 < 60 || digits.count == 2 else { return nil }
    return sign == "-" ? -minutes : minutes
  }

  /// The zone that GPS time shows: what is nearest to a quarter of an hour, if it is within three minutes of one. A
  /// receiver that has not found its place for long says an old time, and that shows no zone.
  func offset(byGPS utc: CaptureTime) -> Int? {
    let difference = local - utc.local
    let quarter: Int64 = 15 * 60_000_000
    let quarters = (Double(difference) / Double(quarter)).rounded()
    guard abs(quarters) <= 14 * 4, abs(difference - Int64(quarters) * quarter) <= 3 * 60_000_000 else {
      return nil
    }
    return Int(quarters) * 15
  }
}
