import Foundation
import PictureAPI
import TestSupport
import Testing

@testable import Places

@Suite("Parts of pictures that are somebody's own", .blocking)
struct UnknownPartTests {
  private static let credentials = Array(#"jumb {"exif:GPSLatitude": "33,51.5S"}"#.utf8)

  private func big(_ number: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(number >> ($0 * 8) & 255) } }

  @Test("S56: content credentials that say a place: of a PNG they go, with others they keep the file back")
  func contentCredentials() throws {
    let png = try PlacedCorpus.shared.get().bytes("all.png")
    let content = Array("caBX".utf8) + Self.credentials
    let chunk = big(Self.credentials.count) + content + CRC32.bytes(of: content)
    // Behind the header, which has 33 bytes with what is before it.
    let left = try #require(removed(Array(png[..<33]) + chunk + png[33...]))
    #expect(left.count == png.count + chunk.count)
    #expect(left.firstRange(of: Self.credentials) == nil && left.firstRange(of: Array("caBX".utf8)) == nil)
    var tags = SmallTIFF.camera(width: 64, height: 48, orientation: 1)
    tags[0xCD41] = .bytes(Self.credentials)
    #expect(removed(SmallTIFF.file(tags)) == nil)
    tags[0xCD41] = .bytes(Array("jumb nothing of that kind".utf8))
    #expect(removed(SmallTIFF.file(tags)) != nil)
  }

