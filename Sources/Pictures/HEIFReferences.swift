/// Pictures in boxes of phones that are newer than libheif, as it can read them.
enum HEIFReferences {
  /// The same picture, without what is beside more than one picture (ISO/IEC 23008-12, `auxl`): a gain map belongs to the picture
  /// and to what is derived from both (`tmap`), and libheif before 1.18 refuses whatever is beside two.
  ///
  /// Only the name of such references is another one, which stands for nothing: everything else is where it was.
  ///
  /// - Returns: nil where there is none.
  static func withoutShared(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    var names: [Int] = []
    guard let meta = ISOBox.all(in: bytes).first(where: { $0.type == "meta" }) else { return nil }
    for box in boxes(in: bytes, meta.content.dropFirst(4)) where box.type == "iref" && !box.content.isEmpty {
      // Items have numbers of two bytes, or of four.
      let width = bytes[box.content.lowerBound] == 0 ? 2 : 4
      for reference in boxes(in: bytes, box.content.dropFirst(4))
      where reference.type == "auxl" && reference.content.count >= width + 2 {
        if BigEndian.number(bytes, at: reference.content.lowerBound + width, count: 2) > 1 {
          names.append(reference.content.lowerBound - 4)
        }
      }
    }
    guard !names.isEmpty else { return nil }
    var copy = [UInt8](bytes)
    for name in names where copy[name..<name + 4].elementsEqual("auxl".utf8) {
      copy.replaceSubrange(name..<name + 4, with: "none".utf8)
    }
    return copy
  }

  private static func boxes(in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> [ISOBox] {
    var boxes: [ISOBox] = []
    var at = range.lowerBound
    while boxes.count < 65_536, let box = ISOBox(in: bytes, at: at, end: range.upperBound) {
      boxes.append(box)
      at = box.content.upperBound
    }
    return boxes
  }
}
