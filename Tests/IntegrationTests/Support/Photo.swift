/// Small files that are what they are called.
enum Photo {
  /// A whole JPEG file of one grey pixel's header and a mark that tells it from others.
  static func jpeg(_ mark: String = "") -> [UInt8] {
    let comment = Array(mark.utf8)
    let length = comment.count + 2
    return [0xFF, 0xD8, 0xFF, 0xFE, UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)] + comment + [0xFF, 0xD9]
  }

  /// The beginning of an MP4 file.
  static let mp4: [UInt8] =
    [0, 0, 0, 0x18] + Array("ftypisom".utf8) + [0, 0, 2, 0] + Array("isommp42".utf8)
}
