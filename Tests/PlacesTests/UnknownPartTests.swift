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
}
