internal import Glibc

/// Places as Exif, XMP and ISO 6709 write them.
enum Coordinates {
  /// Exif's degrees, minutes and seconds, each a fraction: `51/1 30/1 263/100`.
  static func degrees(exif text: String, reference: String?) -> Double? {
    let parts = text.split(separator: " ").map { fraction($0) }
    guard (1...3).contains(parts.count), let reference = reference?.first else { return nil }
    var degrees = 0.0
    for (part, unit) in zip(parts, [1.0, 60, 3600]) {
      guard let part, part >= 0 else { return nil }
      degrees += part / unit
    }
    return signed(degrees, reference)
  }

  /// XMP's `51,30.05N` or `51,30,3N`.
  static func degrees(xmp text: String) -> Double? {
    guard let reference = text.last else { return nil }
    let parts = text.dropLast().split(separator: ",").map { Double($0) }
    guard (1...3).contains(parts.count) else { return nil }
    var degrees = 0.0
    for (part, unit) in zip(parts, [1.0, 60, 3600]) {
      guard let part, part >= 0 else { return nil }
      degrees += part / unit
    }
    return signed(degrees, reference)
  }

  /// Exif's fraction, `263/100`; nil where there is nothing beneath the line.
  static func fraction(_ text: some StringProtocol) -> Double? {
    let parts = text.split(separator: "/", maxSplits: 1)
    guard let above = parts.first.flatMap({ Double($0) }) else { return nil }
    guard parts.count == 2 else { return above }
    guard let below = Double(parts[1]), below != 0 else { return nil }
    return above / below
  }

  /// QuickTime's and MP4's `+51.5008-000.1246+012/`, degrees with decimals (ISO 6709, annex H).
  static func place(iso6709 text: String) -> (latitude: Double, longitude: Double, altitude: Double?)? {
    var numbers: [String] = []
    for character in text.prefix(64) {
      switch character {
      case "+", "-": numbers.append(String(character))
      case "0"..."9", ".":
        guard !numbers.isEmpty else { return nil }
        numbers[numbers.count - 1].append(character)
      default: break
      }
      if character == "/" || character == "C" { break }
    }
    guard numbers.count >= 2, let latitude = Double(numbers[0]), let longitude = Double(numbers[1]) else {
      return nil
    }
    return (latitude, longitude, numbers.count > 2 ? Double(numbers[2]) : nil)
  }

  private static func signed(_ degrees: Double, _ reference: Character) -> Double? {
    switch reference {
    case "N", "E", "n", "e": degrees
    case "S", "W", "s", "w": -degrees
    default: nil
    }
  }
}
