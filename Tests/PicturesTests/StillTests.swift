import Foundation
import PictureAPI
import TestSupport
import Testing

@Suite("Previews that libavcodec decodes (S54)", .blocking) struct StillTests {
  private let corpus: Corpus
  private let reader: Reader

  init() throws {
    corpus = try Corpus.shared.get()
    reader = try Reader()
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: corpus.path(name))))
  }

  /// Within what coding and profiles of a byte a colour change.
  private func expect(
    _ shown: Reader.Shown?, at x: Int = 10, _ expected: [Int], location: SourceLocation = #_sourceLocation
  ) {
    let found = shown?.colour(x, 10) ?? []
    let isNear = found.count == 3 && zip(found, expected).allSatisfy { abs($0 - $1) <= 4 }
    #expect(isNear, "\(found), not \(expected)", sourceLocation: location)
  }

  private let red = [200, 60, 40]
  /// What that is in sRGB if it is Display P3's.
  private let wide = [220, 37, 12]
  /// What nothing is shown on.
  private let grey = [128, 128, 128]

  @Test(
    "S54: each looks like the JPEG that it was made of, upright",
    arguments: ["bmp", "dib", "jp2", "j2k", "psd"], [false, true])
  func formats(ending: String, isSquare: Bool) throws {
    let isTurned = ["jp2", "psd"].contains(ending)
    let original = try #require(
      try reader.render(bytes(isTurned ? "turned.jpg" : "plain.jpg"), isSquare: isSquare))
    let shown = try #require(try reader.render(bytes("plain.\(ending)"), isSquare: isSquare))
    #expect(shown.size == original.size)
    #expect(shown.size == (isSquare ? (256, 256) : isTurned ? (192, 256) : (256, 192)))
    let differences = zip(shown.pixels, original.pixels).map { abs(Int($0) - Int($1)) }
    #expect(differences.reduce(0, +) < 2 * differences.count)
  }

  @Test("S54: what is behind the colours shows through where the file says so, and else is nothing")
  func transparent() throws {
    let inPhotoshop = SmallPSD(channels: [200, 60, 40, 0], layers: -1)
    expect(try reader.render(inPhotoshop.file()), grey)
    expect(try reader.render(SmallPSD(channels: [200, 60, 40, 0], layers: 1).file()), red)
    expect(try reader.render(SmallBitmap(isTransparent: true).file()), grey)
    expect(try reader.render(SmallBitmap(isTransparent: false).file()), red)
    expect(try reader.render(SmallBitmap(header: 40).file()), red)
    let stream = try bytes("through.j2k")
    func boxes(_ more: [UInt8]) -> [UInt8] {
      SmallJP2.file(stream, 64, 48, components: 4, SmallJP2.colours(16), more)
    }
    let through = try reader.render(boxes(SmallJP2.transparent(4)))
    expect(through, red)
    expect(through, at: 50, grey)
    expect(try reader.render(boxes([])), at: 50, [0, 0, 0])
    // A code stream alone does not say what its components are.
    expect(try reader.render(stream), at: 50, [0, 0, 0])
  }

  @Test("S54: what has a profile is brought from that to sRGB, if it is one of such a picture")
  func profiles() throws {
    let (display, grey) = (ColourProfile.displayP3, ColourProfile.linearGrey)
    expect(try reader.render(SmallPSD(profile: display).file()), wide)
    expect(try reader.render(SmallPSD(profile: grey).file()), red)
    expect(try reader.render(SmallPSD(profile: Array(display.prefix(200))).file()), red)
    expect(try reader.render(SmallPSD(mode: 1, channels: [88], profile: grey).file()), [159, 159, 159])
    expect(try reader.render(SmallPSD(mode: 1, channels: [88]).file()), [88, 88, 88])
    expect(try reader.render(SmallBitmap(profile: display).file()), wide)
    let stream = try bytes("through.j2k")
    let jpeg = SmallJP2.file(stream, 64, 48, components: 4, SmallJP2.colours(display))
    expect(try reader.render(jpeg), wide)
    // Of inks the size is told.
    let inks = SmallJP2.file(stream, 64, 48, components: 4, SmallJP2.colours(12))
    #expect(try reader.render(inks) == nil)
    #expect(try reader.describe(inks)?.pixelWidth == 64)
  }

  @Test("S54: old films have a poster", arguments: ["film.wmv", "film.ogv", "film.mpg", "bare.mpg"])
  func posters(name: String) throws {
    let original = try #require(try reader.render(bytes("film.mp4")))
    let shown = try #require(try reader.render(bytes(name)))
    #expect(shown.size == (256, 192) && shown.size == original.size)
    let differences = zip(shown.pixels, original.pixels).map { abs(Int($0) - Int($1)) }
    #expect(differences.reduce(0, +) < 12 * differences.count)
  }

  @Test("S54: a bitmap may be written from top to bottom")
  func downwards() throws {
    let file = SmallBitmap(height: -48).file()
    #expect(try reader.describe(file)?.pixelHeight == 48)
    expect(try reader.render(file), red)
  }

  @Test("S52: what is too large is told, and not decoded")
  func tooLarge() throws {
    func shows(_ width: Int, _ height: Int) throws -> Bool {
      let file = SmallPSD(width: width, height: height, depth: 1, mode: 0, channels: [0x0F]).file()
      let description = try #require(try reader.describe(file))
      #expect(description.pixelWidth == width && description.pixelHeight == height)
      return try reader.render(file) != nil
    }
    #expect(try shows(16_384, 4) && shows(4, 16_384))
    #expect(try !shows(16_385, 4) && !shows(4, 16_385) && !shows(16_384, 8193))
  }

  @Test("S51: what is cut off in its header says nothing, and what is cut off in its picture has its size")
  func cutOff() throws {
    for file in try [SmallPSD().file(), SmallBitmap().file(), bytes("plain.j2k"), bytes("plain.jp2")] {
      #expect(try reader.describe(Array(file.prefix(19))) == nil)
    }
    for file in [SmallPSD().file(), SmallBitmap().file()] {
      let cut = Array(file.dropLast(20))
      #expect(try reader.describe(cut)?.pixelWidth == 64)
      #expect(try reader.render(cut) == nil)
    }
  }

  @Test("a film of JPEG 2000, a size of nothing, and a grid that ends before it begins are none")
  func none() throws {
    var film = try bytes("plain.jp2")
    film.replaceSubrange(20..<24, with: "mjp2".utf8)
    #expect(try reader.describe(film) == nil)
    #expect(try reader.describe(SmallPSD(width: 0).file()) == nil)
    #expect(try reader.describe(SmallBitmap(width: 0).file()) == nil)
    var stream = try bytes("plain.j2k")
    // Where the picture begins: further than the grid is wide.
    stream.replaceSubrange(16..<20, with: [0x7F, 0xFF, 0xFF, 0xFF])
    #expect(try reader.describe(stream) == nil)
    #expect(try reader.render(stream) == nil)
  }
}
