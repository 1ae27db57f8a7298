import Testing

@testable import Places

@Suite("Items of pictures in boxes, and chunks, that are somebody's own (S56)")
struct PicturePartTests {
  private func big(_ number: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).reversed().map { UInt8(number >> ($0 * 8) & 255) }
  }

  private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    big(8 + content.count) + Array(type.utf8) + content
  }

  /// A picture with an item of a type, and with more beside it.
  private func picture(_ type: String, _ content: [UInt8], beside more: [UInt8] = []) -> [UInt8] {
    var entry: [UInt8] = [2, 0, 0, 0, 0, 1, 0, 0]
    entry += Array(type.utf8)
    var location: [UInt8] = [1, 0, 0, 0, 0x44, 0, 0, 1]
    // The item: of the box's own data, in one piece.
    location += [0, 1, 0, 1, 0, 0, 0, 1]
    location += big(0) + big(content.count)
    var meta: [UInt8] = [0, 0, 0, 0]
    meta += box("iinf", [0, 0, 0, 0, 0, 1] + box("infe", entry))
    meta += box("iloc", location)
    meta += box("idat", content)
    meta += more
    return box("ftyp", Array("heic\0\0\0\0".utf8)) + box("meta", meta)
  }

  @Test(
    "S56: what is no picture goes where it has a mark",
    arguments: ["uri \0tag:maker,2024:settings\0", "mime\0application/json\0", "abcd\0"])
  func items(_ type: String) {
    let place = Array(#"{"GPSLatitude":48.16}"#.utf8)
    let none = [UInt8](repeating: 0, count: place.count)
    #expect(removed(picture(type, place)) == picture(type, none))
    let words = Array("settings".utf8)
    #expect(removed(picture(type, words)) == picture(type, words))
  }

  @Test("S56: pictures are not searched, and what is packed keeps the file back")
  func others() {
    let place = Array("GPSLatitude".utf8)
    for type in ["hvc1\0", "av01\0", "grid\0"] {
      #expect(removed(picture(type, place)) == picture(type, place))
    }
    #expect(removed(picture("mime\0application/json\0deflate\0", place)) == nil)
  }

  @Test("S56: Samsung's box stays, but for the country that a phone was in")
  func samsung() {
    func file(_ country: String) -> [UInt8] {
      picture("hvc1\0", [1, 2, 3])
        + box("sefd", Array("Image_UTC_Data1714552215000MCC_Data\(country)SEFH".utf8))
    }
    #expect(removed(file("262")) == file("\0\0\0"))
    #expect(removed(file("")) == file(""))
  }

  @Test("S56: properties that say where a picture lies on earth, or have a mark, are none")
  func properties() {
    func file(_ properties: [UInt8]) -> [UInt8] {
      picture("hvc1\0", [1, 2, 3], beside: box("iprp", box("ipco", properties) + box("ipma", big(0))))
    }
    let size = box("ispe", big(0) + big(64) + big(48))
    #expect(removed(file(size)) == file(size))
    for property in [
      box("mcrs", [1, 2, 3, 4]), box("tiep", [5, 6, 7]), box("udes", Array("at Latitude 48.16".utf8)),
    ] {
      let none = box("free", [UInt8](repeating: 0, count: property.count - 8))
      #expect(removed(file(size + property)) == file(size + none))
    }
  }

  @Test("S56: chunks of PNG and WebP that nobody knows become none, and those of how it is shown stay")
  func chunks() {
    func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
      let bytes = Array(type.utf8) + content
      return big(content.count) + bytes + CRC32.bytes(of: bytes)
    }
    func png(_ chunks: [UInt8]) -> [UInt8] {
      var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      bytes += chunk("IHDR", big(1) + big(1) + [8, 0, 0, 0, 0])
      return bytes + chunks + chunk("IEND", [])
    }
    let city = Array("S\0y\0d\0n\0e\0y\0".utf8)
    let none = [UInt8](repeating: 0, count: city.count)
    for type in ["meTa", "prVW", "abCd"] {
      #expect(removed(png(chunk(type, city))) == png(chunk("frEe", none)))
      #expect(removed(png(chunk(type, none))) == png(chunk(type, none)))
    }
    for type in ["gAMA", "acTL", "iDOT", "npTc", "tIME"] {
      #expect(removed(png(chunk(type, city))) == png(chunk(type, city)))
    }
    func webp(_ type: String, _ content: [UInt8]) -> [UInt8] {
      let chunk = Array(type.utf8) + big(content.count).reversed() + content
      let all = Array("WEBP".utf8) + chunk
      return Array("RIFF".utf8) + big(all.count).reversed() + all
    }
    #expect(removed(webp("CITY", city)) == webp("CITY", none))
    #expect(removed(webp("VP8L", city)) == webp("VP8L", city))
    // A frame has sixteen bytes of its own, and chunks.
    func frame(_ type: String, _ content: [UInt8]) -> [UInt8] {
      webp("ANMF", Array(0..<16) + Array(type.utf8) + big(content.count).reversed() + content)
    }
    #expect(removed(frame("CITY", city)) == frame("CITY", none))
    #expect(removed(frame("VP8L", city)) == frame("VP8L", city))
    let place = Array(#"<a><b exif:GPSLatitude="48.16"/></a>"#.utf8)
    let blanked = Array("<a><b \(String(repeating: " ", count: 24))/></a>".utf8)
    #expect(removed(frame("XMP ", place)) == frame("XMP ", blanked))
  }
}
