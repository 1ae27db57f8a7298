import Foundation
import TestSupport

/// What a camera writes down beside a picture, or a phone beside a film.
struct TakenFacts {
  var (width, height) = (96, 64)
  /// As Exif counts.
  var orientation = 6
  /// Of films, clockwise.
  var rotation = 0
  /// Of films.
  var seconds = 1.0
  /// As Exif writes it.
  var clock = "2024:05:01 12:30:15"
  /// Digits of a second.
  var fraction: String? = "250"
  var offset: String? = "+02:00"
  var place: (latitude: Double, longitude: Double)? = (-33.859817, 151.211111)
  /// Metres above the sea.
  var altitude: Double? = -58
  /// Whether a film says these as Apple does, not as its container does.
  var isApple = true

  init() {}

  /// Anything that cameras write.
  init(using random: inout SeededGenerator) {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    (width, height) = [(96, 64), (64, 96), (122, 92)].randomElement(using: &random) ?? (96, 64)
    orientation = number(1...8)
    rotation = [0, 0, 90, 180, 270].randomElement(using: &random) ?? 0
    seconds = [0.4, 1, 1.7, 3].randomElement(using: &random) ?? 1
    clock = String(
      format: "%04d:%02d:%02d %02d:%02d:%02d", number(1971...2037), number(1...12), number(1...28),
      number(0...23), number(0...59), number(0...59))
    let digits = number(0...6)
    fraction = digits == 0 ? nil : (0..<digits).map { _ in String(number(0...9)) }.joined()
    offset =
      [nil, "+00:00", "+02:00", "-03:30", "+05:45", "-12:00", "+14:00"].randomElement(using: &random) ?? nil
    let (latitude, longitude) = (number(-89_999_999...89_999_999), number(-179_999_999...179_999_999))
    place = number(0...3) == 0 ? nil : (Double(latitude) / 1_000_000, Double(longitude) / 1_000_000)
    altitude = place == nil || number(0...2) == 0 ? nil : Double(number(-40_000...900_000)) / 100
    isApple = number(0...1) == 0
  }

  // MARK: As exiftool writes it

  var exiftool: [String] {
    var arguments = ["-Orientation#=\(orientation)", "-DateTimeOriginal=\(clock)"]
    if let fraction { arguments.append("-SubSecTimeOriginal=\(fraction)") }
    if let offset { arguments.append("-OffsetTimeOriginal=\(offset)") }
    guard let place else { return arguments }
    arguments += [
      "-GPSLatitude=\(abs(place.latitude))", "-GPSLatitudeRef=\(place.latitude < 0 ? "S" : "N")",
      "-GPSLongitude=\(abs(place.longitude))", "-GPSLongitudeRef=\(place.longitude < 0 ? "W" : "E")",
    ]
    if let altitude {
      arguments += ["-GPSAltitude=\(abs(altitude))", "-GPSAltitudeRef#=\(altitude < 0 ? 1 : 0)"]
    }
    return arguments
  }

  // MARK: As a RAW file has it

  var exif: [UInt16: SmallTIFF.Value] {
    var tags: [UInt16: SmallTIFF.Value] = [
      0x9003: .text(clock), 0xA002: .long(UInt32(width)), 0xA003: .long(UInt32(height)),
    ]
    if let offset { tags[0x9011] = .text(offset) }
    if let fraction { tags[0x9291] = .text(fraction) }
    return tags
  }

  var gps: [UInt16: SmallTIFF.Value] {
    guard let place else { return [:] }
    func degrees(_ value: Double) -> SmallTIFF.Value {
      let all = UInt32((abs(value) * 3_600_000).rounded())
      return .fractions([(all / 3_600_000, 1), (all / 60_000 % 60, 1), (all % 60_000, 1000)])
    }
    var tags: [UInt16: SmallTIFF.Value] = [
      0: .bytes([2, 3, 0, 0]), 1: .text(place.latitude < 0 ? "S" : "N"), 2: degrees(place.latitude),
      3: .text(place.longitude < 0 ? "W" : "E"), 4: degrees(place.longitude),
    ]
    if let altitude {
      tags[5] = .bytes([altitude < 0 ? 1 : 0])
      let hundredths = (abs(altitude) * 100).rounded()
      tags[6] = .fractions([(UInt32(hundredths), UInt32(100))])
    }
    return tags
  }

  /// With or without the pattern of a sensor.
  func raw(photometric: UInt16? = 32803) -> [UInt16: SmallTIFF.Value] {
    SmallTIFF.camera(
      width: UInt32(width), height: UInt32(height), orientation: UInt16(orientation),
      photometric: photometric,
      exif: exif, gps: gps)
  }

  // MARK: As ffmpeg writes it

  /// MOV has Apple's tags or those of its container; of other containers only MP4 has a place.
  func ffmpeg(_ kind: String) -> [String] {
    let time = clock.prefix(10).replacing(":", with: "-") + "T" + clock.dropFirst(11)
    var tags = ["creation_time=\(time)Z"]
    let point = place.map { String(format: "%+08.4f%+09.4f", $0.latitude, $0.longitude) }
    let hasAppleTags = kind == "mov" && isApple
    if hasAppleTags {
      let zone = (offset ?? "+00:00").replacing(":", with: "")
      tags.append("com.apple.quicktime.creationdate=\(time)\(zone)")
      let height = altitude.map { String(format: "%+08.3f", $0) } ?? ""
      if let point { tags.append("com.apple.quicktime.location.ISO6709=\(point)\(height)/") }
    } else if let point, ["mp4", "mov"].contains(kind) {
      tags.append("location=\(point)/")
    }
    return tags.flatMap { ["-metadata", $0] } + (hasAppleTags ? ["-movflags", "use_metadata_tags"] : [])
  }
}
