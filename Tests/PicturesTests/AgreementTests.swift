import Foundation
import PictureAPI
import TestSupport
import Testing

/// docs/pictures.md explains each difference that is allowed for here.
@Suite("exiftool reads the same", .blocking, .serialized) struct AgreementTests {
  @Test("date, offset, size, orientation, duration and place of every file agree, field by field")
  func agreement() throws {
    let corpus = try Corpus.shared.get()
    let reader = try Reader()
    var compared = 0
    for (name, facts) in try corpus.exiftool() where !name.hasPrefix("cut-") {
      let description = try #require(try reader.describe(corpus.path(name)), "\(name)")
      compareTime(name, description, facts)
      compareSize(name, description, facts)
      comparePlace(name, description, facts)
      let duration = facts["Duration"].flatMap { ($0 as? NSNumber)?.doubleValue }
      // Of frames without sound exiftool has how long a loop takes; here that is no film.
      // Of ASF it adds what is waited for before it plays.
      if !name.hasPrefix("frames."), !name.hasSuffix(".wmv"), let duration, let found = description.duration {
        #expect(abs(Double(found) / 1_000_000 - duration) <= 0.11, "\(name)")
      }
      compared += 1
    }
    #expect(compared >= 35)
  }

  private func compareTime(
    _ name: String, _ description: PicturesInterface.Description, _ facts: [String: Any]
  ) {
    let written =
      facts["DateTimeOriginal"] as? String ?? facts["CreationDate"] as? String
      ?? facts["ContentCreateDate"] as? String
      ?? (facts["MIMEType"] as? String).flatMap {
        $0.hasPrefix("video") ? facts["CreateDate"] as? String : nil
      }
    // Of ASF libavformat hands out no date.
    guard let written, !written.hasPrefix("0000"), !name.hasSuffix(".wmv") else {
      #expect(description.takenLocal == nil, "\(name)")
      return
    }
    guard let taken = description.takenLocal else {
      Issue.record("\(name): exiftool has \(written)")
      return
    }
    let shown = DateFormatter()
    shown.locale = Locale(identifier: "en_US_POSIX")
    shown.timeZone = TimeZone(secondsFromGMT: 0)
    shown.dateFormat = "yyyy:MM:dd HH:mm:ss"
    let date = shown.date(from: String(written.prefix(19)))
    #expect(date.map { Int($0.timeIntervalSince1970) } == taken / 1_000_000, "\(name): \(written)")
    if let offset = facts["OffsetTimeOriginal"] as? String {
      #expect(offset == text(ofOffset: description.takenOffset), "\(name)")
    }
    if let fraction = facts["SubSecTimeOriginal"] {
      #expect("\(fraction)" == "\(taken / 1000 % 1000)", "\(name)")
    }
  }

  private func compareSize(
    _ name: String, _ description: PicturesInterface.Description, _ facts: [String: Any]
  ) {
    guard let width = facts["ImageWidth"] as? Int, let height = facts["ImageHeight"] as? Int else { return }
    let orientation = facts["Orientation"] as? Int ?? 1
    let rotation = facts["Rotation"] as? Int ?? 0
    let isTurned = (5...8).contains(orientation) || rotation == 90 || rotation == 270
    let shown = isTurned ? [height, width] : [width, height]
    #expect([description.pixelWidth, description.pixelHeight] == shown, "\(name)")
  }

  private func comparePlace(
    _ name: String, _ description: PicturesInterface.Description, _ facts: [String: Any]
  ) {
    guard let latitude = facts["GPSLatitude"] as? Double, let longitude = facts["GPSLongitude"] as? Double
    else {
      #expect(description.place == nil, "\(name)")
      return
    }
    guard let place = description.place else {
      Issue.record("\(name): exiftool has \(latitude), \(longitude)")
      return
    }
    #expect(abs(abs(place.latitude) - abs(latitude)) < 0.000_01, "\(name)")
    #expect(abs(place.longitude - longitude) < 0.000_01, "\(name)")
  }

  private func text(ofOffset minutes: Int?) -> String {
    guard let minutes else { return "" }
    let (hours, rest) = abs(minutes).quotientAndRemainder(dividingBy: 60)
    return String(format: "%@%02d:%02d", minutes < 0 ? "-" : "+", hours, rest)
  }
}
