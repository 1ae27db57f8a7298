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

  @Test(
    "S56: a text of XMP that says coordinates is one, whatever stands in it that is no element",
    arguments: [
      "<a><![CDATA[Latitude 51.5, Longitude -0.1]]></a>", "<a>Latitude 51.5<!-- x --></a>",
      "<a>GPS 51.5<b/></a>",
      "<a>Lati<?x?>Latitude 51.5</a>", "<a><b/>Latitude 51.5<!-- x --><b/></a>",
    ])
  func within(_ text: String) {
    let content = Array("http://ns.adobe.com/xap/1.0/\0\(text)".utf8)
    let file = [0xFF, 0xD8, 0xFF, 0xE1] + big(content.count + 2, 2) + content + [0xFF, 0xD9]
    let found = removed(file)
    #expect(found?.count == file.count)
    for word in ["Latitude", "51.5", "GPS"] { #expect(found?.firstRange(of: Array(word.utf8)) == nil) }
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

  @Test("S56: a marker that damage has made does not hide the next picture, however its length is read")
  func damagedScan() throws {
    let placed = Array("\u{0}\u{0}MM\0*".utf8)
    func picture(_ scan: [UInt8], _ more: [UInt8] = []) -> [UInt8] {
      var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDA, 0, 4, 1, 2]
      bytes += scan
      bytes += [0xFF, 0xD9]
      return bytes + more
    }
    var exif: [UInt8] = [0xFF, 0xE1, 0, 20]
    exif += Array("Exif".utf8)
    exif += placed
    exif += [0, 0, 0, 8, 0, 0, 0, 0]
    func between(_ content: [UInt8]) -> [UInt8] {
      var bytes: [UInt8] = [0xFF, 0xD8]
      bytes += content
      return bytes + [0xFF, 0xD9]
    }
    let next = between(exif)
    // Of no kind, and of tables: both reach over the end of their picture.
    for marker in [0x1A, 0x78, 0xF0, 0xC4, 0xDB] as [UInt8] {
      #expect(removed(picture([5, 6, 0xFF, marker, 0, 20, 7], next)) == nil)
    }
    // What has no mark, but may be a segment to who does not skip the length.
    var scan: [UInt8] = [5, 6, 0xFF, 0x1A, 0, 30, 7, 0xFF, 0xE1, 0, 9]
    scan += Array("FLIR\0".utf8)
    scan += [UInt8](repeating: 3, count: 30)
    #expect(removed(picture(scan)) == nil)
    var lost = exif
    lost[0] = 0xFE
    #expect(removed(between(lost)) == nil, "its own marker is lost")
    #expect(removed(picture([5, 6, 7])) == picture([5, 6, 7]))
  }

  @Test("S56: of a thermal camera's records those stay that it has measured", arguments: [true, false])
  func thermal(_ isBig: Bool) {
    func number(_ value: Int, _ count: Int) -> [UInt8] { isBig ? big(value, count) : little(value, count) }
    func block(_ records: [(type: Int, content: [UInt8])], _ count: Int? = nil) -> [UInt8] {
      let creator = Array("FLIR ResearchIR\0".utf8)
      var bytes = Array("FFF\0".utf8) + creator + number(101, 4) + number(64, 4)
      bytes += number(count ?? records.count, 4) + [UInt8](repeating: 0, count: 32)
      var start = 64 + 32 * records.count
      for record in records {
        bytes += number(record.type, 2) + number(2, 2) + number(100, 4) + number(1, 4) + number(start, 4)
        bytes += number(record.content.count, 4) + [UInt8](repeating: 0, count: 12)
        start += record.content.count
      }
      return bytes + records.flatMap(\.content)
    }
    func file(_ block: [UInt8]) -> [UInt8] {
      var bytes: [UInt8] = [0xFF, 0xD8]
      for (index, part) in [block.prefix(block.count / 2), block.dropFirst(block.count / 2)].enumerated() {
        bytes += [0xFF, 0xE1] + big(part.count + 10, 2)
        bytes += Array("FLIR\0".utf8) + [1, UInt8(index), 1] + part
      }
      return bytes + [0xFF, 0xD9]
    }
    let measured = [UInt8](repeating: 7, count: 500)
    let place: [UInt8] = Array("N\0E\0 48.16 11.57".utf8)
    let none = [UInt8](repeating: 0, count: place.count)
    let records: [(type: Int, content: [UInt8])] = [
      (0x01, measured), (0x2B, place), (0x20, measured), (0x23, place),
    ]
    let whole = file(block(records))
    #expect(removed(whole) == file(block([(0x01, measured), (0x2B, none), (0x20, measured), (0x23, none)])))
    // What no table is of, and a block that cannot be followed.
    #expect(removed(file(block(records) + place)) == removed(file(block(records) + none)))
    for hostile in [
      block(records, 100_000), Array("else".utf8) + block(records), Array(block(records).prefix(40)),
    ] {
      #expect(removed(file(hostile)) == file([UInt8](repeating: 0, count: hostile.count)))
    }
  }
}
