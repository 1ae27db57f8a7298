/// Bitmaps of Windows and OS/2 (BITMAPFILEHEADER, BITMAPCOREHEADER, BITMAPINFOHEADER, BITMAPV4HEADER, BITMAPV5HEADER).
extension StillPicture {
  private static let fileHeader = 14
  private static let coreHeader = 12

  /// Of a file: its own header, then that of the bits.
  init?(bitmap file: UnsafeRawBufferPointer) {
    guard file.count > Self.fileHeader else { return nil }
    self.init(file, header: UnsafeRawBufferPointer(rebasing: file[Self.fileHeader...]))
  }

  /// Of bits with their header alone: the decoder is given the other, which says where the bits begin.
  init?(bareBitmap file: UnsafeRawBufferPointer) {
    self.init(file, header: file)
    let header = Self.number(file, at: 0, count: 4)
    let (depth, coding) = (Self.number(file, at: 14, count: 2), Self.number(file, at: 16, count: 4))
    let colours = Self.number(file, at: 32, count: 4)
    // Three masks of sixteen and thirty-two bits stand behind the shortest header, and then the colours.
    let masks = header == 40 && coding == 3 ? 12 : 0
    let palette = colours == 0 && depth <= 8 ? 1 << depth : colours
    let start = Self.fileHeader + header + masks + palette * 4
    func little(_ number: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    front = Array("BM".utf8) + little(file.count + Self.fileHeader) + little(0) + little(start)
  }

  private init?(_ content: UnsafeRawBufferPointer, header: UnsafeRawBufferPointer) {
    guard header.count >= Self.coreHeader else { return nil }
    let length = Self.number(header, at: 0, count: 4)
    guard length != Self.coreHeader else {
      self.init(
        width: Self.number(header, at: 4, count: 2), height: Self.number(header, at: 6, count: 2),
        content: content)
      return
    }
    guard length >= 40, header.count >= length else { return nil }
    // From top to bottom, if the height is negative.
    let height = Int32(truncatingIfNeeded: Self.number(header, at: 8, count: 4))
    let width = Int32(truncatingIfNeeded: Self.number(header, at: 4, count: 4))
    self.init(width: Int(width), height: Int(height.magnitude), content: content)
    // Without a mask of its own what is behind three colours means nothing.
    let hasMasks = [3, 6].contains(Self.number(header, at: 16, count: 4))
    isTransparent = length >= 56 && length != 64 && hasMasks && Self.number(header, at: 52, count: 4) != 0
    guard length >= 124, Self.number(header, at: 56, count: 4) == Self.embedded else { return }
    let (start, count) = (Self.number(header, at: 112, count: 4), Self.number(header, at: 116, count: 4))
    guard start <= header.count, count <= header.count - start else { return }
    profile = UnsafeRawBufferPointer(rebasing: header[start..<start + count])
  }

  /// PROFILE_EMBEDDED.
  private static let embedded = 0x4D42_4544

  /// A number whose first byte is the lowest; 0 where it is not there.
  private static func number(_ bytes: UnsafeRawBufferPointer, at offset: Int, count: Int) -> Int {
    guard bytes.count - offset >= count else { return 0 }
    return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
