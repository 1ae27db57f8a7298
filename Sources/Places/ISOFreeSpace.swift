internal import PictureAPI

/// Boxes of a film that others pass over: free space, in which dash cameras write where they were, and programs leave
/// what was there before; and boxes that nobody knows.
struct ISOFreeSpace {
  /// So much free space of a file is looked through.
  static let most = 64 << 20
  /// As much at once.
  private static let piece = 1 << 20

  /// How much more may be looked through.
  private var rest = Self.most

  /// What is no mark anywhere else: too short for what has its own meaning, in which it would be found by chance.
  private static let marks = ["GPS", "gps", "GNRMC", "@xyz", "GPMF", "gpmf"].map { Array($0.utf8) }
  /// The longest unknown box.
  private static let longestUnknown = 32 << 20

  static func isMarked(_ bytes: [UInt8]) -> Bool {
    Marks.isThere(in: bytes) || marks.contains { bytes.firstRange(of: $0) != nil }
  }

  /// Refuses a box that nobody knows and that is marked, or is called like a place.
  ///
  /// - Parameter isOfFilm: it stands in a film, where boxes are short.
  static func refuse(_ box: ISOPlaces.Box, in view: SourceView, isOfFilm: Bool) throws(Untraceable) {
    guard !box.type.lowercased().hasPrefix("gps"), box.whole.count <= longestUnknown else {
      throw Untraceable()
    }
    let bytes = try view.bytes(box.whole.lowerBound + 4..<box.whole.upperBound)
    if isOfFilm ? isMarked(bytes) : Marks.isThere(in: bytes) { throw Untraceable() }
  }

  /// Empties free space with a mark in it. It keeps its place, and means nothing.
  mutating func empty(
    _ box: ISOPlaces.Box, in view: SourceView, _ found: inout FoundPlaces
  ) throws(Untraceable) {
    guard box.content.count <= rest else { throw Untraceable() }
    rest -= box.content.count
    var at = box.content.lowerBound
    while at < box.content.upperBound {
      // A mark may lie on the border of two pieces.
      let start = max(box.content.lowerBound, at - 16)
      let end = min(box.content.upperBound, at + Self.piece)
      let bytes = try view.bytes(start..<end)
      if !bytes.isZero, Self.isMarked(bytes) { return try found.add(box.content, of: view, .zeros) }
      at = end
    }
  }
}
