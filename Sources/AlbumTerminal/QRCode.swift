/// A QR code (ISO/IEC 18004) of a text, for a terminal: what a phone reads from the screen.
///
/// Byte mode, error correction level L, versions 1 to 10: 271 bytes at most, which is more than any link of ours.
package struct QRCode: Hashable, Sendable {
  /// Modules on a side.
  package private(set) var size: Int
  private var dark: [Bool]
  private var isFixed: [Bool]

  /// Nil for a text that is too long.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let version = (1...10).first(where: { bytes.count <= Blocks(version: $0).capacity }) else {
      return nil
    }
    size = 17 + 4 * version
    dark = Array(repeating: false, count: size * size)
    isFixed = dark
    drawPatterns(version)
    draw(Blocks(version: version).codewords(of: bytes))
    // Any mask makes a code that can be read; the best one is read best.
    let masked = (0..<8).map { mask -> QRCode in
      var code = self
      code.apply(mask)
      code.drawFormat(mask)
      return code
    }
    self = masked.min { $0.penalty < $1.penalty } ?? self
  }

  /// Whether a module is dark.
  package subscript(x: Int, y: Int) -> Bool {
    x >= 0 && y >= 0 && x < size && y < size && dark[y * size + x]
  }

  /// Lines for a terminal, two rows of modules in each, light ones drawn: as most terminals are dark, and with colours of
  /// its own where `isColoured`.
  package func lines(isColoured: Bool) -> [String] {
    stride(from: -2, to: size + 2, by: 2).map { y in
      var line = isColoured ? "\u{1B}[30;107m" : ""
      for x in -2..<(size + 2) {
        // What is drawn: dark modules in black on white, or light ones in whatever the terminal writes with.
        switch (self[x, y] == isColoured, self[x, y + 1] == isColoured) {
        case (true, true): line += "█"
        case (true, false): line += "▀"
        case (false, true): line += "▄"
        case (false, false): line += " "
        }
      }
      return line + (isColoured ? "\u{1B}[0m" : "")
    }
  }

  // MARK: Drawing

  private mutating func fix(_ x: Int, _ y: Int, _ isDark: Bool) {
    guard x >= 0, y >= 0, x < size, y < size else { return }
    dark[y * size + x] = isDark
    isFixed[y * size + x] = true
  }

  private mutating func drawPatterns(_ version: Int) {
    for index in 0..<size {
      fix(6, index, index % 2 == 0)
      fix(index, 6, index % 2 == 0)
    }
    for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] {
      for dy in -4...4 {
        for dx in -4...4 {
          let ring = max(abs(dx), abs(dy))
          fix(x + dx, y + dy, ring != 2 && ring != 4)
        }
      }
    }
    let centers = version == 1 ? [] : version < 7 ? [6, size - 7] : [6, (size - 1) / 2, size - 7]
    for x in centers {
      for y in centers where !((x == 6 && y == 6) || (x == 6 && y == size - 7) || (x == size - 7 && y == 6)) {
        for dy in -2...2 { for dx in -2...2 { fix(x + dx, y + dy, max(abs(dx), abs(dy)) != 1) } }
      }
    }
    drawFormat(0)
    guard version >= 7 else { return }
    var rest = version
    for _ in 0..<12 { rest = (rest << 1) ^ ((rest >> 11) * 0x1F25) }
    let bits = version << 12 | rest
    for index in 0..<18 {
      let isDark = bits >> index & 1 == 1
      fix(size - 11 + index % 3, index / 3, isDark)
      fix(index / 3, size - 11 + index % 3, isDark)
    }
  }

  private mutating func drawFormat(_ mask: Int) {
    // Level L is 01.
    let data = 1 << 3 | mask
    var rest = data
    for _ in 0..<10 { rest = (rest << 1) ^ ((rest >> 9) * 0x537) }
    let bits = (data << 10 | rest) ^ 0x5412
    func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
    for index in 0...5 { fix(8, index, bit(index)) }
    fix(8, 7, bit(6))
    fix(8, 8, bit(7))
    fix(7, 8, bit(8))
    for index in 9..<15 { fix(14 - index, 8, bit(index)) }
    for index in 0..<8 { fix(size - 1 - index, 8, bit(index)) }
    for index in 8..<15 { fix(8, size - 15 + index, bit(index)) }
    fix(8, size - 8, true)
  }

  /// In columns of two, from the lower right, up and down in turn.
  private mutating func draw(_ bytes: [UInt8]) {
    var index = 0
    var right = size - 1
    var isUp = true
    while right >= 1 {
      if right == 6 { right = 5 }
      for step in 0..<size {
        let y = isUp ? size - 1 - step : step
        for x in [right, right - 1] where !isFixed[y * size + x] && index < bytes.count * 8 {
          dark[y * size + x] = bytes[index >> 3] >> (7 - UInt8(index & 7)) & 1 == 1
          index += 1
        }
      }
      isUp.toggle()
      right -= 2
    }
  }

  private mutating func apply(_ mask: Int) {
    for y in 0..<size {
      for x in 0..<size where !isFixed[y * size + x] && Self.isMasked(mask, x, y) {
        dark[y * size + x].toggle()
      }
    }
  }

  private static func isMasked(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
    switch mask {
    case 0: (x + y) % 2 == 0
    case 1: y % 2 == 0
    case 2: x % 3 == 0
    case 3: (x + y) % 3 == 0
    case 4: (x / 3 + y / 2) % 2 == 0
    case 5: x * y % 2 + x * y % 3 == 0
    case 6: (x * y % 2 + x * y % 3) % 2 == 0
    default: ((x + y) % 2 + x * y % 3) % 2 == 0
    }
  }

  /// Long runs and squares of one colour, which readers stumble over.
  private var penalty: Int {
    var sum = 0
    for line in 0..<size {
      for isRow in [true, false] {
        var run = 0
        var last = false
        for index in 0..<size {
          let module = isRow ? self[index, line] : self[line, index]
          run = module == last ? run + 1 : 1
          last = module
          if run == 5 { sum += 3 } else if run > 5 { sum += 1 }
        }
      }
    }
    for y in 0..<(size - 1) {
      for x in 0..<(size - 1) {
        let module = self[x, y]
        if self[x + 1, y] == module, self[x, y + 1] == module, self[x + 1, y + 1] == module { sum += 3 }
      }
    }
    let share = dark.count(where: \.self) * 20 / dark.count
    return sum + abs(share - 10) * 10
  }
}

