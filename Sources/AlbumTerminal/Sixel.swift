/// Pictures in terminals that show sixels, as DEC's VT340 did (VT330/VT340 Programmer Reference Manual, chapter 14).
///
/// Colours are a cube with as many steps of red, green and blue as the terminal has registers for, and what lies between
/// two steps is mixed of both in a pattern (ordered dithering). No picture's colours are counted: the same for each.
struct Sixel {
  private let red: Int
  private let green: Int
  private let blue: Int

  /// - Parameter registers: how many colours the terminal has room for; nil where it does not say: 252, which all but
  ///   the oldest have.
  init(registers: Int?) {
    let count = registers ?? 252
    (red, green, blue) =
      count >= 252 ? (6, 7, 6) : count >= 125 ? (5, 5, 5) : count >= 64 ? (4, 4, 4) : (2, 4, 2)
  }

  /// The picture, from where the cursor stands: one sixel is one pixel.
  func encode(_ pixmap: Pixmap) -> [UInt8] {
    let colours = indices(pixmap)
    // No aspect, pixels that are not drawn stay; then what is drawn: pixels as wide as high, and its size.
    var out = Array("\u{1B}P0;1;0q\"1;1;\(pixmap.width);\(pixmap.height)".utf8)
    var used = [Bool](repeating: false, count: red * green * blue)
    for colour in colours { used[colour] = true }
    for colour in used.indices where used[colour] { out += definition(colour) }
    var bits = [UInt8](repeating: 0, count: used.count * pixmap.width)
    for top in stride(from: 0, to: pixmap.height, by: 6) {
      band(colours, pixmap, top, &bits, &out)
    }
    return out + Array("\u{1B}\\".utf8)
  }

  /// Six lines of pixels: each colour in them from the left anew.
  private func band(
    _ colours: [Int], _ pixmap: Pixmap, _ top: Int, _ bits: inout [UInt8], _ out: inout [UInt8]
  ) {
    let width = pixmap.width
    var isUsed = [Bool](repeating: false, count: bits.count / width)
    for line in 0..<min(6, pixmap.height - top) {
      for x in 0..<width {
        let colour = colours[(top + line) * width + x]
        isUsed[colour] = true
        bits[colour * width + x] |= 1 << UInt8(line)
      }
    }
    for colour in isUsed.indices where isUsed[colour] {
      out += Array("#\(colour)".utf8)
      let places = colour * width..<(colour + 1) * width
      Self.runs(bits[places], &out)
      out.append(UInt8(ascii: "$"))
      for place in places { bits[place] = 0 }
    }
    // Instead of the last return: a new line.
    out[out.count - 1] = UInt8(ascii: "-")
  }

  /// The same sixel several times over is `!`, how often, and the sixel.
  private static func runs(_ bits: ArraySlice<UInt8>, _ out: inout [UInt8]) {
    var rest = bits
    // What is empty at the end is left out.
    while rest.last == 0 { rest.removeLast() }
    while let first = rest.first {
      let length = rest.prefix { $0 == first }.count
      let character = first + 63
      if length > 3 {
        out += Array("!\(length)".utf8) + [character]
      } else {
        out += [UInt8](repeating: character, count: length)
      }
      rest = rest.dropFirst(length)
    }
  }

  /// Of each pixel, which colour stands for it.
  private func indices(_ pixmap: Pixmap) -> [Int] {
    var out: [Int] = []
    out.reserveCapacity(pixmap.width * pixmap.height)
    for y in 0..<pixmap.height {
      for x in 0..<pixmap.width {
        let place = (y * pixmap.width + x) * 3
        let threshold = Self.thresholds[(y & 3) * 4 + (x & 3)]
        let steps = (
          Self.step(pixmap.rgb[place], red, threshold), Self.step(pixmap.rgb[place + 1], green, threshold),
          Self.step(pixmap.rgb[place + 2], blue, threshold)
        )
        out.append((steps.0 * green + steps.1) * blue + steps.2)
      }
    }
    return out
  }

  /// The step beneath or above, by whether the pattern asks for less than what lies between.
  private static func step(_ value: UInt8, _ steps: Int, _ threshold: Int) -> Int {
    let scaled = Int(value) * (steps - 1)
    let (step, rest) = scaled.quotientAndRemainder(dividingBy: 255)
    return rest * 32 > threshold * 255 ? step + 1 : step
  }

  /// Bayer's pattern of four by four: odd thirty-seconds.
  private static let thresholds = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5].map { $0 * 2 + 1 }

  /// A colour as it is defined, in hundredths.
  private func definition(_ colour: Int) -> [UInt8] {
    func hundredths(_ step: Int, _ steps: Int) -> Int { step * 100 / (steps - 1) }
    let (reds, greens, blues) = (colour / (green * blue), colour / blue % green, colour % blue)
    return Array(
      "#\(colour);2;\(hundredths(reds, red));\(hundredths(greens, green));\(hundredths(blues, blue))".utf8)
  }
}
