import TestSupport
import Testing

@testable import Places

@Suite("Places in makers' notes that stand there as numbers, or in pictures within (S56)")
struct MakerNoteTests {
  private func little(_ number: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
  private func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
  private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  /// A file that says where it was taken, 33° 51′ 35.34″ S, 151° 12′ 40″ E, with a note.
  private func file(_ note: [UInt8], by make: String, gps: [UInt16: SmallTIFF.Value] = SmallTIFF.gps)
    -> [UInt8]
  {
    var tags = SmallTIFF.camera(
      width: 64, height: 48, orientation: 1, exif: [0x927C: .bytes(note), 0x9003: .text("kept")], gps: gps)
    tags[0x010F] = .text(make)
    return SmallTIFF.file(tags)
  }

  /// A picture that says the same, and has some pixels.
  private var preview: [UInt8] {
    let exif = Array("Exif\0\0".utf8) + SmallTIFF.file(SmallTIFF.camera(width: 8, height: 8, orientation: 1))
    var picture: [UInt8] = [
      0xFF, 0xD8, 0xFF, 0xE1, UInt8((exif.count + 2) >> 8), UInt8((exif.count + 2) & 255),
    ]
    picture += exif
    return picture + [0xFF, 0xDA, 0, 4, 1, 2, 5, 6, 7, 0xFF, 0xD9]
  }

  /// Bytes that are no angle of the file's, nor any mark.
  private let filler = [UInt8](repeating: 0x5A, count: 40)

  @Test("R8, S56: a note of nobody known becomes zeros, also in a file that says no place")
  func unknown() {
    let note = filler + little(-338_598_170) + little(1_512_111_110)
    for gps in [[:], SmallTIFF.gps] {
      #expect(
        removed(file(note, by: "Somebody", gps: gps))
          == removed(file(zeros(note.count), by: "Somebody", gps: gps)))
    }
    #expect(removed(file(filler, by: "Canon", gps: [:])) == file(filler, by: "Canon", gps: [:]))
  }

  @Test(
    "R8, S56: a known maker's note that has the file's coordinates as numbers becomes zeros, however they are written",
    arguments: 0..<14)
  func numbers(_ form: Int) {
    let (latitude, longitude) = (33.859817, 151.211111)
    func received(_ degrees: Double) -> Double {
      degrees.rounded(.down) * 100 + (degrees - degrees.rounded(.down)) * 60
    }
    func written(_ degrees: Double) -> [UInt8] {
      func whole(_ scale: Double) -> [UInt8] { bytes(Int32((degrees * scale).rounded())) }
      func fraction(_ above: Double, _ below: Double) -> [UInt8] {
        bytes(UInt32((above * below).rounded())) + bytes(UInt32(below))
      }
      let minutes = (degrees - degrees.rounded(.down)) * 60
      return switch form {
      case 0: whole(1e7)
      case 1: whole(-1e6)
      case 2: whole(1e5)
      case 3: whole(3.6e6)
      case 4: whole(-6e5)
      case 5: whole(65_536)
      case 6: bytes(Float(degrees).bitPattern)
      case 7: bytes((-degrees).bitPattern)
      case 8: bytes((degrees * .pi / 180).bitPattern)
      case 9: bytes(received(degrees).bitPattern).reversed()
      case 10: bytes(Float(received(degrees)).bitPattern).reversed()
      case 11: fraction(degrees, 1e6)
      case 12: fraction(degrees.rounded(.down), 1) + fraction(minutes, 1e5) + fraction(0, 1)
      default: whole(1e7).reversed()
      }
    }
    for make in ["Canon", "SONY", "NIKON CORPORATION"] {
      let both = Array([filler, written(latitude), [1], written(longitude), filler].joined())
      #expect(removed(file(both, by: make)) == removed(file(zeros(both.count), by: make)))
      // At the very end, in the other order.
      let last = Array([filler, written(longitude), [1], written(latitude)].joined())
      #expect(removed(file(last, by: make)) == removed(file(zeros(last.count), by: make)))
      // One of them alone is a number like any other, and both far from each other are.
      let far = [filler, written(latitude), filler, filler, filler, written(longitude)]
      for note in [filler + written(latitude) + filler, Array(far.joined())] {
        #expect(removed(file(note, by: make))?.firstRange(of: note) != nil)
      }
    }
  }

