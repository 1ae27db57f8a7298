import Foundation
import PictureAPI
import TestSupport
import Testing

@testable import Places

@Suite("Places in films beside what the standards have (S56)", .blocking, .timeLimit(.minutes(30)))
struct FilmTests {
  private func big(_ number: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  private func box(_ type: String, _ content: [UInt8] = []) -> [UInt8] {
    big(8 + content.count) + Array(type.utf8) + content
  }

  /// A track whose samples are described by an entry of one type.
  private func track(_ handler: String, _ entry: String, _ content: [UInt8] = []) -> [UInt8] {
    let samples = box("stsd", big(0) + big(1) + box(entry, big(0, 6) + big(1, 2) + content))
    let handlerBox = box("hdlr", big(0) + Array("mhlr\(handler)".utf8) + big(0) + big(0) + big(0) + [0])
    return box(
      "trak", box("tkhd", big(0)) + box("mdia", handlerBox + box("minf", box("stbl", samples))))
  }

  private func film(_ more: [UInt8], behind: [UInt8] = []) -> [UInt8] {
    box("ftyp", Array("mp42\0\0\0\0".utf8)) + box("moov", box("mvhd", big(0)) + track("vide", "avc1") + more)
      + box("mdat", [1, 2, 3]) + behind
  }

  private static let logged =
    "[1714552215000]$GPRMC,103015.00,A,3351.589,S,15112.667,E,0.0,,010524,,,A*61\r\n"

  // MARK: Tracks

  @Test(
    "R8, S56: a track is let through by what it is of, and no other",
    arguments: [
      ("vide", "hvc1", true), ("auxv", "hvc1", true), ("pict", "av01", true), ("soun", "mp4a", true),
      ("tmcd", "tmcd", true), ("meta", "mebx", true), ("vide", "camm", false), ("meta", "gpmd", false),
      ("meta", "camm", false), ("meta", "rtmd", false), ("meta", "fdsc", false), ("meta", "metx", false),
      ("meta", "mett", false), ("text", "text", false), ("text", "tx3g", false), ("sbtl", "tx3g", false),
      ("subt", "stpp", false), ("clcp", "c608", false), ("hint", "rtp ", false), ("data", "xxxx", false),
      ("gps ", "gps ", false), ("camm", "camm", false),
    ])
  func tracks(_ handler: String, _ entry: String, _ isLetThrough: Bool) {
    let bytes = film(track(handler, entry))
    #expect(removed(bytes) == (isLetThrough ? bytes : nil))
  }

  @Test("S56: phones' tracks of metadata are let through where their keys are of no place")
  func phones() {
    let keys = { (key: String) in self.box("keys", self.box("\0\0\0\u{1}", self.box("keyd", Array(key.utf8))))
    }
    for key in ["mdtacom.apple.quicktime.still-image-time", "mdtacom.apple.quicktime.video-orientation"] {
      let bytes = film(track("meta", "mebx", keys(key)))
      #expect(removed(bytes) == bytes)
    }
    #expect(removed(film(track("meta", "mebx", keys("mdtacom.apple.quicktime.location.ISO6709")))) == nil)
    for (type, isLetThrough) in [
      ("application/motionphoto-image-meta", true), ("application/microvideo-meta-stream", true),
      ("application/gps", false), ("text/plain", false),
    ] {
      let bytes = film(track("meta", "mett", [0] + Array("\(type)\0".utf8)))
      #expect(removed(bytes) == (isLetThrough ? bytes : nil))
    }
  }

  @Test(
    "R8, S56: a film with a drone's captions, or whose track does not say what it is of, is not handed out")
  func captions() throws {
    let corpus = try PlacedCorpus.shared.get()
    #expect(removed(try corpus.bytes("captions.mov")) == nil)
    #expect(removed(try corpus.bytes("captions.mp4")) == nil)
    #expect(removed(film(box("trak", box("mdia", box("minf", box("stbl")))))) == nil)
  }

  // MARK: Free space, and boxes of others

  @Test("R8, S56: what a dash camera logged in free space goes, and the film stays as it is")
  func dashCamera() throws {
    let corpus = try PlacedCorpus.shared.get()
    let bytes = try corpus.bytes("dash.mp4")
    let copy = try #require(removed(bytes))
    func said(_ bytes: [UInt8], _ name: String) throws -> String {
      let path = corpus.path(name)
      try Data(bytes).write(to: URL(filePath: path))
      return String(
        decoding: try run("exiftool", ["-ee", "-a", "-G1", path], isLenient: true), as: UTF8.self)
    }
    #expect(try said(bytes, "logged.mp4").contains("GPS Latitude"))
    #expect(try !said(copy, "removed-dash.mp4").contains("GPS"))
    let film = try corpus.bytes("plain.mp4")
    #expect(copy.count == bytes.count && copy.prefix(film.count) == film[...])
    #expect(copy.dropFirst(film.count + 8).allSatisfy { $0 == 0 })
  }

  @Test(
    "R8, S56: free space with a mark anywhere in it becomes zeros, wherever it is",
    arguments: [0, 1000, 1 << 20 - 3, 1 << 20, 2 << 20 - 100])
  func free(_ offset: Int) {
    let type = ["free", "skip", "wide"][offset % 3]
    var content = [UInt8](repeating: 0, count: 2 << 20)
    let bytes = { self.film(self.box(type, content), behind: self.box(type, content)) }
    let empty = bytes()
    #expect(removed(empty) == empty)
    content.replaceSubrange(offset..<offset + Self.logged.utf8.count, with: Self.logged.utf8)
    #expect(removed(bytes()) == empty)
  }

  @Test(
    "S56: free space that says nothing is handed out as it is; of more than is looked through nothing is said"
  )
  func much() throws {
    let words = film([], behind: box("free", Array("IsoMedia File Produced with GPAC".utf8)))
    #expect(removed(words) == words)
    func found(_ count: Int) throws -> (isEmpty: Bool, read: Int) {
      let start = film([], behind: big(8 + count) + Array("free".utf8))
      var read = 0
      let source = PictureSource(count: start.count + count) { offset, memory in
        for index in 0..<memory.count {
          guard offset + index < start.count else { break }
          memory[index] = start[offset + index]
        }
        read += memory.count
        return memory.count
      }
      return (try PlaceFinder.overwritings(in: source).isEmpty, read)
    }
    let all = try found(ISOFreeSpace.most)
    #expect(all.isEmpty && all.read < ISOFreeSpace.most + 2 << 20)
    #expect(throws: Untraceable.self) { try found(ISOFreeSpace.most + 1) }
  }

  @Test("R8, S56: what nobody knows in a film is not handed out where it is called like a place or marked")
  func unknown() {
    let own = [UInt8](0..<16)
    let title: [UInt8] = [
      0x55, 0x53, 0x4D, 0x54, 0x21, 0xD2, 0x4F, 0xCE, 0xBB, 0x88, 0x69, 0x5C, 0xFA, 0xC9, 0xC7, 0x40,
    ]
    for refused in [
      box("gps ", big(0x101) + big(1) + big(0x8000) + big(0x200)), box("gps0", [1, 2, 3]),
      box("abcd", Array(Self.logged.utf8)), box("abcd", Array("freeGPS \0".utf8)), box("cmov", box("cmvd")),
      box("uuid", own + [1, 2, 3]), box("udta", box("uuid", own + [1, 2, 3])),
      box("uuid", title + Array("GPSLatitude".utf8)),
    ] { #expect(removed(film(refused)) == nil) }
    #expect(removed(film([], behind: box("gps0", [1, 2, 3]))) == nil)
    for kept in [box("abcd", [1, 2, 3]), box("uuid", title + [0, 1]), box("iods", big(0))] {
      #expect(removed(film(kept)) == film(kept))
    }
    let standing = film([], behind: box("uuid", own + [1, 2, 3]))
    #expect(removed(standing) == standing)
  }

  @Test(
    "R8, S56: a document of what a camera measured goes where it names a place", arguments: ["xml ", "bxml"])
  func document(_ type: String) {
    let place = #"<Group name="ExifGPS"><Item name="LatitudeRef" value="S"/></Group>"#
    func bytes(_ type: String, _ text: [UInt8]) -> [UInt8] {
      let meta = box(
        "meta", big(0) + box("hdlr", big(0) + Array("\0\0\0\0nrtm".utf8) + big(0)) + box(type, text))
      return film([], behind: meta) + film(meta)
    }
    let text = big(0) + Array("<NonRealTimeMeta>\(place)</NonRealTimeMeta>".utf8)
    #expect(removed(bytes(type, text)) == bytes("free", [UInt8](repeating: 0, count: text.count)))
    let kept = bytes(type, big(0) + Array("<NonRealTimeMeta/>".utf8))
    #expect(removed(kept) == kept)
  }

  @Test(
    "R8, S56: of a JPEG's segments stays what is known, where it belongs; what is somebody's own becomes zeros"
  )
  func segments() {
    func file(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
      [0xFF, 0xD8, 0xFF, marker] + big(content.count + 2, 2) + content + [0xFF, 0xD9]
    }
    func zeros(_ text: String) -> [UInt8] { [UInt8](repeating: 0, count: text.utf8.count) }
    for marker in 0xE0...0xEF as ClosedRange<UInt8> where marker != 0xED {
      for text in ["GoPro\0 and a city", "Adobe GPSLatitude 33.8", "UNICODE\0Sydney", "PENTAX \0II 30"] {
        #expect(removed(file(marker, Array(text.utf8))) == file(marker, zeros(text)))
      }
    }
    for (marker, text) in [
      (0xE0, "JFIF\0\u{1}\u{1}"), (0xE2, "ICC_PROFILE\0\u{1}\u{1}"), (0xE2, "MPF\0MM\0*"),
      (0xEC, "Ducky\0\u{1}"),
      (0xE2, "urn:iso:std:iso:ts:21496:-1\0\0\0"), (0xEE, "Adobe\0\u{64}\0\0\0\0\0"),
      (0xFE, "at a fine location"),
      (0xEB, "JP\0\u{1}\0\0\0\u{1}\0\0\0\u{8}jumb"),
    ] as [(UInt8, String)] {
      #expect(removed(file(marker, Array(text.utf8))) == file(marker, Array(text.utf8)))
    }
    let credentials = #"JP12345678901234{"photoshop:City":"Sydney"}"#
    #expect(removed(file(0xEB, Array(credentials.utf8))) == file(0xEB, zeros(credentials)))
    let comment = "GPSLatitude -33.8"
    #expect(
      removed(file(0xFE, Array(comment.utf8)))
        == file(0xFE, [UInt8](repeating: 0x20, count: comment.utf8.count)))
  }

  @Test("S56: coordinates as films have them go, whatever their item is called")
  func values() throws {
    func film(_ value: String) -> [UInt8] {
      let item = box("desc", box("data", big(1) + big(0) + Array(value.utf8)))
      let handler = box("hdlr", big(0) + big(0) + Array("mdirappl".utf8) + big(0) + big(0) + [0])
      return self.film(box("udta", box("meta", big(0) + handler + box("ilst", item))))
    }
    for value in ["-33.8598+151.2111+058.000/", "+48.1607+011.5755/"] {
      #expect(try #require(removed(film(value))).firstRange(of: Array(value.utf8)) == nil)
    }
    for value in ["2024-05-01T12:30:15+0200", "-33.8 and +5", "1.5-2.5"] {
      #expect(removed(film(value)) == film(value))
    }
  }

  @Test("S56: Garmin's numbers keep a film back, wherever they stand")
  func garmin() {
    #expect(removed(film([], behind: box("uuid", ISOPlaces.garmin + big(7, 20)))) == nil)
  }
}
