/// What chunks of a PNG tell beside libexiv2 (PNG specification, 3rd edition).
struct PNGChunks {
  /// Whether there are frames (`acTL`).
  private(set) var isAnimated = false
  /// What made it (`tEXt`, Software).
  private(set) var software: String?
  /// The picture's (`IHDR`).
  private(set) var size: (width: Int, height: Int)?

  /// Reads the chunks before the picture; those after it say nothing of this kind.
  init(_ bytes: UnsafeRawBufferPointer) {
    var offset = 8
    while bytes.count - offset >= 12 {
      let length = Int(BigEndian.number(bytes, at: offset, count: 4))
      guard length <= bytes.count - offset - 12 else { return }
      let content = bytes[offset + 8..<offset + 8 + length]
      switch String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self) {
      case "IHDR" where length >= 8:
        let content = offset + 8
        size = (
          Int(BigEndian.number(bytes, at: content, count: 4)),
          Int(BigEndian.number(bytes, at: content + 4, count: 4))
        )
      case "acTL": isAnimated = true
      case "tEXt" where content.starts(with: "Software\0".utf8):
        software = String(decoding: content.dropFirst(9).prefix(200), as: UTF8.self)
      case "IDAT": return
      default: break
      }
      offset += 12 + length
    }
  }
}
