/// Pictures of Photoshop's, by hand: of one colour, packed row by row, with whatever is around them.
struct SmallPSD {
  var width = 64
  var height = 48
  var depth = 8
  /// 0 of black and white, 1 grey, 3 RGB.
  var mode = 3
  var channels: [UInt8] = [200, 60, 40]
  /// How many layers; less than none where the last channel is how little shows through.
  var layers = 0
  /// Which colours are meant.
  var profile: [UInt8] = []

  func file() -> [UInt8] {
    let row = mode == 0 ? (width + 7) / 8 : width
    func packed(_ value: UInt8) -> [UInt8] {
      stride(from: 0, to: row, by: 128).flatMap {
        [UInt8(truncatingIfNeeded: 1 - min(128, row - $0)), value]
      }
    }
    let rows = channels.map(packed)
    let counts = rows.flatMap { row in (0..<height).flatMap { _ in big(row.count, 2) } }
    let pixels = rows.flatMap { row in (0..<height).flatMap { _ in row } }
    let mark = Array("8BIM".utf8)
    // Something with a name before it.
    let other: [UInt8] = mark + big(1005, 2) + [3] + Array("abc".utf8) + big(1, 4) + [7, 0]
    let resources: [UInt8] = other + mark + big(1039, 2) + [0, 0] + big(profile.count, 4) + profile
    let header: [UInt8] = Array("8BPS".utf8) + big(1, 2) + big(0, 6) + big(channels.count, 2)
    let picture: [UInt8] = big(height, 4) + big(width, 4) + big(depth, 2) + big(mode, 2)
    let count: [UInt8] = big(4, 4) + big(layers, 2) + [0, 0]
    let sections: [[UInt8]] = [[], resources, count]
    let before: [UInt8] = header + picture + sections.flatMap { big($0.count, 4) + $0 }
    return before + big(1, 2) + counts + pixels
  }
}

/// Bitmaps of one colour with four bytes a pixel.
struct SmallBitmap {
  var width = 64
  /// Less than none from top to bottom.
  var height = 48
  /// How long the header is: 40 or 124.
  var header = 124
  /// Blue, green, red, and what is behind them.
  var pixel: [UInt8] = [40, 60, 200, 1]
  /// Whether the fourth byte has a mask, and so is how little shows through.
  var isTransparent = false
  /// Which colours are meant.
  var profile: [UInt8] = []

  func file() -> [UInt8] {
    let pixels = (0..<width * abs(height)).flatMap { _ in pixel }
    var info =
      little(header) + little(width) + little(height) + [1, 0, 32, 0] + little(isTransparent ? 3 : 0)
    info += [UInt8](repeating: 0, count: 20)
    if header == 124 {
      info += little(0xFF0000) + little(0xFF00) + little(0xFF) + little(isTransparent ? 0xFF00_0000 : 0)
      info += profile.isEmpty ? little(0x7352_4742) : little(0x4D42_4544)
      info += [UInt8](repeating: 0, count: 112 - info.count)
      info += little(124 + pixels.count) + little(profile.count) + little(0)
    }
    let start = 14 + info.count
    let count = start + pixels.count + profile.count
    let file: [UInt8] = Array("BM".utf8) + little(count) + little(0) + little(start)
    return file + info + pixels + profile
  }

  private func little(_ number: Int) -> [UInt8] { big(number, 4).reversed() }
}

/// A code stream of JPEG 2000 in boxes of its own.
enum SmallJP2 {
  static func file(_ stream: [UInt8], _ width: Int, _ height: Int, components: Int, _ boxes: [UInt8]...)
    -> [UInt8]
  {
    let size: [UInt8] = big(height, 4) + big(width, 4) + big(components, 2) + [7, 7, 0, 0]
    let brand = Array("jp2 ".utf8)
    let parts: [[UInt8]] = [
      box("jP  ", [0x0D, 0x0A, 0x87, 0x0A]), box("ftyp", brand + big(0, 4) + brand),
      box("jp2h", box("ihdr", size) + boxes.flatMap { $0 }), box("jp2c", stream),
    ]
    return parts.flatMap { $0 }
  }

  /// Colours by a number: 16 is sRGB, 12 inks.
  static func colours(_ number: Int) -> [UInt8] { box("colr", [1, 0, 0] + big(number, 4)) }

  static func colours(_ profile: [UInt8]) -> [UInt8] { box("colr", [2, 0, 0] + profile) }

  /// The last of so many components is how little shows through.
  static func transparent(_ components: Int) -> [UInt8] {
    let channels = (0..<components).flatMap { number -> [UInt8] in
      let isLast = number == components - 1
      return big(number, 2) + big(isLast ? 1 : 0, 2) + big(isLast ? 0 : number + 1, 2)
    }
    return box("cdef", big(components, 2) + channels)
  }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    big(8 + content.count, 4) + Array(type.utf8) + content
  }
}

/// A number in so many bytes, the highest first.
private func big(_ number: Int, _ count: Int) -> [UInt8] {
  (0..<count).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> ($0 * 8)) : 0 }
}
