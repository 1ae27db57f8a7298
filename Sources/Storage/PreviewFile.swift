/// A preview as it is kept: a tag that only who has the key can have made, then what it belongs to, and the picture.
enum PreviewFile {
  private static let magic = Array("albumd\u{1}p".utf8)
  private static let keyLength = 64
  /// Magic, tag, encoding, width, height, key.
  static let headerLength = 8 + 8 + 4 + 4 + 4 + keyLength

  /// What is written.
  static func encode(_ preview: Preview, of key: PreviewKey, secret: (UInt64, UInt64)) -> [UInt8] {
    var body: [UInt8] = []
    body.reserveCapacity(headerLength + preview.bytes.count)
    for number in [UInt32(preview.encoding.rawValue), UInt32(preview.width), UInt32(preview.height)] {
      body += bytes(of: UInt64(number), 4)
    }
    body += key.bytes
    body += preview.bytes
    let tag = body.withUnsafeBytes { SipHash.tag(of: $0, key: secret) }
    return magic + bytes(of: tag, 8) + body
  }

  /// What was written; nil where it was not so, or not for this key, or has changed since.
  static func decode(_ file: [UInt8], of key: PreviewKey, secret: (UInt64, UInt64)) -> Preview? {
    guard file.count > headerLength, file.starts(with: magic) else { return nil }
    return file.withUnsafeBytes { file in
      let tag = number(file, at: 8, 8)
      let body = UnsafeRawBufferPointer(rebasing: file[16...])
      guard SipHash.tag(of: body, key: secret) == tag, body[12..<12 + keyLength].elementsEqual(key.bytes),
        let encoding = UInt8(exactly: number(body, at: 0, 4)).flatMap(Preview.Encoding.init)
      else { return nil }
      return Preview(
        bytes: Array(body[(12 + keyLength)...]), encoding: encoding,
        width: Int(number(body, at: 4, 4)), height: Int(number(body, at: 8, 4)))
    }
  }

  /// How it is called: nobody without the key can tell of which file it is.
  static func name(of key: PreviewKey, secret: (UInt64, UInt64)) -> String {
    let halves: [UInt64] = [0, 1].map { half in
      (key.bytes + [UInt8(half)]).withUnsafeBytes { SipHash.tag(of: $0, key: secret) }
    }
    let digits = Array("0123456789abcdef".utf8)
    let name = halves.flatMap { bytes(of: $0, 8) }.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: name, as: UTF8.self)
  }

  private static func bytes(of number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, at offset: Int, _ count: Int) -> UInt64 {
    (0..<count).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
  }
}
