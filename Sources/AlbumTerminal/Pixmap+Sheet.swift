extension Pixmap {
  /// Between the pictures of a sheet, in pixels.
  private static let gap = 8
  /// What is behind them, and where one is missing: a grey of the middle, as behind what shows through.
  private static let ground: UInt8 = 128

  /// Pictures beside and beneath one another, in their order, none larger than the others' places; one alone is itself.
  ///
  /// - Parameter pictures: nil for what has none, whose place stays empty.
  /// - Returns: nil where there is no picture at all.
  package static func sheet(_ pictures: [Pixmap?]) -> Pixmap? {
    guard pictures.contains(where: { $0 != nil }) else { return nil }
    if pictures.count == 1 { return pictures[0] }
    let columns = (1...pictures.count).first { $0 * $0 >= pictures.count } ?? 1
    let rows = (pictures.count + columns - 1) / columns
    let side = (mostPixels - gap * (columns - 1)) / columns
    let fitted = pictures.map { $0?.fitted(width: side, height: side) }
    let (width, height) = (columns * (side + gap) - gap, rows * (side + gap) - gap)
    var rgb = [UInt8](repeating: ground, count: width * height * 3)
    for case (let index, let picture?) in fitted.enumerated() {
      let left = index % columns * (side + gap) + (side - picture.width) / 2
      let top = index / columns * (side + gap) + (side - picture.height) / 2
      for line in 0..<picture.height {
        let from = line * picture.width * 3
        let to = ((top + line) * width + left) * 3
        rgb.replaceSubrange(to..<to + picture.width * 3, with: picture.rgb[from..<from + picture.width * 3])
      }
    }
    return Pixmap(width: width, height: height, rgb: rgb)
  }
}
