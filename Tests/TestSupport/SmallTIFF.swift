/// A TIFF file of a few tags, without a picture: what TIFF-like RAW files are to whoever reads only metadata.
package struct SmallTIFF {
  /// A value of a tag (TIFF 6.0).
  package enum Value {
    case bytes([UInt8]), text(String), shorts([UInt16]), long(UInt32), fractions([(UInt32, UInt32)])
    indirect case directory([UInt16: Value])
  }

  /// The tags of a picture that was taken at a time and a place.
  package static func camera(
    width: UInt32, height: UInt32, orientation: UInt16, photometric: UInt16? = 32803,
    exif: [UInt16: Value] = Self.exif, gps: [UInt16: Value] = Self.gps
  ) -> [UInt16: Value] {
    var tags: [UInt16: Value] = [
      0x0100: .long(width), 0x0101: .long(height), 0x0102: .shorts([16]), 0x010F: .text("Maker"),
      0x0112: .shorts([orientation]), 0x8769: .directory(exif),
    ]
    if !gps.isEmpty { tags[0x8825] = .directory(gps) }
    if let photometric { tags[0x0106] = .shorts([photometric]) }
    return tags
  }

  package static let exif: [UInt16: Value] = [
    0x9003: .text("2024:05:01 12:30:15"), 0x9011: .text("+02:00"), 0x9291: .text("250"),
    0xA002: .long(640), 0xA003: .long(480),
  ]
  package static let gps: [UInt16: Value] = [
    0: .bytes([2, 3, 0, 0]), 1: .text("S"), 2: .fractions([(33, 1), (51, 1), (3534, 100)]), 3: .text("E"),
    4: .fractions([(151, 1), (12, 1), (400, 10)]), 5: .bytes([0]), 6: .fractions([(58, 1)]),
  ]

  /// The file.
  ///
  /// - Parameter header: its first four bytes, which tell the maker's format, and what comes after the eighth.
  package static func file(_ tags: [UInt16: Value], magic: String = "II*\0", then extra: [UInt8] = [])
    -> [UInt8]
  {
    var bytes = Array(magic.utf8) + little(UInt32(8 + extra.count)) + extra
    append(tags, to: &bytes)
    return bytes
  }

  /// The directory goes to the end, with what does not fit into it after it.
  private static func append(_ tags: [UInt16: Value], to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes += [UInt8](repeating: 0, count: 2 + 12 * tags.count + 4)
    var entries = little(UInt16(tags.count))
    for (tag, value) in tags.sorted(by: { $0.key < $1.key }) {
      let (type, count, own) = encoded(value)
      var content = own
      if case .directory(let inner) = value {
        content = little(UInt32(bytes.count))
        append(inner, to: &bytes)
      } else if content.count > 4 {
        let place = UInt32(bytes.count)
        bytes += content + (content.count % 2 == 1 ? [0] : [])
        content = little(place)
      }
      entries += little(tag)
      entries += little(type)
      entries += little(count)
      entries += (content + [0, 0, 0, 0]).prefix(4)
    }
    bytes.replaceSubrange(start..<start + entries.count, with: entries)
  }

  private static func encoded(_ value: Value) -> (type: UInt16, count: UInt32, content: [UInt8]) {
    switch value {
    case .bytes(let bytes): (1, UInt32(bytes.count), bytes)
    case .text(let text): (2, UInt32(text.utf8.count + 1), Array(text.utf8) + [0])
    case .shorts(let numbers): (3, UInt32(numbers.count), numbers.flatMap(little))
    case .long(let number): (4, 1, little(number))
    case .fractions(let fractions):
      (5, UInt32(fractions.count), fractions.flatMap { little($0) + little($1) })
    case .directory: (4, 1, [])
    }
  }

  private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}

/// Boxes of ISO/IEC 14496-12.
package enum SmallBox {
  package static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    withUnsafeBytes(of: UInt32(8 + content.count).bigEndian) { Array($0) } + Array(type.utf8) + content
  }

  /// Canon's RAW of the third kind: metadata in TIFF files of their own, in a box of Canon's.
  package static func cr3(
    width: UInt32, height: UInt32, orientation: UInt16, exif: [UInt16: SmallTIFF.Value] = SmallTIFF.exif,
    gps: [UInt16: SmallTIFF.Value] = SmallTIFF.gps
  ) -> [UInt8] {
    let canon: [UInt8] = [
      0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
    ]
    let picture: [UInt16: SmallTIFF.Value] = [
      0x0100: .long(width), 0x0101: .long(height), 0x0112: .shorts([orientation]),
    ]
    let place = gps.isEmpty ? [] : box("CMT4", SmallTIFF.file(gps))
    let parts = box("CMT1", SmallTIFF.file(picture)) + box("CMT2", SmallTIFF.file(exif)) + place
    return box("ftyp", Array("crx \0\0\0\u{1}crx isom".utf8)) + box("moov", box("uuid", canon + parts))
  }
}

/// Fujifilm's RAW: a header, and a JPEG that has the metadata.
package enum SmallRAF {
  package static func file(jpeg: [UInt8], width: Int = 640, height: Int = 480) -> [UInt8] {
    func big(_ number: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) } }
    var header = Array("FUJIFILMCCD-RAW 0201FF383501X-T1".utf8)
    header += [UInt8](repeating: 0, count: 84 - header.count)
    // One tag: the height and the width.
    let list: [UInt8] =
      [0, 0, 0, 1, 0x01, 0x11, 0, 4] + [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    header += big(160) + big(jpeg.count) + big(148) + big(list.count)
    return header + [UInt8](repeating: 0, count: 148 - header.count) + list + jpeg
  }
}
