public import Varlink

// Every asset carries two of these, and assets go by the million: digits are written in place, one by one.

extension Instant: CustomStringConvertible {
  /// The text on the wire. A fraction is written only when there is one.
  public var description: String {
    String(unsafeUninitializedCapacity: Self.longest) { write(into: $0) }
  }

  /// Writes the text in quotes.
  public func write(to writer: inout JSONWriter) {
    writer.ascii(atMost: Self.longest) { write(into: $0) }
  }

  /// No time of 64 bits is longer.
  private static var longest: Int { 32 }

  private func write(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let (seconds, fraction) = microseconds.flooringDivision(by: 1_000_000)
    let (days, secondOfDay) = seconds.flooringDivision(by: 86_400)
    let date = CivilDate(daysSinceEpoch: days)
    var digits = DigitWriter(buffer)
    digits.year(date.year)
    digits.two(date.month, after: "-")
    digits.two(date.day, after: "-")
    digits.two(secondOfDay / 3600, after: "T")
    digits.two(secondOfDay / 60 % 60, after: ":")
    digits.two(secondOfDay % 60, after: ":")
    if fraction != 0 {
      digits.two(fraction / 10_000, after: ".")
      digits.two(fraction / 100 % 100)
      digits.two(fraction % 100)
    }
    digits.character("Z")
    return digits.count
  }
}

/// Writes a time's parts one after the other.
private struct DigitWriter {
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
    self.buffer = buffer
  }

  @inline(__always)
  mutating func character(_ character: Unicode.Scalar) {
    byte(UInt8(truncatingIfNeeded: character.value))
  }

  @inline(__always)
  private mutating func byte(_ byte: UInt8) {
    buffer[count] = byte
    count &+= 1
  }

  @inline(__always)
  mutating func two(_ number: Int64, after separator: Unicode.Scalar) {
    character(separator)
    two(number)
  }

  /// Two digits of a number below 100.
  @inline(__always)
  mutating func two(_ number: Int64) {
    let (tens, ones) = UInt8(truncatingIfNeeded: number).quotientAndRemainder(dividingBy: 10)
    byte(UInt8(ascii: "0") &+ tens)
    byte(UInt8(ascii: "0") &+ ones)
  }

  /// At least four digits; a year before the first with its sign.
  mutating func year(_ year: Int64) {
    if year < 0 { character("-") }
    let magnitude = Int64(year.magnitude)
    if magnitude < 10_000 {
      two(magnitude / 100)
      return two(magnitude % 100)
    }
    var unit: Int64 = 1000
    while magnitude / unit >= 10 { unit *= 10 }
    while unit > 0 {
      byte(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: magnitude / unit % 10))
      unit /= 10
    }
  }
}
