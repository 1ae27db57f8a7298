/// A small JPEG that says where it was taken.
enum PlacedPhoto {
  /// 33° 51' S, in Exif: of a header, a directory that points at the place, and the place.
  static func jpeg(_ mark: String = "", latitude: UInt8 = 33) -> [UInt8] {
    func two(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      two(tag) + two(type) + two(count) + [0, 0] + value
    }
    let header: [UInt8] = Array("II*\0".utf8) + [8, 0, 0, 0]
    let first = two(1) + entry(0x8825, 4, 1, [26, 0, 0, 0]) + [0, 0, 0, 0]
    let place =
      two(2) + entry(1, 2, 2, Array("S".utf8) + [0, 0, 0]) + entry(2, 5, 3, [56, 0, 0, 0]) + [0, 0, 0, 0]
    let degrees: [UInt8] = [latitude, 0, 0, 0, 1, 0, 0, 0, 51, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]
    let exif = Array("Exif\0\0".utf8) + header + first + place + degrees
    let plain = Photo.jpeg(mark)
    return Array(plain.prefix(2)) + [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + plain.dropFirst(2)
  }

  /// Where the place is in it: the degrees.
  static let degrees = 2 + 4 + 6 + 56..<2 + 4 + 6 + 56 + 24

  /// Whether bytes still say it.
  static func saysPlace(_ bytes: [UInt8]) -> Bool {
    bytes.count < degrees.upperBound || bytes[degrees].contains { $0 != 0 }
  }
}
