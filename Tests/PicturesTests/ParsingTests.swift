import TestSupport
import Testing

@testable import Pictures

@Suite("Times and places as cameras write them") struct ParsingTests {
  @Test(
    "offsets",
    arguments: [
      ("+02:00", 120), ("-0330", -210), ("+05", 300), ("Z", 0), ("+14:00", 840), ("+15:00", nil),
      ("02:00", nil),
      ("", nil), ("+2:0", nil), ("+ab:cd", nil), ("+01:75", nil),
    ] as [(String, Int?)])
  func offsets(text: String, minutes: Int?) {
    #expect(CaptureTime.minutes(text) == minutes)
  }

  @Test(
    "times that are none",
    arguments: [
      "", "    :  :     :  :  ", "0000:00:00 00:00:00", "2024:13:01 00:00:00", "2024:02:30 00:00:00",
      "2024:05:01",
    ])
  func noTime(text: String) {
    #expect(CaptureTime(exif: text, subseconds: nil, offset: nil) == nil)
  }

  @Test("a fraction of any length, and one that is none")
  func fractions() {
    func local(_ subseconds: String?) -> Int64? {
      CaptureTime(exif: "1970:01:01 00:00:01", subseconds: subseconds, offset: nil)?.local
    }
    #expect(local("5") == 1_500_000 && local("123456789") == 1_123_456 && local(" ") == 1_000_000)
    #expect(local(nil) == 1_000_000)
  }

  @Test("ISO 8601 with and without seconds, fraction and zone")
  func iso() {
    #expect(CaptureTime(iso8601: "1970-01-01T00:01")?.local == 60_000_000)
    #expect(CaptureTime(iso8601: "1970-01-01T00:00:01.5-01:00")?.local == 1_500_000)
    #expect(CaptureTime(iso8601: "1970-01-01T00:00:01.5-01:00")?.offset == -60)
    #expect(CaptureTime(iso8601: "1970-01-01") == nil)
  }

  @Test(
    "S48: QuickTime's day is when it was taken if it says a zone; else it may be that of a cinema",
    arguments: [
      (["date": "2023-06-01T12:00:00+0200"], 120), (["date": "2023-06-01T12:00:00-03:30"], -210),
      (["date": "2023-06-01T12:00:00"], 0), (["date": "2023-06-01T12:00:00Z"], 0), (["date": "2023"], 0),
      (["date": "2023-06-01+02:00"], 0), ([:], 0),
      (
        ["com.apple.quicktime.creationdate": "2023-06-01T12:00:00+0900", "date": "2023-06-01T12:00:00+0200"],
        540
      ),
    ])
  func day(says: [String: String], offset: Int) throws {
    let says = says.merging(["creation_time": "2024-05-01T10:30:15.000000Z"]) { $1 }
    let taken = try #require(FilmReader.taken(isQuickTime: true) { says[$0] })
    #expect(taken.offset == offset)
    #expect(FilmReader.taken(isQuickTime: false) { ["date": "2023-06-01T12:00:00+0200"][$0] } == nil)
  }

  @Test("places: fractions of Exif, text of XMP, ISO 6709; nothing beneath a line, no hemisphere, and junk")
  func places() throws {
    #expect(Coordinates.degrees(exif: "33/1 30/1 0/1", reference: "S") == -33.5)
    #expect(Coordinates.degrees(exif: "33/1 30/1 0/0", reference: "S") == nil)
    #expect(Coordinates.degrees(exif: "33/1 30/1 0/1", reference: nil) == nil)
    #expect(Coordinates.degrees(xmp: "33,30S") == -33.5)
    #expect(Coordinates.degrees(xmp: "") == nil)
    let place = try #require(Coordinates.place(iso6709: "+27.5916+086.5640+8850/"))
    #expect(place.latitude == 27.5916 && place.longitude == 86.564 && place.altitude == 8850)
    #expect(Coordinates.place(iso6709: "27") == nil)
  }

  @Test("JPEG XL: sizes in every spelling, and a header that is cut off")
  func jpegXL() throws {
    func read(_ bytes: [UInt8]) -> JPEGXL? { bytes.withUnsafeBytes { JPEGXL($0) } }
    // Small, 5 × 8 high, 1:1, all default.
    let small = try #require(read([0xFF, 0x0A, 0b0100_1001, 0b0000_0010]))
    #expect(small.width == 40 && small.height == 40 && small.orientation == 1)
    #expect(read([0xFF, 0x0A]) == nil)
    #expect(read([]) == nil)
  }

  @Test("bytes of any kind end no reader of headers", arguments: 0..<20 as Range<UInt64>)
  func anyBytes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let beginnings: [[UInt8]] = [
      Array("FUJIFILMCCD-RAW 0201FF383501X-T1".utf8), [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
      [0xFF, 0x0A], [0, 0, 0, 12] + Array("JXL \r\n".utf8) + [0x87, 0x0A, 0, 0, 0, 9] + Array("jxlp".utf8),
      Array("8BPS\0\u{1}".utf8), Array("BM".utf8), [0xFF, 0x4F, 0xFF, 0x51],
      [0, 0, 0, 12] + Array("jP  \r\n".utf8) + [0x87, 0x0A, 0, 0, 0, 60] + Array("jp2h".utf8),
      [0, 0, 0, 1] + Array("ftyp".utf8), [0xFF, 0xFF, 0xFF, 0xFF] + Array("ftypheic".utf8), [],
    ]
    for _ in 0..<500 {
      let count = Int.random(in: 0...160, using: &random)
      // Small numbers are lengths that hold.
      let most: UInt8 = Bool.random(using: &random) ? 255 : 15
      let rest = (0..<count).map { _ in UInt8.random(in: 0...most, using: &random) }
      let bytes = (beginnings.randomElement(using: &random) ?? []) + rest
      _ = PictureFormat(beginning: bytes)
      bytes.withUnsafeBytes { bytes in
        _ = JPEGXL(bytes)
        _ = PNGChunks(bytes)
        _ = FujifilmRaw(bytes)
        for kind in StillPicture.Kind.allCases {
          guard let picture = StillPicture(bytes, kind) else { continue }
          #expect(picture.size.width > 0 && picture.size.height > 0)
          #expect(picture.content.count <= bytes.count && (picture.profile?.count ?? 0) <= bytes.count)
        }
        for box in ISOBox.all(in: bytes) { #expect(box.content.upperBound <= bytes.count) }
      }
    }
  }
}