  @Test(
    "R8, S56: a name of coordinates in a known maker's note empties it",
    arguments: ["Latitude", "$GPRMC,1", "GPSInfo"])
  func names(_ name: String) {
    let note = filler + Array(name.utf8) + filler
    #expect(
      removed(file(note, by: "OLYMPUS", gps: [:]))
        == removed(file(zeros(note.count), by: "OLYMPUS", gps: [:])))
  }

  @Test("R8, S56: a preview in a note loses its own place, and nothing else")
  func previews() throws {
    let clean = try #require(removed(preview))
    #expect(clean != preview && clean.count == preview.count)
    for (start, make) in [("SONY DSC \0\0\0", "SONY"), ("", "Canon"), ("AOC\0MM", "PENTAX")] {
      let before = Array(start.utf8) + filler
      let left = removed(file(before + preview + filler, by: make, gps: [:]))
      #expect(left == file(before + clean + filler, by: make, gps: [:]))
    }
    // What begins like one and cannot be followed goes with the note.
    let broken = filler + preview.prefix(30)
    #expect(removed(file(broken, by: "Canon", gps: [:])) == file(zeros(broken.count), by: "Canon", gps: [:]))
  }

  @Test("R8, S56: so does a preview behind a note that points at it", arguments: [4, 7])
  func pointed(_ type: Int) throws {
    let clean = try #require(removed(preview))
    func file(_ preview: [UInt8]) -> [UInt8] {
      func file(_ place: Int) -> [UInt8] {
        let count = type == 4 ? 1 : preview.count
        let entry = [
          little(1, 2), little(0x0088, 2), little(type, 2), little(count), little(place), little(0),
        ]
        return self.file(Array("OLYMP\0\u{1}\0".utf8) + Array(entry.joined()), by: "OLYMPUS", gps: [:])
      }
      return file(file(0).count) + preview
    }
    #expect(removed(file(preview)) == file(clean))
  }

  @Test("R8, S56: how high a camera was by the pressure of the air goes from Olympus's and Panasonic's notes")
  func heights() {
    /// An entry of a directory with one value.
    func entry(_ tag: Int, _ type: Int, _ value: Int) -> [UInt8] {
      Array([little(tag, 2), little(type, 2), little(1), little(value)].joined())
    }
    func note(_ pressure: Int) -> [UInt8] {
      let settings = [little(2, 2), entry(0x0300, 3, 7), entry(0x0900, 3, pressure), little(0)]
      let root = [little(1, 2), entry(0x2020, 13, 12 + 18), little(0)]
      return Array("OLYMPUS\0II\u{3}\0".utf8) + Array((root + settings).joined())
    }
    #expect(
      removed(file(note(1013), by: "OLYMPUS", gps: [:])) == file(note(0), by: "OLYMPUS", gps: [:]))
    func panasonic(_ pressure: Int) -> [UInt8] {
      Array("Panasonic\0\0\0".utf8) + Array([little(1, 2), entry(0x86, 3, pressure), little(0)].joined())
    }
    #expect(
      removed(file(panasonic(1013), by: "Panasonic", gps: [:]))
        == file(panasonic(0), by: "Panasonic", gps: [:]))
    // One without a barometer has measured nothing, and says so by ones.
    let none = file(panasonic(0xFFFF), by: "Panasonic", gps: [:])
    #expect(removed(none) == none)
  }

  @Test("S56: Phase One's note is the picture itself, in which nothing is searched")
  func pixels() {
    for start in ["IIII\u{1}waR", "MMMMRaw"] {
      let pixels = file(
        Array(start.utf8) + filler + Array("ExifGPS\0".utf8) + preview, by: "Phase One A/S", gps: [:])
      #expect(removed(pixels) == pixels)
    }
  }

  @Test("R8, S56: the pressure of air and of water is a height, and goes as the altitude does")
  func pressure() {
    func file(_ pressure: (UInt32, UInt32), _ depth: (UInt32, UInt32)) -> [UInt8] {
      SmallTIFF.file(
        SmallTIFF.camera(
          width: 64, height: 48, orientation: 1,
          exif: [0x9400: .fractions([(21, 1)]), 0x9402: .fractions([pressure]), 0x9403: .fractions([depth])],
          gps: [:]))
    }
    #expect(removed(file((1013, 1), (12, 1))) == file((0, 0), (0, 0)))
    let text = #"<a exifEX:Pressure="1013/1" exifEX:WaterDepth="12/1" exifEX:Humidity="50/1"/>"#
    let left = String(decoding: removed(packet(text)) ?? [], as: UTF8.self)
    #expect(!left.contains("1013") && !left.contains("12/1") && left.contains("50/1"))
  }

  private func packet(_ text: String) -> [UInt8] {
    Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'>\(text)</x:xmpmeta>".utf8)
  }

  @Test(
    "R8, S56: Photoshop's layers in a TIFF go where a file within has metadata, and a tag of somebody's own with the place"
  )
  func tags() {
    func file(_ tag: UInt16, _ value: [UInt8]) -> [UInt8] {
      var tags = SmallTIFF.camera(width: 64, height: 48, orientation: 1)
      tags[tag] = .bytes(value)
      return SmallTIFF.file(tags)
    }
    let layers = Array("Adobe Photoshop Document Data Block\0MIB8ryaL".utf8) + filler
    #expect(removed(file(0x935C, layers))?.firstRange(of: layers) != nil)
    let placed = layers + preview
    #expect(removed(file(0x935C, placed)) == removed(file(0x935C, zeros(placed.count))))
    let own = filler + bytes(33.859817.bitPattern) + bytes(151.211111.bitPattern)
    #expect(removed(file(0xC7FF, own)) == removed(file(0xC7FF, zeros(own.count))))
    #expect(removed(file(0xC7FF, filler))?.firstRange(of: filler) != nil)
  }

  @Test(
    "R8, S56: a thumbnail of Photoshop's loses its own place; one that cannot be followed goes",
    arguments: [0x0409, 0x040C])
  func thumbnails(_ id: Int) throws {
    func big(_ number: Int, _ count: Int) -> [UInt8] { little(number, count).reversed() }
    func file(_ picture: [UInt8]) -> [UInt8] {
      let content = big(1, 4) + zeros(24) + picture
      let resource = [
        Array("8BIM".utf8), big(id, 2), [0, 0], big(content.count, 4), content, zeros(content.count % 2),
      ]
      var tags = SmallTIFF.camera(width: 64, height: 48, orientation: 1, gps: [:])
      tags[0x8649] = .bytes(Array(resource.joined()))
      return SmallTIFF.file(tags)
    }
    #expect(removed(file(preview)) == file(try #require(removed(preview))))
    // A segment of somebody's own, without any mark.
    func own(_ content: [UInt8]) -> [UInt8] {
      let segment = [
        [0xFF, 0xD8, 0xFF, 0xE7], big(content.count + 2, 2), content,
        [0xFF, 0xDA, 0, 4, 1, 2, 5, 0xFF, 0xD9],
      ]
      return Array(segment.joined())
    }
    #expect(removed(file(own(filler))) == file(own(zeros(filler.count))))
    for lost in [Array(preview.prefix(40)), own([1]) + Array("GPSLatitude".utf8)] {
      let left = try #require(removed(file(lost)))
      #expect(
        left.firstRange(of: Array("GPSLat".utf8)) == nil && left.firstRange(of: [0xFF, 0xD8, 0xFF]) == nil)
      #expect(left.count == file(lost).count)
    }
  }
}
