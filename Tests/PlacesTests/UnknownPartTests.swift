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

  @Test("S56: IPTC's data behind a picture, which no mark shows, keeps the file back", arguments: [0, 1, 2])
  func behind(_ kind: Int) throws {
    let city: [UInt8] = [0x1C, 2, 90, 0, 6] + Array("Sydney".utf8)
    let ends: [[UInt8]] = [Array("AXS!".utf8), Array("AXS*".utf8), [0xA1, 0xB2, 0xC3, 0xD4]]
    let filler = [UInt8](repeating: 0, count: kind == 2 ? 0 : 8)
    let jpeg = try PlacedCorpus.shared.get().bytes("plain.jpg")
    #expect(removed(jpeg + ends[kind].prefix(2) + city + ends[kind] + filler) == nil)
  }

  @Test("S56: the web's own names of places in XMP")
  func basicGeo() throws {
    let packet = Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><r:Description geo:lat="-33.86" geo:long="151.21" dc:title="kept">\
      <dc:title><rdf:Alt><rdf:li>kept</rdf:li></rdf:Alt></dc:title></r:Description></x:xmpmeta>
      """.utf8)
    let text = String(decoding: try #require(removed(packet)), as: UTF8.self)
    #expect(!text.contains("33.86") && !text.contains("151.21"))
    #expect(text.contains("<rdf:Alt><rdf:li>kept") && text.contains(#"dc:title="kept""#))
  }

  /// A file with a note in it: `note` is told where in the file it stands.
  private func file(_ note: (Int) -> [UInt8]) throws -> [UInt8] {
    func file(_ note: [UInt8]) -> [UInt8] {
      SmallTIFF.file(
        SmallTIFF.camera(
          width: 64, height: 48, orientation: 1, exif: [0x927C: .bytes(note), 0x9003: .text("kept")], gps: [:]
        ))
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
}
