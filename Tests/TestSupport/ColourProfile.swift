/// An ICC profile of version 2 of a few tags (ICC.1:2001-04), as displays and cameras have them.
package enum ColourProfile {
  /// Display P3's primaries, with a gamma of 2.2.
  package static let displayP3 = make(
    "RGB ",
    [
      ("rXYZ", xyz(0.51512, 0.2412, -0.00105)), ("gXYZ", xyz(0.29198, 0.69225, 0.04189)),
      ("bXYZ", xyz(0.1571, 0.06657, 0.78407)), ("rTRC", gamma(2.2)), ("gTRC", gamma(2.2)),
      ("bTRC", gamma(2.2)),
    ])

  /// Grey whose numbers are light.
  package static let linearGrey = make("GRAY", [("kTRC", gamma(1))])

  private static func make(_ space: String, _ own: [(String, [UInt8])]) -> [UInt8] {
    let name = Array("test\0".utf8)
    let tags =
      [
        ("desc", Array("desc\0\0\0\0".utf8) + big(name.count) + name + [UInt8](repeating: 0, count: 79)),
        ("cprt", Array("text\0\0\0\0none\0".utf8)), ("wtpt", xyz(0.9642, 1, 0.8249)),
      ] + own
    let start = 128 + 4 + 12 * tags.count
    var (table, content) = (big(tags.count), [UInt8]())
    for (tag, value) in tags {
      table += Array(tag.utf8) + big(start + content.count) + big(value.count)
      content += value + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
    }
    var header = big(start + content.count) + Array("test".utf8) + [2, 0x40, 0, 0]
    header += Array("mntr\(space)XYZ ".utf8) + [7, 0xE4, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0] + Array("acsp".utf8)
    header += [UInt8](repeating: 0, count: 68 - header.count) + xyz(0.9642, 1, 0.8249).dropFirst(8)
    return header + [UInt8](repeating: 0, count: 128 - header.count) + table + content
  }

  private static func xyz(_ values: Double...) -> [UInt8] {
    Array("XYZ \0\0\0\0".utf8) + values.flatMap { big(Int(($0 * 65_536).rounded())) }
  }

  private static func gamma(_ value: Double) -> [UInt8] {
    let number = Int(value * 256)
    return Array("curv\0\0\0\0".utf8) + big(1) + [UInt8(number >> 8), UInt8(number & 255)]
  }

  private static func big(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: Int32(number).bigEndian) { Array($0) }
  }
}
