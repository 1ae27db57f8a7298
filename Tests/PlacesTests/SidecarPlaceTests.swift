import PictureAPI
import Testing

@testable import Places

@Suite("S79: sidecars without the place")
struct SidecarPlaceTests {
  private static let inner = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
    <r:Description exif:GPSLatitude="33,51S" xmp:Rating="5"><photoshop:City>Sydney</photoshop:City>\
    </r:Description></r:RDF></x:xmpmeta>
    """

  @Test(
    "S79: a packet of XMP, bare or in a document, with or without a mark of its encoding",
    arguments: [
      "", "<?xpacket begin=\"\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n",
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- exiftool -->\n",
    ], ["", "\u{FEFF}"])
  func packets(start: String, mark: String) throws {
    let packet = Array((mark + start + Self.inner).utf8)
    let left = try #require(removed(packet))
    let text = String(decoding: left, as: UTF8.self)
    #expect(left.count == packet.count && text.contains(#"xmp:Rating="5""#))
    for word in ["GPS", "33,51", "City", "Sydney"] { #expect(!text.contains(word), "\(word)") }
  }

  @Test(
    "S79: what is no packet is refused: property lists, other documents, other encodings, and nothing at all",
    arguments: [
      "<?xml version=\"1.0\"?><!DOCTYPE plist><plist><key>latitude</key></plist>", "<svg/>", "",
      " <x:xmpmeta/>",
      "<?xml version=\"1.0\"?>" + String(repeating: " ", count: 1024) + "<x:xmpmeta/>",
    ])
  func others(text: String) {
    #expect(removed(Array(text.utf8)) == nil)
    #expect(removed(Array(Self.inner.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })) == nil)
  }
}
