/// A small picture, pixel by pixel: what a terminal is sent.
package struct Pixmap: Hashable, Sendable {
  /// How wide it is.
  package let width: Int
  /// How high it is.
  package let height: Int
  /// Red, green and blue of each pixel (sRGB), a byte each, line by line from the top.
  package let rgb: [UInt8]

  /// The most pixels of a side.
  package static let mostPixels = 512
  /// The most bytes of a file that is one: the header and three bytes for each pixel.
  package static let mostBytes = "P6\n512 512\n255\n".utf8.count + mostPixels * mostPixels * 3

  /// Pixels that somebody has counted.
  init(width: Int, height: Int, rgb: [UInt8]) {
    self.width = width
    self.height = height
    self.rgb = rgb
  }

  /// A binary PPM (ppm(5)) as `io.albumd.Library.OpenPreview` writes it: no comments, one separator each, a byte for each
  /// colour, nothing behind it.
  ///
  /// - Returns: nil where it is anything else, or larger than ``mostPixels``.
  package init?(ppm bytes: [UInt8]) {
    guard bytes.count <= Self.mostBytes, bytes.starts(with: "P6\n".utf8) else { return nil }
    var rest = bytes[3...]
    guard let width = Self.number(&rest, endedBy: UInt8(ascii: " ")),
      let height = Self.number(&rest, endedBy: UInt8(ascii: "\n")), rest.starts(with: "255\n".utf8)
    else { return nil }
    rest = rest.dropFirst(4)
    guard rest.count == width * height * 3 else { return nil }
    self.init(width: width, height: height, rgb: Array(rest))
  }

  /// The number of a side, in one to three digits of which the first is not 0.
  private static func number(_ rest: inout ArraySlice<UInt8>, endedBy end: UInt8) -> Int? {
    var number = 0
    for _ in 0..<4 {
      guard let byte = rest.popFirst() else { return nil }
      if byte == end { return 1...mostPixels ~= number ? number : nil }
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte, number > 0 || byte != UInt8(ascii: "0") else {
        return nil
      }
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return nil
  }

  /// The whole of it on so many pixels at most, each the mean of those it stands for; never enlarged.
  func fitted(width most: Int, height mostHigh: Int) -> Pixmap {
    let (most, mostHigh) = (max(1, most), max(1, mostHigh))
    guard width > most || height > mostHigh else { return self }
    // The side that is too long by more.
    let isWide = width * mostHigh >= height * most
    let new =
      isWide
      ? (width: most, height: max(1, height * most / width))
      : (width: max(1, width * mostHigh / height), height: mostHigh)
    var out: [UInt8] = []
    out.reserveCapacity(new.width * new.height * 3)
    for y in 0..<new.height {
      let rows = y * height / new.height..<max(y * height / new.height + 1, (y + 1) * height / new.height)
      for x in 0..<new.width {
        let columns = x * width / new.width..<max(x * width / new.width + 1, (x + 1) * width / new.width)
        out += mean(columns, rows)
      }
    }
    return Pixmap(width: new.width, height: new.height, rgb: out)
  }

  private func mean(_ columns: Range<Int>, _ rows: Range<Int>) -> [UInt8] {
    var (red, green, blue) = (0, 0, 0)
    for row in rows {
      for column in columns {
        let place = (row * width + column) * 3
        red += Int(rgb[place])
        green += Int(rgb[place + 1])
        blue += Int(rgb[place + 2])
      }
    }
    let count = columns.count * rows.count
    return [UInt8(red / count), UInt8(green / count), UInt8(blue / count)]
  }
}
