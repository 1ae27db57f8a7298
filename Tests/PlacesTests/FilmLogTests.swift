import Testing

@testable import Places

@Suite("Films with a log between their samples, and boxes in boxes (S56)", .timeLimit(.minutes(5)))
struct FilmLogTests {
  private func big(_ number: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
  private func box(_ type: String, _ content: [UInt8] = []) -> [UInt8] {
    big(8 + content.count) + Array(type.utf8) + content
  }

  /// Where the media begin in ``film(_:chunks:more:)``.
  private static let start = 16 + 8

  /// A film of H.264: its media first, with chunks of two samples of so many bytes at these places.
  private func film(
    _ media: [UInt8], chunks: [Int], size: Int = 10, perSample: Bool = true, more: [UInt8] = []
  ) -> [UInt8] {
    let entry = box("avc1", big(0, 6) + big(1, 2) + [UInt8](repeating: 0, count: 70))
    var sizes = big(0) + big(perSample ? 0 : size) + big(2 * chunks.count)
    if perSample { for _ in 0..<2 * chunks.count { sizes += big(size) } }
    var table = box("stsd", big(0) + big(1) + entry) + box("stsz", sizes)
    table += box("stsc", Array([0, 1, 1, 2, 1].map { big($0) }.joined()))
    table += box("stco", big(0) + big(chunks.count) + chunks.flatMap { big(Self.start + $0) })
    let handler = box("hdlr", Array([big(0), Array("mhlrvide".utf8), big(0, 13)].joined()))
    let track = box("trak", box("tkhd", big(0)) + box("mdia", handler + box("minf", box("stbl", table))))
    return box("ftyp", Array("mp42\0\0\0\0".utf8)) + box("mdat", media)
      + box("moov", box("mvhd", big(0)) + track + more)
  }

  private let samples = [UInt8](repeating: 0x65, count: 20)

  @Test(
    "R8, S56: a dash camera's block between samples keeps the film back, wherever it stands",
    arguments: [true, false],
    [
      "freeGPS 33.86,151.21", "$GPRMC,103015.00,A,33", "\0\0$GNGGA,103015.00,33,S",
      "LIGOGPSINFO\0\0\0\0\0\0\0\0\0",
    ])
  func between(_ perSample: Bool, _ log: String) {
    let log = Array(log.utf8.prefix(20))
    let none = [UInt8](repeating: 0x2E, count: 20)
    for place in 0..<3 {
      func film(_ log: [UInt8]) -> [UInt8] {
        var parts = [samples, samples]
        parts.insert(log, at: place)
        let chunks = [0, 1, 2].filter { $0 != place }.map { 20 * $0 }
        return self.film(Array(parts.joined()), chunks: chunks, perSample: perSample)
      }
      #expect(removed(film(none)) == film(none))
      #expect(removed(film(log)) == nil)
    }
  }

  @Test("S56: what stands in samples of sound is not taken for what is between them")
  func sound() {
    // Sixteen bits, two channels: a sample is said to be one byte, and is four.
    let entry = box(
      "sowt",
      Array([big(0, 6), big(1, 2), big(0, 8), big(2, 2), big(16, 2), big(0), big(48_000 << 16)].joined()))
    var table = box("stsd", big(0) + big(1) + entry) + box("stsz", big(0) + big(1) + big(5))
    table += box("stsc", Array([0, 1, 1, 5, 1].map { big($0) }.joined()))
    table += box("stco", big(0) + big(1) + big(Self.start))
    let handler = box("hdlr", Array([big(0), Array("mhlrsoun".utf8), big(0, 13)].joined()))
    let track = box("trak", box("tkhd", big(0)) + box("mdia", handler + box("minf", box("stbl", table))))
    func film(_ behind: String) -> [UInt8] {
      box("ftyp", Array("mp42\0\0\0\0".utf8)) + box("mdat", Array("....$GPRMC,........\(behind)".utf8))
        + box("moov", box("mvhd", big(0)) + track)
    }
    #expect(removed(film(".")) == film("."))
    #expect(removed(film(".$GPRMC,")) == nil)
  }

  @Test("R8, S56: a film whose pictures carry what an AVCHD camera notes is not handed out")
  func noted() {
    let id: [UInt8] = [
      0x17, 0xEE, 0x8C, 0x60, 0xF8, 0x4D, 0x11, 0xD9, 0x8C, 0xD6, 0x08, 0x00, 0x20, 0x0C, 0x9A, 0x66,
    ]
    func film(_ id: [UInt8], chunk: Int) -> [UInt8] {
      var media = [UInt8](repeating: 0x65, count: 400)
      let message = Array(
        [[0, 0, 0, 40, 6, 5, 30], id, Array("MDPM".utf8), [1, 0xB0, 2, 3, 0, 0]].joined())
      media.replaceSubrange(chunk * 100..<chunk * 100 + message.count, with: message)
      return self.film(media, chunks: [0, 100, 200, 300], size: 50)
    }
    for chunk in [0, 3] {
      #expect(removed(film(id, chunk: chunk)) == nil)
      let other = film(id.reversed(), chunk: chunk)
      #expect(removed(other) == other)
    }
  }

  @Test("R8, S56: an AVCHD camera's own stream is of a format in which places are not looked for")
  func stream() {
    let packet: [UInt8] = [0, 0, 0, 0, 0x47, 0x40, 0, 0x10] + [UInt8](repeating: 0xFF, count: 184)
    #expect(removed(Array([[UInt8]](repeating: packet, count: 8).joined())) == nil)
    #expect(removed(Array(packet.dropFirst(4))) == nil)
  }

  @Test("S56: tables that say more than a film has come to an end, and are no reason to read outside of it")
  func tables() {
    let whole = film(samples + samples, chunks: [0, 20])
    for type in ["stsz", "stsc", "stco", "stsd"] {
      for value in [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF] {
        for field in 0..<4 {
          var bytes = whole
          guard let place = bytes.firstRange(of: Array(type.utf8))?.upperBound else { continue }
          bytes.replaceSubrange(place + 4 * field..<place + 4 * field + 4, with: big(value))
          let left = removed(bytes)
          #expect(left == nil || left == bytes)
        }
      }
    }
    for bits in [0, 4, 7, 8, 16, 255] {
      var table = whole
      guard let place = table.firstRange(of: Array("stsz".utf8)) else { continue }
      table.replaceSubrange(place, with: Array("stz2".utf8))
      table[place.upperBound + 7] = UInt8(bits)
      let left = removed(table)
      #expect(left == nil || left == table)
    }
  }

  // MARK: Boxes

  @Test(
    "S56: boxes in boxes deeper than any film has them are not followed", arguments: ["trak", "udta", "meco"])
  func deep(_ type: String) {
    func nested(_ levels: Int) -> [UInt8] {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(8 * levels)
      for level in 0..<levels { bytes += big(8 * (levels - level)) + Array(type.utf8) }
      return film(samples, chunks: [0], more: bytes)
    }
    for levels in [ISOPlaces.deepest, 1000, 65_536, 200_000] { #expect(removed(nested(levels)) == nil) }
    #expect(removed(nested(8)) == nested(8))
  }

  @Test("R8, S56: metadata beside metadata is followed, and media of items are none of it")
  func additional() throws {
    let item = box("desc", box("data", big(1) + big(0) + Array("-33.8598+151.2111+058.000/".utf8)))
    let handler = box("hdlr", Array([big(0, 8), Array("mdirappl".utf8), big(0, 9)].joined()))
    let meta = box("meta", big(0) + handler + box("ilst", item))
    let whole = film(samples, chunks: [0], more: box("meco", meta + box("mere", big(0) + [1, 2])))
    let left = try #require(removed(whole))
    #expect(left.count == whole.count && left.firstRange(of: Array("33.8598".utf8)) == nil)
    let media = box("imda", big(1) + Array("pixels in which Exif\0 stands by chance".utf8))
    #expect(removed(film(samples, chunks: [0]) + media) == film(samples, chunks: [0]) + media)
  }

  @Test(
    "R8, S56: of user data stays what is known; a camera's own becomes free space",
    arguments: ["NCDT", "TAGS", "MVTG", "CNTH"])
  func userData(_ type: String) {
    let numbers = [UInt8](1...40)
    func film(_ box: [UInt8]) -> [UInt8] {
      self.film(samples, chunks: [0], more: self.box("udta", box))
    }
    let none = [UInt8](repeating: 0, count: numbers.count)
    #expect(removed(film(box(type, numbers))) == film(box("free", none)))
    #expect(removed(film(box(type, none))) == film(box(type, none)))
    let title = box("titl", big(0) + [0x15, 0xC7] + Array("kept\0".utf8))
    #expect(removed(film(title)) == film(title))
  }
}
