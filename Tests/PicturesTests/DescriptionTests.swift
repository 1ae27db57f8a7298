import Foundation
import PictureAPI
import TestSupport
import Testing

@Suite("What files say of themselves", .blocking, .serialized) struct DescriptionTests {
  private let corpus: Corpus
  private let reader: Reader

  init() throws {
    corpus = try Corpus.shared.get()
    reader = try Reader()
  }

  /// 2024-05-01 12:30:15 by the camera's clock, in microseconds.
  private static let clock = 1_714_566_615_000_000

  @Test(
    "when, where and how large, in every format of pictures",
    arguments: [
      ("plain.jpg", 640, 480), ("plain.png", 640, 480), ("plain.webp", 640, 480), ("plain.tif", 480, 640),
      ("plain.heic", 640, 480), ("plain.avif", 640, 480), ("plain.jxl", 640, 480), ("turned.jpg", 480, 640),
      ("plain.jp2", 480, 640), ("plain.psd", 480, 640),
      ("raw.dng", 480, 640), ("raw.nef", 480, 640), ("raw.arw", 480, 640), ("raw.cr2", 480, 640),
      ("raw.orf", 480, 640),
      ("raw.rw2", 640, 480), ("raw.raf", 640, 480), ("raw.cr3", 640, 480),
    ])
  func pictures(name: String, width: Int, height: Int) throws {
    let description = try #require(try reader.describe(corpus.path(name)))
    #expect(description.takenLocal == Self.clock + 250_000)
    #expect(description.takenOffset == 120)
    #expect(description.pixelWidth == width && description.pixelHeight == height)
    let place = try #require(description.place)
    #expect(abs(place.latitude + 33.859817) < 0.000_01 && abs(place.longitude - 151.211111) < 0.000_01)
    #expect(place.altitude == 58)
    #expect(description.subtypes == (name.hasPrefix("raw.") ? [.raw] : []))
    #expect(description.duration == nil)
  }