/// How the bytes of a version are cut into blocks, each with bytes to correct it by (ISO/IEC 18004, table 9, level L).
private struct Blocks {
  let correction: Int
  /// Bytes of data in each.
  let data: [Int]
  private let version: Int

  init(version: Int) {
    self.version = version
    let table: [(Int, [Int])] = [
      (7, [19]), (10, [34]), (15, [55]), (20, [80]), (26, [108]), (18, [68, 68]), (20, [78, 78]),
      (24, [97, 97]),
      (30, [116, 116]), (18, [68, 68, 69, 69]),
    ]
    (correction, data) = table[version - 1]
  }

  private var lengthBits: Int { version < 10 ? 8 : 16 }
  /// Bytes of text that fit.
  var capacity: Int { (data.reduce(0, +) * 8 - 4 - lengthBits) / 8 }

  func codewords(of text: [UInt8]) -> [UInt8] {
    var bits: [Bool] = []
    func add(_ value: Int, _ count: Int) {
      for index in (0..<count).reversed() { bits.append(value >> index & 1 == 1) }
    }
    add(0b0100, 4)
    add(text.count, lengthBits)
    for byte in text { add(Int(byte), 8) }
    let size = data.reduce(0, +)
    add(0, min(4, size * 8 - bits.count))
    while bits.count % 8 != 0 { bits.append(false) }
    var bytes = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<(start + 8)].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    let padding: [UInt8] = [0xEC, 0x11]
    for index in 0..<(size - bytes.count) { bytes.append(padding[index % 2]) }
    var blocks: [[UInt8]] = []
    var start = 0
    for count in data {
      blocks.append(Array(bytes[start..<(start + count)]))
      start += count
    }
    let corrections = blocks.map { ReedSolomon.rest(of: $0, count: correction) }
    let longest = data.max() ?? 0
    return (0..<longest).flatMap { index in blocks.compactMap { index < $0.count ? $0[index] : nil } }
      + (0..<correction).flatMap { index in corrections.map { $0[index] } }
  }
}

/// Bytes by which others can be corrected: polynomials over GF(2⁸) with x⁸+x⁴+x³+x²+1.
private enum ReedSolomon {
  static func rest(of bytes: [UInt8], count: Int) -> [UInt8] {
    var divisor = [UInt8](repeating: 0, count: count - 1) + [1]
    var root: UInt8 = 1
    for _ in 0..<count {
      for index in 0..<count {
        divisor[index] = product(divisor[index], root) ^ (index + 1 < count ? divisor[index + 1] : 0)
      }
      root = product(root, 2)
    }
    var rest = [UInt8](repeating: 0, count: count)
    for byte in bytes {
      let factor = byte ^ rest.removeFirst()
      rest.append(0)
      for index in 0..<count { rest[index] ^= product(divisor[index], factor) }
    }
    return rest
  }

  private static func product(_ one: UInt8, _ other: UInt8) -> UInt8 {
    var result = 0
    for bit in (0..<8).reversed() {
      result = (result << 1) ^ ((result >> 7) * 0x11D)
      result ^= (Int(other) >> bit & 1) * Int(one)
    }
    return UInt8(result)
  }
}
