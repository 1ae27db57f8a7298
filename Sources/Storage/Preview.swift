/// A small picture: its bytes as they are handed out.
package struct Preview: Hashable, Sendable {
  /// What it is written as.
  package enum Encoding: UInt8, Hashable, Sendable {
    /// Where nothing shows through.
    case jpeg = 1
    /// Where something does.
    case webp = 2
    /// Every pixel as it is (ppm(5)), where that was asked for: never kept.
    case pixmap = 3

    /// The media type (RFC 2046, RFC 9649).
    package var mediaType: String {
      switch self {
      case .jpeg: "image/jpeg"
      case .webp: "image/webp"
      case .pixmap: "image/x-portable-pixmap"
      }
    }

    /// Whether bytes begin as those of this kind and size do; of a pixmap, whether they are as many as it has.
    package func matches(_ bytes: some Collection<UInt8>, width: Int, height: Int) -> Bool {
      switch self {
      case .jpeg: return bytes.starts(with: [0xFF, 0xD8, 0xFF])
      case .webp: return bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
      case .pixmap:
        let header = "P6\n\(width) \(height)\n255\n".utf8
        return bytes.starts(with: header) && bytes.count == header.count + width * height * 3
      }
    }
  }

  /// The picture.
  package let bytes: [UInt8]
  /// What it is written as.
  package let encoding: Encoding
  /// How wide it is.
  package let width: Int
  /// How high it is.
  package let height: Int

  /// The most bytes that one has.
  package static let mostBytes = 64 << 20
  /// The most pixels of a side that one is made with.
  package static let mostPixels = 4096

  /// Whether no side has more pixels than that.
  package func fits(_ pixels: Int) -> Bool { max(width, height) <= pixels }

  /// A picture that somebody made, of whom nothing is believed that can be checked.
  ///
  /// - Returns: nil where it cannot be what it is said to be.
  package init?(bytes: [UInt8], encoding: Encoding, width: Int, height: Int) {
    guard 1...Self.mostBytes ~= bytes.count, 1...Self.mostPixels ~= width, 1...Self.mostPixels ~= height,
      encoding.matches(bytes, width: width, height: height)
    else { return nil }
    self.bytes = bytes
    self.encoding = encoding
    self.width = width
    self.height = height
  }
}