  @Test(
    "S56: what stands behind a picture that is nobody's film becomes zeros, marked or not",
    arguments: [0, 1, 2])
  func behind(_ kind: Int) throws {
    let city: [UInt8] = [0x1C, 2, 90, 0, 6] + Array("Sydney".utf8)
    let ends: [[UInt8]] = [Array("AXS!".utf8), Array("AXS*".utf8), [0xA1, 0xB2, 0xC3, 0xD4]]
    let filler = [UInt8](repeating: 0, count: kind == 2 ? 0 : 8)
    let jpeg = try PlacedCorpus.shared.get().bytes("plain.jpg")
    let more: [UInt8] = Array(ends[kind].prefix(2)) + city + ends[kind] + filler
    #expect(removed(jpeg + more) == jpeg + zeros(more.count))
    let note = Array(
      #"vivo{"city":"Sydney","at":"-33.86,151.21","words":"and more of that kind, to be long"}"#.utf8)
    #expect(removed(jpeg + note) == jpeg + zeros(note.count))
    // Of a TIFF nobody can tell where it ends.
    let tiff = SmallTIFF.file(SmallTIFF.camera(width: 64, height: 48, orientation: 1, gps: [:]))
    #expect(removed(tiff) == tiff && removed(tiff + more) == nil)
    let png = try PlacedCorpus.shared.get().bytes("plain.png")
    #expect(removed(png + note) == png + zeros(note.count))
  }

  @Test("S56: of IPTC's data sets the known ones stay, and what is sent with them where it has no metadata")
  func dataSets() throws {
    func set(_ record: UInt8, _ number: UInt8, _ text: String) -> [UInt8] {
      [0x1C, record, number, 0, UInt8(text.utf8.count)] + Array(text.utf8)
    }
    func file(_ sets: [[UInt8]]) -> [UInt8] {
      var tags = SmallTIFF.camera(width: 64, height: 48, orientation: 1, gps: [:])
      tags[0x83BB] = .bytes(Array(sets.joined()))
      return SmallTIFF.file(tags)
    }
    let blank = String(repeating: "\0", count: 6)
    let kept = [set(1, 0, "\0\u{4}"), set(2, 5, "a fine location"), set(2, 25, "word"), set(8, 10, "sent")]
    #expect(removed(file(kept)) == file(kept))
    // A city, its number damaged, its record damaged; a preview with Exif.
    for (bytes, left) in [
      (set(2, 90, "Sydney"), set(2, 254, blank)), (set(2, 77, "Sydney"), set(2, 77, blank)),
      (set(6, 90, "Sydney"), set(6, 90, blank)), (set(2, 202, "Exif\0 "), set(2, 254, blank)),
    ] { #expect(removed(file(kept + [bytes])) == file(kept + [left])) }
    // Data sets behind a resource that says that it has none.
    let resource: [UInt8] = Array("8BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, 0]
    var tags = SmallTIFF.camera(width: 64, height: 48, orientation: 1, gps: [:])
    tags[0x8649] = .bytes(resource + set(2, 90, "Sydney"))
    let behind = SmallTIFF.file(tags)
    tags[0x8649] = .bytes(resource + zeros(11))
    #expect(removed(behind) == SmallTIFF.file(tags))
    // What somebody has written goes where it says coordinates.
    let caption = "Latitude: 48.1607"
    let blanks = set(2, 120, String(repeating: " ", count: caption.utf8.count))
    #expect(removed(file(kept + [set(2, 120, caption)])) == file(kept + [blanks]))
  }

  @Test("S56: Samsung's blocks behind a picture stay, but for the country that a phone was in")
  func samsungBehind() throws {
    let jpeg = try PlacedCorpus.shared.get().bytes("plain.jpg")
    func blocks(_ text: String) -> [UInt8] {
      Array("\0\0\u{1}\u{A}Image_UTC_Data1714552215000\0\0\(text) SEFH and where each block is, SEFT".utf8)
    }
    #expect(removed(jpeg + blocks("none")) == jpeg + blocks("none"))
    #expect(removed(jpeg + blocks("MCC_Data262")) == jpeg + blocks("MCC_Data\0\0\0"))
    let marked = blocks("GPSLatitude")
    #expect(removed(jpeg + marked) == jpeg + zeros(marked.count))
  }

  private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  @Test("S56: the web's own names of places in XMP")
  func basicGeo() throws {
    let packet = Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><r:Description geo:lat="-33.86" geo:long="151.21" dc:title="kept">\
      <g:GeotatePOI>Opera|10|-33.86|151.21</g:GeotatePOI><d:GeologicalContextBed>33.86</d:GeologicalContextBed>\
      <tiff:ImageDescription>Latitude -33.86</tiff:ImageDescription><e:a e:note="GPS 151.21"/>\
      <dc:title><rdf:Alt><rdf:li>kept</rdf:li></rdf:Alt></dc:title></r:Description></x:xmpmeta>
      """.utf8)
    let text = String(decoding: try #require(removed(packet)), as: UTF8.self)
    #expect(!text.contains("33.86") && !text.contains("151.21"))
    #expect(text.contains("<rdf:Alt><rdf:li>kept") && text.contains(#"dc:title="kept""#))
  }

  @Test("S56: others' names of places in XMP, of cells of a network, and pictures as text that have Exif")
  func vocabularies() throws {
    let picture = Data([0xFF, 0xD8, 0xFF, 0xE1, 0, 40] + Array("Exif\0\0MM\0* and a place".utf8))
      .base64EncodedString()
    let plain = Data([0xFF, 0xD8, 0xFF, 0xDB] + Array("only pixels".utf8)).base64EncodedString()
    for said in [
      #"cell:cellid="4711" cell:r="9" dc:title="kept""#, #"dc:coverage="Sydney" dc:title="kept""#,
      #"prl:geography="Sydney" dc:title="kept""#, #"dwc:locality="Sydney" dc:title="kept""#,
      #"georss:point="-33.86 151.21" dc:title="kept""#, #"GImage:Data="\#(picture)" dc:title="kept""#,
      #"GCamera:HdrPlusMakernote="SERSUA" dc:title="kept""#,
    ] {
      let text = #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><r:Description \#(said)/></x:xmpmeta>"#
      let left = String(decoding: try #require(removed(Array(text.utf8))), as: UTF8.self)
      #expect(
        left.filter { $0 != " " }
          == #"<x:xmpmetaxmlns:x="adobe:ns:meta/"><r:Descriptiondc:title="kept"/></x:xmpmeta>"#)
    }
    func thumbnails(_ text: String) -> [UInt8] {
      Array("<x:xmpmeta><g:width>8</g:width><g:image>\(text)</g:image></x:xmpmeta>".utf8)
    }
    let left = String(decoding: try #require(removed(thumbnails(picture))), as: UTF8.self)
    #expect(left.filter { $0 != " " } == "<x:xmpmeta><g:width>8</g:width></x:xmpmeta>")
    #expect(removed(thumbnails(plain)) == thumbnails(plain))
  }

  /// A file with a note in it: `note` is told where in the file it stands.
  private func file(by make: String = "Maker", _ note: (Int) -> [UInt8]) throws -> [UInt8] {
    func file(_ note: [UInt8]) -> [UInt8] {
      var tags = SmallTIFF.camera(
        width: 64, height: 48, orientation: 1, exif: [0x927C: .bytes(note), 0x9003: .text("kept")], gps: [:])
      tags[0x010F] = .text(make)
      return SmallTIFF.file(tags)
    }
    let place = try #require(file(note(0)).firstRange(of: note(0)))
    return file(note(place.lowerBound))
  }

  private func directory(_ tags: [(UInt8, UInt8)], at place: Int, value: [UInt8]) -> [UInt8] {
    func little(_ number: Int) -> [UInt8] { big(number).reversed() }
    let start = place + 2 + 12 * tags.count + 4
    var bytes: [UInt8] = [UInt8(tags.count), 0]
    for (index, (tag, type)) in tags.enumerated() {
      bytes += [tag, 0, type, 0] + little(value.count) + little(start + value.count * index)
    }
    return bytes + [0, 0, 0, 0] + [[UInt8]](repeating: value, count: tags.count).joined()
  }

  private static let city = Array("Sydney\0\0".utf8)

  @Test(
    "S56: Panasonic's names of places in its notes become none; a note that was moved keeps the file back")
  func panasonic() throws {
    let start = Array("Panasonic\0\0\0".utf8)
    let tags: [(UInt8, UInt8)] = [(0x65, 7), (0x67, 7), (0x69, 7), (0x6D, 7)]
    let whole = try file { place in start + directory(tags, at: place + start.count, value: Self.city) }
    let left = try #require(removed(whole))
    #expect(left.count == whole.count)
    // What is no place stays: the title, which comes first.
    let kept = try #require(left.firstRange(of: Self.city))
    #expect(left.firstRange(of: Self.city, from: kept.upperBound) == nil)
    #expect(removed(left) == left)
    let moved = try file { place in start + directory(tags, at: place - 90, value: Self.city) }
    #expect(removed(moved) == nil)
    let empty = try file { place in
      start + directory(tags, at: place + start.count, value: Array("---\0\0\0\0\0".utf8))
    }
    #expect(removed(empty) == empty)
  }

  @Test("S56: so does Nikon's, whose notes count from their own header")
  func nikon() throws {
    let header = Array("Nikon\0".utf8) + [2, 0x10, 0, 0] + Array("II*\0".utf8) + [8, 0, 0, 0]
    let whole = try file { _ in header + directory([(0x39, 7)], at: 8, value: Self.city) }
    let left = try #require(removed(whole))
    #expect(left.count == whole.count && left.firstRange(of: Self.city) == nil)
  }

  @Test("S56: Nikon's barometer, Casio's and Pentax's cities of the clock, Canon's and Samsung's")
  func clocks() throws {
    let nikon = Array("Nikon\0".utf8) + [2, 0x10, 0, 0] + Array("II*\0".utf8) + [8, 0, 0, 0]
    let pentax = Array("AOC\0II".utf8)
    func short(_ tags: [UInt8]) -> [UInt8] {
      var bytes: [UInt8] = [UInt8(tags.count), 0]
      for tag in tags { bytes += [tag, 0, 3, 0, 1, 0, 0, 0, 0x1E, 0, 0, 0] }
      return bytes + [0, 0, 0, 0]
    }
    // A version, four bytes; a name that counts from the note's start, or from the file's.
    func samsung(_ base: Int) -> [UInt8] {
      var bytes: [UInt8] = [2, 0, 1, 0, 7, 0, 4, 0, 0, 0]
      bytes += Array("0100".utf8)
      bytes += [0x30, 0, 7, 0]
      bytes += little(Self.city.count)
      bytes += little(base + 2 + 24 + 4)
      return bytes + [0, 0, 0, 0] + Self.city
    }
    func casio(at place: Int) -> [UInt8] {
      var bytes = Array("QVC\0\0\0".utf8)
      bytes += [1, 0, 0x06, 0x30, 2, 0]
      bytes += little(8)
      bytes += little(place + 24)
      return bytes + [0, 0, 0, 0] + Self.city
    }
    var clock = little(16)
    clock += little(60) + little(24) + little(0)
    let notes: [(Int) -> [UInt8]] = [
      { _ in nikon + self.directory([(0xC3, 7)], at: 8, value: Self.city) }, { casio(at: $0) },
      { _ in samsung(0) },
      { samsung($0) },
    ]
    for note in notes {
      let whole = try file(by: "SAMSUNG", note)
      let left = try #require(removed(whole))
      #expect(whole.firstRange(of: Self.city) != nil && left.firstRange(of: Self.city) == nil)
      #expect(left.count == whole.count && removed(left) == left)
    }
    let canon = try file(by: "Canon") { place in
      directory([(0x35, 9)], at: place, value: clock).replacingCount(with: 4)
    }
    let dated = try #require(removed(canon))
    // A program has moved the note, so that its clock lies elsewhere.
    let moved = try file(by: "Canon") { place in
      directory([(0x35, 9)], at: place - 4, value: clock).replacingCount(with: 4)
    }
    #expect(removed(moved) == nil)
    clock.replaceSubrange(8..<12, with: little(0))
    #expect(dated.firstRange(of: clock) != nil)
    // What Nikon Capture has put into a note, outside of it.
    let captured = try file { _ in
      nikon + [1, 0, 1, 0x0E, 7, 0] + little(11) + little(26) + little(0) + [0x1C, 2, 90, 0, 6] + Self.city
    }
    #expect(try #require(removed(captured)).firstRange(of: Self.city) == nil)
    // Letters in the entry itself, of Pentax's first.
    let letters = try file(by: "Asahi Optical Co.,Ltd") { _ in
      [2, 0, 0, 0x10, 7, 0] + little(4) + Array("LON ".utf8) + [1, 0x10, 7, 0] + little(4)
        + Array("NYC ".utf8)
        + little(0)
    }
    let unlettered = try #require(removed(letters))
    #expect(unlettered.firstRange(of: Array("LON ".utf8)) == nil)
    #expect(unlettered.firstRange(of: Array("NYC ".utf8)) == nil)
    let coded = try #require(removed(try file { _ in pentax + short([0x22, 0x23, 0x24]) }))
    let kept = try #require(coded.firstRange(of: pentax))
    #expect(coded[kept.upperBound...].count { $0 == 0x1E } == 1, "whether it was home or away is no place")
  }

  private func little(_ number: Int) -> [UInt8] { big(number).reversed() }

  @Test(
    "S56: of a DNG the whole file that it was made of goes, and a camera's note; so do coordinates in texts"
  )
  func converted() throws {
    let own = Array("Adobe\0MakN and Panasonic's city".utf8)
    for (tag, value) in [
      (0xC68C, own), (0xC634, own), (0x9286, Array("ASCII\0\0\0GPSLatitude: -33.86".utf8)),
      (0x0402, Array("-33.86,151.21".utf8)),
    ] as [(UInt16, [UInt8])] {
      var tags = SmallTIFF.camera(width: 64, height: 48, orientation: 1, gps: [:])
      tags[tag] = .bytes(value)
      let whole = SmallTIFF.file(tags)
      let left = try #require(removed(whole))
      #expect(left.firstRange(of: value) == nil && left.count == whole.count)
      tags[tag] = .bytes(zeros(value.count))
      #expect(left == SmallTIFF.file(tags))
    }
    var tags = SmallTIFF.camera(width: 64, height: 48, orientation: 1, gps: [:])
    tags[0x9286] = .text("a fine location")
    #expect(removed(SmallTIFF.file(tags)) == SmallTIFF.file(tags))
  }
}

extension [UInt8] {
  /// The count of the first entry of a directory that begins here.
  fileprivate func replacingCount(with count: UInt8) -> [UInt8] {
    var copy = self
    copy[6] = count
    return copy
  }
}
