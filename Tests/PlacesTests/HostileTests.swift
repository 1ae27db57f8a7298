import Testing

@testable import Places

@Suite("Files that are made to confuse", .timeLimit(.minutes(30)))
struct HostileTests {
  private func big(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
  private func little(_ number: Int, _ count: Int) -> [UInt8] { big(number, count).reversed() }

  private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    big(8 + content.count, 4) + Array(type.utf8) + content
  }

  @Test("S56: a box of metadata that is shorter than its version", arguments: 0..<4)
  func shortMetadata(_ count: Int) {
    let meta = box("meta", [UInt8](repeating: 0, count: count))
    for content in [meta, box("moov", meta), box("moov", box("udta", meta))] {
      let bytes = box("ftyp", Array("mp42\0\0\0\0".utf8)) + content
      #expect(removed(bytes) == bytes)
    }
  }

  @Test("S56: a picture in boxes whose items have more parts than any has")
  func parts() {
    func picture(_ items: Int, _ parts: Int) -> [UInt8] {
      let entry = box("infe", [2, 0, 0, 0] + big(60_001, 2) + [0, 0] + Array("Exif\0".utf8))
      let information = box("iinf", [0, 0, 0, 0, 0, 1] + entry)
      // Neither where nor how long takes a byte, so that parts cost nothing to say.
      let start: [UInt8] = [0, 0, 0, 0, 0, 0]
      var list = start + big(items, 2)
      for item in 1...items { list += big(item, 2) + [0, 0] + big(parts, 2) }
      return box("ftyp", Array("heic\0\0\0\0".utf8))
        + box("meta", [0, 0, 0, 0] + information + box("iloc", list))
    }
    #expect(removed(picture(60_000, 65_535)) == nil)
  }

  @Test(
    "S56: XMP with what is no element and has elements in it, as a lost end makes it, is blanked whole",
    arguments: ["<?xpacket begin=''", "<!-- ", "<![CDATA[", "<?xpacket <?"])
  func swallowed(_ start: String) {
    let place = "<exif:GPSLatitude>33,51.5S</exif:GPSLatitude>"
    let ends = ["<?xpacket end='w'?>", "-->", "]]>"].joined()
    func file(_ text: String) -> [UInt8] {
      let content = Array("http://ns.adobe.com/xap/1.0/\0\(text)".utf8)
      return [0xFF, 0xD8, 0xFF, 0xE1] + big(content.count + 2, 2) + content + [0xFF, 0xD9]
    }
    #expect(
      removed(file(start + place + ends))
        == file(String(repeating: " ", count: (start + place + ends).utf8.count)))
    // What is none, and has none in it, stays.
    let kept = "<?xpacket begin=''?><!-- a remark --><a>b<![CDATA[c]]></a><?xpacket end='w'?>"
    #expect(removed(file(kept)) == file(kept))
  }

  @Test("S56: a file that leads to the same text again and again comes to an end")
  func again() {
    func picture(_ entries: Int) -> [UInt8] {
      let text = Array("<a>".utf8) + [UInt8](repeating: 0x62, count: 30_000) + Array("</a>".utf8)
      let start = 8 + 2 + 12 * entries + 4
      let entry = little(0x02BC, 2) + little(1, 2) + little(text.count, 4) + little(start, 4)
      return Array("II*\0".utf8) + little(8, 4) + little(entries, 2)
        + Array([[UInt8]](repeating: entry, count: entries).joined()) + [0, 0, 0, 0] + text
    }
    #expect(removed(picture(10)) == picture(10))
    #expect(removed(picture(1000)) == nil)
  }
}
