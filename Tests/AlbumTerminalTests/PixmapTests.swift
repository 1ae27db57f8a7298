import Testing

@testable import AlbumTerminal

extension Pixmap {
  /// Its left half in one colour, its right in another.
  static func halves(
    _ left: [UInt8] = [255, 0, 0], _ right: [UInt8] = [0, 0, 255], width: Int, height: Int
  ) -> Pixmap {
    let line = (0..<width).flatMap { $0 < width / 2 ? left : right }
    return Pixmap(width: width, height: height, rgb: (0..<height).flatMap { _ in line })
  }

  /// Red, green and blue of a pixel.
  func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(rgb[(y * width + x) * 3..<(y * width + x) * 3 + 3]) }
}

@Suite("Pixmaps (S54)") struct PixmapTests {
  private func file(_ header: String, _ count: Int) -> [UInt8] {
    Array(header.utf8) + (0..<count).map { UInt8(truncatingIfNeeded: $0) }
  }

  @Test("S54: a pixmap is read as it is written")
  func whole() throws {
    let pixmap = try #require(Pixmap(ppm: file("P6\n3 2\n255\n", 18)))
    #expect(pixmap == Pixmap(width: 3, height: 2, rgb: Array(0..<18)))
    let most = Pixmap.mostPixels
    let largest = try #require(Pixmap(ppm: file("P6\n\(most) \(most)\n255\n", most * most * 3)))
    #expect(largest.width == most && largest.height == most)
  }

  @Test(
    "S54: what is not written so is none",
    arguments: [
      ("", 0), ("P6", 0), ("P6\n", 0), ("P6\n3", 0), ("P6\n3 2\n255", 0), ("P6\n3 2\n255\n", 17),
      ("P6\n3 2\n255\n", 19), ("P5\n3 2\n255\n", 18), ("P6 3 2 255 ", 18), ("P6\n# a\n3 2\n255\n", 18),
      ("P6\n3  2\n255\n", 18), ("P6\n03 2\n255\n", 18), ("P6\n+3 2\n255\n", 18), ("P6\n3 2\n254\n", 18),
      ("P6\n3 2\n65535\n", 36), ("P6\n0 2\n255\n", 0), ("P6\n-3 -2\n255\n", 18), ("P6\n513 1\n255\n", 1539),
      ("P6\n1 513\n255\n", 1539), ("P6\n1000 1\n255\n", 3000), ("P6\n99999999999999999999 1\n255\n", 3),
    ])
  func others(header: String, count: Int) {
    #expect(Pixmap(ppm: file(header, count)) == nil)
  }

  @Test("S54: each byte of it counts")
  func cut() {
    let whole = file("P6\n3 2\n255\n", 18)
    for count in whole.indices { #expect(Pixmap(ppm: Array(whole[..<count])) == nil) }
  }

  @Test("a picture is made smaller as a whole, and never larger")
  func fitted() {
    let halves = Pixmap.halves(width: 300, height: 200)
    #expect(halves.fitted(width: 300, height: 200) == halves)
    #expect(halves.fitted(width: 1000, height: 1000) == halves)
    for (most, size) in [
      ((150, 1000), (150, 100)), ((1000, 50), (75, 50)), ((1, 1), (1, 1)), ((0, 0), (1, 1)),
    ] {
      let small = halves.fitted(width: most.0, height: most.1)
      #expect(small.width == size.0 && small.height == size.1)
      #expect(small.rgb.count == size.0 * size.1 * 3)
    }
    let small = halves.fitted(width: 30, height: 30)
    #expect(small.pixel(2, 2) == [255, 0, 0] && small.pixel(27, 19) == [0, 0, 255])
    // What one pixel stands for is mixed.
    #expect(halves.fitted(width: 1, height: 1).rgb == [127, 0, 127])
    let line = Pixmap(width: 512, height: 1, rgb: [UInt8](repeating: 9, count: 1536))
    #expect(
      line.fitted(width: 10, height: 10)
        == Pixmap(width: 10, height: 1, rgb: [UInt8](repeating: 9, count: 30)))
  }
}
