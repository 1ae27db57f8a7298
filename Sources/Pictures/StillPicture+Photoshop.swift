/// Adobe Photoshop File Formats Specification: a header, then colours, resources, layers, and all layers as one picture.
extension StillPicture {
  /// Of which the decoder is given all but resources and layers: they may be longer than everything else.
  init?(photoshop file: UnsafeRawBufferPointer) {
    guard file.count >= Self.header else { return nil }
    func number(_ offset: Int, _ count: Int) -> Int { Int(BigEndian.number(file, at: offset, count: count)) }
    self.init(width: number(18, 4), height: number(14, 4), content: file)
    // The large kind, which libavcodec does not know, has longer lengths.
    let isLarge = number(4, 2) == 2
    guard !isLarge, let colours = Self.section(file, at: Self.header),
      let resources = Self.section(file, at: colours.upperBound),
      let layers = Self.section(file, at: resources.upperBound)
    else { return }
    profile = Self.resource(1039, in: UnsafeRawBufferPointer(rebasing: file[resources]))
    // How many layers: less than none, if the first channel behind the colours is how little shows through.
    isTransparent = layers.count >= 6 && number(layers.lowerBound + 4, 2) >= 0x8000
    front = Array(file[..<colours.upperBound]) + [UInt8](repeating: 0, count: 8)
    content = UnsafeRawBufferPointer(rebasing: file[layers.upperBound...])
  }

  private static let header = 26

  /// What stands behind its length.
  private static func section(_ file: UnsafeRawBufferPointer, at offset: Int) -> Range<Int>? {
    guard file.count - offset >= 4 else { return nil }
    let length = Int(BigEndian.number(file, at: offset, count: 4))
    guard length <= file.count - offset - 4 else { return nil }
    return offset + 4..<offset + 4 + length
  }

  /// Each has a signature, a number, a name and content; the last two begin with their lengths, and end evenly.
  private static func resource(_ wanted: Int, in all: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    var offset = 0
    while all.count - offset >= 12 {
      let found = Int(BigEndian.number(all, at: offset + 4, count: 2))
      let name = (Int(all[offset + 6]) + 2) / 2 * 2
      guard let content = section(all, at: offset + 6 + name) else { return nil }
      if found == wanted { return UnsafeRawBufferPointer(rebasing: all[content]) }
      offset = (content.upperBound + 1) / 2 * 2
    }
    return nil
  }
}
