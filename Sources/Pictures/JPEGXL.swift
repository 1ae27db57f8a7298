/// What the header of a JPEG XL file says (ISO/IEC 18181-1, 18181-2). libvips counts its reader of it among those that are
/// not safe with anybody's bytes, and the header is a few bits.
struct JPEGXL {
  /// As stored.
  let width, height: Int
  /// As Exif counts: 1 is upright.
  let orientation: Int
  /// Whether it has frames.
  let isAnimated: Bool
  /// Its metadata, as ranges of the file.
  var exif: Range<Int>?
  var xmp: Range<Int>?

  /// Reads a bare codestream, or boxes around one.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 2 else { return nil }
    if bytes[0] == 0xFF {
      self.init(codestream: bytes[...])
      return
    }
    var start: Range<Int>?
    var exif: Range<Int>?
    var xmp: Range<Int>?
    for box in ISOBox.all(in: bytes) {
      switch box.type {
      case "jxlc": start = start ?? box.content
      // The number of the part comes first.
      case "jxlp" where box.content.count > 4: start = start ?? box.content.dropFirst(4)
      // How many bytes there are before the TIFF header.
      case "Exif" where box.content.count > 4:
        let skipped = Int(BigEndian.number(bytes, at: box.content.lowerBound, count: 4))
        exif = skipped <= box.content.count - 4 ? box.content.dropFirst(4 + skipped) : nil
      case "xml ": xmp = box.content
      default: break
      }
    }
    guard let start else { return nil }
    self.init(codestream: bytes[start])
    self.exif = exif
    self.xmp = xmp
  }

  private init?(codestream: Slice<UnsafeRawBufferPointer>) {
    var reader = BitReader(codestream)
    guard reader.take(16) == 0x0AFF else { return nil }
    // SizeHeader.
    let isSmall = reader.take(1) == 1
    func side() -> Int { isSmall ? (reader.take(5) + 1) * 8 : reader.number([9, 13, 18, 30]) + 1 }
    height = side()
    let ratio = reader.take(3)
    width =
      if let (across, down) = Self.ratios[ratio] { height * across / down } else { side() }
    // ImageMetadata, as far as it is asked for.
    var orientation = 1
    var isAnimated = false
    if reader.take(1) == 0, reader.take(1) == 1 {
      orientation = reader.take(3) + 1
      // The intrinsic size, which nobody shows.
      if reader.take(1) == 1 { reader.skipSize() }
      // The preview's.
      if reader.take(1) == 1 { return nil }
      isAnimated = reader.take(1) == 1
    }
    guard !reader.isBeyondEnd else { return nil }
    self.orientation = orientation
    self.isAnimated = isAnimated
  }

  private static let ratios: [Int: (Int, Int)] = [
    1: (1, 1), 2: (12, 10), 3: (4, 3), 4: (3, 2), 5: (16, 9), 6: (5, 4), 7: (2, 1),
  ]
}

/// Bits from the lowest of each byte on.
private struct BitReader {
  private let bytes: Slice<UnsafeRawBufferPointer>
  private var place = 0
  private(set) var isBeyondEnd = false

  init(_ bytes: Slice<UnsafeRawBufferPointer>) {
    self.bytes = bytes
  }

  /// The next bits; zeros beyond the end.
  mutating func take(_ count: Int) -> Int {
    var value = 0
    for bit in 0..<count {
      guard place / 8 < bytes.count else {
        isBeyondEnd = true
        return value
      }
      value |= Int(bytes[bytes.startIndex + place / 8] >> UInt8(place % 8) & 1) << bit
      place += 1
    }
    return value
  }

  /// A number of as many bits as the next two say.
  mutating func number(_ widths: [Int]) -> Int { take(widths[take(2)]) }

  /// A SizeHeader that nobody asks for.
  mutating func skipSize() {
    let isSmall = take(1) == 1
    _ = isSmall ? take(5) : number([9, 13, 18, 30])
    if take(3) == 0 { _ = isSmall ? take(5) : number([9, 13, 18, 30]) }
  }
}
