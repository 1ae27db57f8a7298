internal import PictureAPI

/// Records of a thermal camera (FLIR's FFF), which stand in a JPEG: what was measured stays, and all others become zeros, as that of
/// the place.
///
/// Source: what exiftool reads; their maker has published nothing.
enum ThermalRecords {
  /// The sensor's numbers and how they become colours, pictures, the camera, spots that were measured, where one lies in the other.
  private static let kept: Set = [0x01, 0x05, 0x06, 0x0E, 0x20, 0x21, 0x22, 0x2A]
  /// More entries than any has.
  private static let most = 1024
  private static let (header, entry) = (64, 32)

  static func find(in view: SourceView, _ found: inout FoundPlaces) throws(Untraceable) {
    if view.count == 0 { return }
    let name = try view.start(4)
    guard view.count >= header, name.elementsEqual("FFF\0".utf8) || name.elementsEqual("AFF\0".utf8) else {
      return try found.empty(view)
    }
    // The version is about a hundred.
    let isBig = (100..<200).contains(try view.number(at: 0x14, 4))
    let table = try view.number(at: 0x18, 4, isBig: isBig)
    let count = try view.number(at: 0x1C, 4, isBig: isBig)
    guard count <= most, table >= header, table + count * entry <= view.count else {
      return try found.empty(view)
    }
    var stays = [0..<header, table..<table + count * entry]
    for index in 0..<count {
      let at = table + index * entry
      let type = try view.number(at: at, 2, isBig: isBig)
      let start = try view.number(at: at + 0x0C, 4, isBig: isBig)
      let length = try view.number(at: at + 0x10, 4, isBig: isBig)
      let range = (start..<start + length).clamped(to: 0..<view.count)
      let content = try view[range].bytes()
      if kept.contains(type), !Marks.isThere(in: content) {
        stays.append(range)
      } else {
        try found.empty(view[range])
      }
    }
    var end = 0
    for range in stays.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound > end { try found.empty(view[end..<range.lowerBound]) }
      end = max(end, range.upperBound)
    }
    try found.empty(view.from(end))
  }
}
