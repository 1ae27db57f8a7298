/// Fujifilm's RAW: a header with places of its parts, of which one is a JPEG that has the metadata, and one a list that has
/// the size.
///
/// Source: what libexiv2 and exiftool read; Fujifilm has published nothing.
struct FujifilmRaw {
  /// The JPEG within it.
  let jpeg: UnsafeRawBufferPointer
  /// The picture's, without the border of the sensor.
  let size: (width: Int, height: Int)?

  /// Nil where the JPEG is not where the header says.
  init?(_ bytes: UnsafeRawBufferPointer) {
    func part(at offset: Int) -> UnsafeRawBufferPointer? {
      guard bytes.count >= offset + 8 else { return nil }
      let start = Int(BigEndian.number(bytes, at: offset, count: 4))
      let count = Int(BigEndian.number(bytes, at: offset + 4, count: 4))
      guard start <= bytes.count, count <= bytes.count - start else { return nil }
      return UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
    }
    guard let jpeg = part(at: 84), !jpeg.isEmpty else { return nil }
    self.jpeg = jpeg
    size = part(at: 92).flatMap { Self.size(in: $0) }
  }

  /// Of a list of tags, each with its length: 0x0111 is the height and the width.
  private static func size(in list: UnsafeRawBufferPointer) -> (width: Int, height: Int)? {
    var offset = 4
    while list.count - offset >= 8 {
      let tag = BigEndian.number(list, at: offset, count: 2)
      if tag == 0x0111 {
        let height = Int(BigEndian.number(list, at: offset + 4, count: 2))
        let width = Int(BigEndian.number(list, at: offset + 6, count: 2))
        return width > 0 && height > 0 ? (width, height) : nil
      }
      offset += 4 + Int(BigEndian.number(list, at: offset + 2, count: 2))
    }
    return nil
  }
}
