/// A photo with a caption in it: as the comment of a JPEG, or as the text of a PNG. The smallest edit that
/// makes another file, so that this example needs no library for pictures.
struct Sticker {
  /// What it is as a file.
  let bytes: [UInt8]

  /// Nil when the photo is neither a JPEG nor a PNG, or the caption does not fit.
  init?(of photo: [UInt8], caption: String) {
    let text = Array(caption.utf8)
    if photo.starts(with: [0xFF, 0xD8]), text.count <= 65533 {
      // ITU-T T.81, B.2.4.5: a comment segment, right after the start of the image.
      bytes = photo[..<2] + [0xFF, 0xFE] + (UInt16(text.count) + 2).bigEndianBytes + text + photo[2...]
    } else if photo.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), photo.count >= 33 {
      // PNG (third edition), 11.3.3.2: a tEXt chunk, right after the header's.
      let chunk = Array("tEXtComment".utf8) + [0] + text
      let length = UInt32(text.count + 8).bigEndianBytes
      bytes = photo[..<33] + length + chunk + crc32(chunk).bigEndianBytes + photo[33...]
    } else {
      return nil
    }
  }
}

/// PNG (third edition), annex D.
private func crc32(_ bytes: [UInt8]) -> UInt32 {
  ~bytes.reduce(~0) { crc, byte in
    (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }
}

extension FixedWidthInteger {
  fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