  @Test("BigTIFF says how large it is, how it is turned, and when it was taken where that is XMP")
  func bigTIFF() throws {
    let file = [UInt8](try Data(contentsOf: URL(filePath: corpus.path("big.tif"))))
    #expect(file.starts(with: [0x49, 0x49, 0x2B, 0]))
    let description = try #require(try reader.describe(corpus.path("big.tif")))
    #expect(description.pixelWidth == 480 && description.pixelHeight == 640)
    #expect(description.takenLocal == Self.clock && description.takenOffset == 120)
    let shown = try #require(try reader.render(file))
    let turned = try #require(
      try reader.render([UInt8](Data(contentsOf: URL(filePath: corpus.path("turned.jpg"))))))
    #expect(shown.size == (192, 256))
    let differences = zip(shown.pixels, turned.pixels).map { abs(Int($0) - Int($1)) }
    #expect(differences.reduce(0, +) < 2 * differences.count)
  }

  @Test(
    "how large and how long, in every format of films",
    arguments: [
      ("film.mp4", 320, 240), ("film.mov", 320, 240), ("film.mkv", 320, 240), ("film.webm", 320, 240),
      ("film.avi", 320, 240), ("film.mts", 320, 240), ("film.wmv", 320, 240), ("film.ogv", 320, 240),
      ("film.mpg", 320, 240), ("bare.mpg", 320, 240), ("day.mov", 320, 240), ("turned.mp4", 240, 320),
    ])
  func films(name: String, width: Int, height: Int) throws {
    let description = try #require(try reader.describe(corpus.path(name)))
    #expect(description.pixelWidth == width && description.pixelHeight == height)
    #expect(abs(try #require(description.duration) - 2_000_000) <= 100_000)
    switch name {
    case "film.mov":
      #expect(description.takenLocal == Self.clock && description.takenOffset == 120)
      #expect(description.place == .init(latitude: -33.8598, longitude: 151.2111, altitude: 58))
    case "day.mov": #expect(description.takenLocal == Self.clock && description.takenOffset == 120)
    case "film.mp4", "film.mkv", "film.webm":
      #expect(description.takenLocal == Self.clock - 7_200_000_000 && description.takenOffset == 0)
    default:
      // They have no place for it.
      break
    }
  }

  @Test("S49: of MPEG without a container the frames are added up, of 64 MiB at most")
  func added() throws {
    let film = try Data(contentsOf: URL(filePath: corpus.path("bare.mpg")))
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/long.mpg"
    let count = (64 << 20) / film.count
    try Data().write(to: URL(filePath: path))
    let file = try #require(FileHandle(forWritingAtPath: path))
    for _ in 0..<count { try file.write(contentsOf: film) }
    #expect(try reader.describe(path)?.duration == count * 2_000_000)
    for _ in 0..<2 { try file.write(contentsOf: film) }
    let description = try #require(try reader.describe(path))
    #expect(description.pixelWidth == 320 && description.duration == nil)
  }

  @Test(
    "what kind of picture it is",
    arguments: [
      ("panorama.jpg", [PicturesInterface.Subtype.panorama]), ("sphere.jpg", [.panorama]),
      ("hdr.jpg", [.hdr]),
      ("motion.jpg", [.motionPhoto]), ("screenshot.png", [.screenshot]), ("frames.gif", [.animated]),
      ("frames.webp", [.animated]), ("frames.png", [.animated]), ("plain.gif", []), ("plain.webp", []),
    ])
  func kinds(name: String, subtypes: [PicturesInterface.Subtype]) throws {
    #expect(try reader.describe(corpus.path(name))?.subtypes == subtypes)
  }

  @Test("a time without an offset has the one that GPS time shows")
  func zoneOfGPS() throws {
    let description = try #require(try reader.describe(corpus.path("gps-zone.jpg")))
    #expect(description.takenLocal == Self.clock && description.takenOffset == 9 * 60 + 30)
  }

  @Test("XMP says when and where if Exif does not")
  func xmp() throws {
    let description = try #require(try reader.describe(corpus.path("xmp.jpg")))
    #expect(description.takenLocal == Self.clock && description.takenOffset == 120)
    #expect(abs(try #require(description.place).latitude + 33.859817) < 0.000_1)
  }

  @Test(
    "what a file does not say is absent, and so is a clock that was never set",
    arguments: ["bare.jpg", "unset.jpg", "plain.bmp", "plain.dib", "plain.j2k"])
  func absent(name: String) throws {
    #expect(
      try reader.describe(corpus.path(name)) == .init(pixelWidth: 640, pixelHeight: 480, subtypes: []))
  }

  @Test("damaged files end nobody's reading")
  func damaged() throws {
    for name in corpus.directory.names where name.hasPrefix("cut-") {
      #expect(throws: Never.self, "\(name)") { _ = try reader.describe(corpus.path(name)) }
    }
    #expect(try reader.describe(corpus.path("cut-empty.jpg")) == nil)
    #expect(try reader.describe(corpus.path("cut-text.jpg")) == nil)
    #expect(try reader.describe(corpus.path("plain.jpg"))?.pixelWidth == 640)
  }

  @Test("S50: of a picture whose metadata cannot be read the size is told")
  func unreadableMetadata() throws {
    func bytes(_ name: String) throws -> [UInt8] {
      [UInt8](try Data(contentsOf: URL(filePath: Corpus.shared.get().path(name))))
    }
    func big(_ number: Int) -> [UInt8] {
      (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    // A text that is said to be packed, and is not: behind the header, which has 33 bytes with what is before it.
    let text = Array("Raw profile type exif\0\0this is not packed".utf8)
    var png = try bytes("plain.png")
    png.insert(contentsOf: big(text.count) + Array("zTXt".utf8) + text + big(0), at: 33)
    // A profile that is shorter than it says.
    var webp = try bytes("plain.webp")
    try #require(webp[12..<16].elementsEqual("VP8X".utf8))
    webp[20] |= 0x20
    webp.insert(contentsOf: Array("ICCP".utf8) + [8, 0, 0, 0] + [9, 9, 9, 9, 0, 0, 0, 0], at: 30)
    webp.replaceSubrange(4..<8, with: big(webp.count - 8).reversed())
    let reader = try Reader()
    // Of WebP the block of Exif is found all the same.
    for (bytes, hasExif) in [(png, false), (webp, true)] {
      let description = try #require(try reader.describe(bytes))
      #expect(description.pixelWidth == 640 && description.pixelHeight == 480)
      #expect((description.takenLocal != nil) == hasExif)
    }
    // Without a size there is nothing to tell.
    png.replaceSubrange(16..<24, with: big(0) + big(0))
    #expect(try reader.describe(png) == nil)
  }

  @Test("S49: of a picture that libheif refuses for what is beside it, as of newer phones, the size is told")
  func refusedForItsMetadata() throws {
    var heic = [UInt8](try Data(contentsOf: URL(filePath: Corpus.shared.get().path("plain.heic"))))
    let reader = try Reader()
    // What Exif is about: the item that says it, how many, and which.
    let mark = Array("cdsc".utf8)
    let reference = try #require(
      heic.indices.dropLast(10).first { heic[$0..<$0 + 4].elementsEqual(mark) })
    heic[reference + 9] = 99
    let description = try #require(try reader.describe(heic))
    #expect(description.pixelWidth == 640 && description.pixelHeight == 480)
    // One that is cut off besides has not said everything.
    #expect(try reader.describe(Array(heic.dropLast(100))) == nil)
  }

  @Test(
    "S49, S51: Canon's RAW whose preview ends behind what it is in says what it says before that"
  )
  func previewTooLong() throws {
    let canon: [UInt8] = [
      0xEA, 0xF4, 0x2B, 0x5E, 0x1C, 0x98, 0x4B, 0x88, 0xB9, 0xFB, 0xB7, 0xDC, 0x40, 0x6E, 0x4D, 0x16,
    ]
    let raw = SmallBox.cr3(width: 640, height: 480, orientation: 1)
    let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]
    var preview = SmallBox.box("PRVW", [0, 0, 0, 0, 0, 1, 0, 160, 0, 120, 0, 1, 0, 0, 0, 4] + jpeg)
    let reader = try Reader()
    func check(_ behind: [UInt8]) throws {
      let description = try #require(try reader.describe(raw + behind))
      #expect(description.pixelWidth == 640 && description.pixelHeight == 480)
      #expect(description.takenLocal == Self.clock + 250_000 && description.subtypes == [.raw])
    }
    func whole() -> [UInt8] { SmallBox.box("uuid", canon + [UInt8](repeating: 0, count: 8) + preview) }
    let pixels = SmallBox.box("mdat", [UInt8](repeating: 1, count: 100))
    try check(whole() + pixels)
    preview[3] += 50
    try check(whole() + pixels)
    // What is cut off has not said everything.
    #expect(try reader.describe(raw + Array(whole().dropLast(10))) == nil)
    #expect(try reader.describe(Array(raw.dropLast(10))) == nil)
  }
}
