/// ISO/IEC 15444-1: boxes (annex I), and the code stream (annex A).
extension StillPicture {
  /// Of boxes: the header's say the size, what colours are meant, and which component is none.
  init?(jpeg2000 file: UnsafeRawBufferPointer) {
    guard let header = ISOBox.all(in: file).first(where: { $0.type == "jp2h" }) else { return nil }
    let content = UnsafeRawBufferPointer(rebasing: file[header.content])
    let boxes = ISOBox.all(in: content).map { box in
      (type: box.type, content: UnsafeRawBufferPointer(rebasing: content[box.content]))
    }
    func first(_ type: String, _ least: Int) -> UnsafeRawBufferPointer? {
      boxes.first { $0.type == type && $0.content.count >= least }?.content
    }
    guard let size = first("ihdr", 14) else { return nil }
    self.init(
      width: Int(BigEndian.number(size, at: 4, count: 4)),
      height: Int(BigEndian.number(size, at: 0, count: 4)),
      content: file)
    if let colours = first("colr", 7) {
      switch colours[0] {
      // The number of a colour space: 12 is CMYK (ISO/IEC 15444-2).
      case 1: isOfInks = BigEndian.number(colours, at: 3, count: 4) == 12
      default:
        let profile = UnsafeRawBufferPointer(rebasing: colours[3...])
        self.profile = profile
        isOfInks = profile.dropFirst(16).starts(with: "CMYK".utf8)
      }
    }
    if let channels = first("cdef", 8) {
      // Each is a number, what it is, and of which colour: 1 and 2 are how little shows through.
      isTransparent = stride(from: 4, through: channels.count - 4, by: 6).contains {
        1...2 ~= BigEndian.number(channels, at: $0, count: 2)
      }
    }
  }

  /// Of a code stream alone: it does not say what its components are.
  init?(codeStream file: UnsafeRawBufferPointer) {
    guard file.count >= 24 else { return nil }
    // A grid, and where on it the picture begins.
    func number(_ offset: Int) -> Int { Int(BigEndian.number(file, at: offset, count: 4)) }
    self.init(width: number(8) - number(16), height: number(12) - number(20), content: file)
  }
}
