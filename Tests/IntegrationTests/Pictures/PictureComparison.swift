import Foundation
import Glibc
import Testing

/// What two say of one file.
struct PictureComparison {
  private let kind: String
  private let ours, theirs: [String: Any]
  private let about: Comment

  init(name: String, ours: [String: Any], theirs: [String: Any], seed: UInt64) {
    kind = name.split(separator: ".").last.map(String.init) ?? ""
    self.ours = ours
    self.theirs = theirs
    about = "\(name), seed \(seed)"
  }

  private var isFilm: Bool { PictureMaker.films.contains(kind) }

  private static func number(_ value: Any?) -> Double? { (value as? NSNumber)?.doubleValue }

  /// - Returns: whether it says one.
  func time() -> Bool {
    let keys =
      isFilm
      ? ["CreationDate", "DateTimeOriginal", "CreateDate"] : ["SubSecDateTimeOriginal", "DateTimeOriginal"]
    let written = keys.lazy.compactMap { theirs[$0] as? String }.first
    let expected = written.map { Clock($0, isUTC: isFilm) }
    let found = (ours["createdLocal"] as? String).map { Clock($0, isUTC: false) }
    if let found, let expected, ["mkv", "webm"].contains(kind), expected.digits < "2001" {
      // Matroska counts from then. Of what was before, exiftool has an error of rounding behind or in the seconds:
      // `1987:10:11 20:49:02-0.999998986721039Z`.
      #expect(abs(found.seconds - expected.seconds) <= 1 && found.offset == "+00:00", about)
    } else {
      #expect(found == expected, about)
    }
    #expect(ours["createdFrom"] as? String == (expected == nil ? "file" : "capture"), about)
    return expected != nil
  }

  /// A time as both write it, as long as both may: `2024:05:01 12:30:15.25+02:00`.
  private struct Clock: Equatable {
    let digits: String
    let fraction: String
    var offset: String

    /// - Parameter isUTC: what a container keeps is UTC, whether or not that is said.
    init(_ text: String, isUTC: Bool) {
      digits = text.prefix(19).filter(\.isNumber)
      let rest = text.dropFirst(19)
      let zone = rest.firstIndex { "Z+-".contains($0) } ?? rest.endIndex
      let places = rest[..<zone].drop { $0 == "." }
      fraction = String(places.reversed().drop { $0 == "0" }.reversed())
      offset = String(rest[zone...])
      if offset == "Z" || isUTC && offset.isEmpty { offset = "+00:00" }
    }

    /// From 1970 by this clock.
    var seconds: Int {
      func number(_ start: Int, _ count: Int) -> CInt { CInt(digits.dropFirst(start).prefix(count)) ?? 0 }
      var time = tm()
      (time.tm_year, time.tm_mon, time.tm_mday) = (number(0, 4) - 1900, number(4, 2) - 1, number(6, 2))
      (time.tm_hour, time.tm_min, time.tm_sec) = (number(8, 2), number(10, 2), number(12, 2))
      return timegm(&time)
    }
  }

  func size() {
    let found = [Self.number(ours["pixelWidth"]), Self.number(ours["pixelHeight"])]
    // Of MTS exiftool has none.
    guard let width = Self.number(theirs["ImageWidth"]), let height = Self.number(theirs["ImageHeight"])
    else {
      #expect(kind == "mts" && !found.contains(nil), about)
      return
    }
    let turned = Self.number(theirs["Orientation"]).map { (5...8).contains($0) } ?? false
    let rotated = Self.number(theirs["Rotation"]).map { $0 == 90 || $0 == 270 } ?? false
    // These turn by their containers, whatever Exif says.
    let isTurned = rotated || turned && !["heic", "avif", "jxl"].contains(kind)
    #expect(found == (isTurned ? [height, width] : [width, height]), about)
  }

  func length() {
    let found = Self.number(ours["durationSeconds"])
    guard isFilm else {
      #expect(found == nil, about)
      return
    }
    // Of Matroska exiftool has the text that ffmpeg wrote.
    let text = (theirs["Duration"] as? String)?.split(separator: ":").compactMap { Double($0) }
    let expected = Self.number(theirs["Duration"]) ?? text?.reduce(0) { $0 * 60 + $1 }
    guard let found, let expected else {
      Issue.record("no length: \(about)")
      return
    }
    // Of MTS exiftool counts to the beginning of the last frame, of which there are ten in a second.
    #expect(abs(found - expected) < (kind == "mts" ? 0.11 : 0.002), about)
  }

  /// - Returns: whether it says one.
  func place() -> Bool {
    let place = ours["location"] as? [String: Any]
    #expect(ours["hasLocation"] as? Bool ?? false == (place != nil), about)
    // MP4's box has fractions of 65,536, of which libavformat says four digits.
    let allowed = kind == "mp4" ? 0.000_05 + 1 / 65_536 : 0.000_001
    for (ours, theirs) in [("latitude", "GPSLatitude"), ("longitude", "GPSLongitude")] {
      let (found, expected) = (Self.number(place?[ours]), Self.number(self.theirs[theirs]))
      #expect((found == nil) == (expected == nil), about)
      #expect(abs((found ?? 0) - (expected ?? 0)) < allowed, about)
    }
    let isBelowSea = Self.number(theirs["GPSAltitudeRef"]) == 1
    let found = Self.number(place?["altitude"])
    // Of films exiftool has the sign in a tag of its own.
    let expected = Self.number(theirs["GPSAltitude"]).map { isBelowSea ? -abs($0) : $0 }
    // MP4's box always has one, which libavformat does not say.
    if kind == "mp4" {
      #expect(found == nil, about)
    } else {
      #expect((found == nil) == (expected == nil), about)
      #expect(abs((found ?? 0) - (expected ?? 0)) < 0.01, about)
    }
    return place != nil
  }
}
