/// Several JPEGs in one file with an index in the first (CIPA DC-007, Multi-Picture Format).
enum MultiPicture {
  /// Two in one.
  static func joined(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
    // Its own header, the index with its three entries, and two entries of sixteen bytes for pictures.
    let length = 8 + 2 + 3 * 12 + 4 + 32
    let segment = 2 + 2 + 4 + length
    // Where the second begins is counted from the header of the index, which comes after the first's first segment.
    let header = 2 + Int(first[4]) << 8 + Int(first[5]) + 2
    let place = first.count + segment - header - 8
    var index = Array("II*\0".utf8) + little(8, 4) + little(3, 2)
    index += little(0xB000, 2) + little(7, 2) + little(4, 4) + Array("0100".utf8)
    index += little(0xB001, 2) + little(4, 2) + little(1, 4) + little(2, 4)
    index += little(0xB002, 2) + little(7, 2) + little(32, 4) + little(50, 4) + little(0, 4)
    index += little(0x2003_0000, 4) + little(first.count + segment, 4) + little(0, 8)
    index += little(0, 4) + little(second.count, 4) + little(place, 4) + little(0, 4)
    let size = 2 + 4 + length
    let start: [UInt8] = [0xFF, 0xE2, UInt8(size >> 8), UInt8(size & 255)]
    return Array(first[..<header]) + start + Array("MPF\0".utf8) + index + Array(first[header...]) + second
  }

  private static func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
