import Testing

@testable import AlbumTerminal

/// A kitty command: its keys, and what stands behind them.
struct KittyCommand {
  let keys: [String: String]
  let payload: [UInt8]

  /// All in what a terminal was sent.
  static func all(in bytes: [UInt8]) -> [KittyCommand] {
    var (found, rest) = ([KittyCommand](), bytes[...])
    while let start = rest.firstIndex(of: 0x1B) {
      rest = rest[start...]
      guard rest.starts(with: "\u{1B}_G".utf8), let end = rest.dropFirst().firstIndex(of: 0x1B) else {
        rest = rest.dropFirst()
        continue
      }
      let parts = rest[(start + 3)..<end].split(separator: UInt8(ascii: ";"), maxSplits: 1)
      let pairs = String(decoding: parts[0], as: UTF8.self).split(separator: ",").map { pair in
        pair.split(separator: "=", maxSplits: 1).map(String.init)
      }
      found.append(
        KittyCommand(
          keys: Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) }),
          payload: parts.count > 1 ? Array(parts[1]) : []))
      rest = rest[(end + 2)...]
    }
    return found
  }

  /// RFC 4648, the other way.
  static func bytes(ofBase64 text: [UInt8]) -> [UInt8] {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var (out, word, bits) = ([UInt8](), UInt32(0), UInt32(0))
    for character in text where character != UInt8(ascii: "=") {
      word = word << 6 | UInt32(digits.firstIndex(of: character) ?? 0)
      bits += 6
      if bits >= 8 {
        bits -= 8
        out.append(UInt8(truncatingIfNeeded: word >> bits))
      }
    }
    return out
  }
}

/// A terminal that draws sixels.
struct SixelScreen {
  private(set) var pixels: [[Int]: Int] = [:]
  private(set) var colours: [Int: [Int]] = [:]
  private(set) var width = 0
  private(set) var height = 0

  init?(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let start = text.range(of: "q\""), text.hasPrefix("\u{1B}P"), text.hasSuffix("\u{1B}\\") else {
      return nil
    }
    var rest = Substring(text[start.upperBound...].dropLast(2))
    func numbers() -> [Int] {
      let part = rest.prefix { $0.isNumber || $0 == ";" }
      rest = rest.dropFirst(part.count)
      return part.split(separator: ";").compactMap { Int($0) }
    }
    let size = numbers()
    (width, height) = (size[2], size[3])
    var (x, y, colour, times) = (0, 0, 0, 1)
    while let character = rest.popFirst() {
      switch character {
      case "#":
        let said = numbers()
        colour = said[0]
        if said.count == 5 { colours[colour] = Array(said[2...]) }
      case "!": times = numbers()[0]
      case "$": x = 0
      case "-": (x, y) = (0, y + 6)
      default:
        guard let value = character.asciiValue, 63...126 ~= value else { return nil }
        for place in x..<x + times {
          for line in 0..<6 where (value - 63) >> UInt8(line) & 1 == 1 { pixels[[place, y + line]] = colour }
        }
        (x, times) = (x + times, 1)
      }
    }
  }

  /// Red, green and blue in hundredths.
  func pixel(_ x: Int, _ y: Int) -> [Int]? { pixels[[x, y]].flatMap { colours[$0] } }
}

extension String {
  fileprivate func range(of text: String) -> Range<Index>? {
    indices.first { self[$0...].hasPrefix(text) }.map { $0..<index($0, offsetBy: text.count) }
  }
}

@Suite("Pictures as terminals take them") struct GraphicsTests {
  @Test("base64 is that of RFC 4648, section 10")
  func base64() {
    for (text, encoded) in [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ] {
      #expect(KittyGraphics.base64(Array(text.utf8)) == Array(encoded.utf8))
    }
    let all = (0...255).map { UInt8($0) }
    #expect(KittyCommand.bytes(ofBase64: KittyGraphics.base64(all)) == all)
  }

  @Test("kitty is sent every pixel, in parts of 4096 of which the last says so, and answers nothing")
  func kitty() {
    for (width, height) in [(1, 1), (32, 32), (64, 48), (512, 512)] {
      let pixmap = Pixmap.halves(width: width, height: height)
      let commands = KittyCommand.all(in: KittyGraphics.transmit(pixmap))
      let first = commands[0].keys
      #expect(first["a"] == "t" && first["f"] == "24" && first["t"] == "d")
      #expect(first["s"] == "\(width)" && first["v"] == "\(height)")
      #expect(commands.allSatisfy { $0.keys["q"] == "2" && 1...4096 ~= $0.payload.count })
      #expect(commands.dropLast().allSatisfy { $0.keys["m"] == "1" && $0.payload.count % 4 == 0 })
      #expect(commands.last?.keys["m"] == "0")
      #expect(KittyCommand.bytes(ofBase64: commands.flatMap(\.payload)) == pixmap.rgb)
    }
  }

  @Test("kitty shows it in its box by the side that ends first, beneath a cursor that stays")
  func placed() {
    let box = PictureBox(row: 3, column: 40, columns: 40, rows: 10)
    let cell = CellSize(width: 10, height: 20)
    for (width, height, key) in [
      (400, 100, "c"), (100, 100, "r"), (400, 200, "c"), (399, 200, "r"), (1, 512, "r"),
    ] {
      let command = KittyCommand.all(
        in: KittyGraphics.place(box, .halves(width: width, height: height), cell))[0]
      #expect(command.keys["a"] == "p" && command.keys["q"] == "2" && command.keys["C"] == "1")
      #expect(command.keys[key] == (key == "c" ? "40" : "10"), "\(width) \(height)")
      #expect(command.keys[key == "c" ? "r" : "c"] == nil)
    }
    let deleted = KittyCommand.all(in: KittyGraphics.delete)[0].keys
    #expect(deleted["a"] == "d" && deleted["d"] == "I")
    #expect(
      deleted["i"] == KittyCommand.all(in: KittyGraphics.transmit(.halves(width: 1, height: 1)))[0].keys["i"])
  }

  @Test(
    "sixels have every pixel, in the colour that is nearest", arguments: [nil, 1024, 252, 251, 125, 64, 16])
  func sixels(registers: Int?) throws {
    // No multiple of six high.
    let pixmap = Pixmap.halves(width: 61, height: 20)
    let screen = try #require(SixelScreen(Sixel(registers: registers).encode(pixmap)))
    #expect(screen.width == 61 && screen.height == 20 && screen.pixels.count == 61 * 20)
    for y in [0, 5, 6, 19] {
      #expect(screen.pixel(0, y) == [100, 0, 0] && screen.pixel(29, y) == [100, 0, 0])
      #expect(screen.pixel(30, y) == [0, 0, 100] && screen.pixel(60, y) == [0, 0, 100])
    }
    #expect(screen.colours.keys.allSatisfy { $0 < registers ?? 252 })
  }

  @Test("sixels of a colour between two are mixed of both, to its mean")
  func dithered() throws {
    for registers in [252, 16] {
      for value in [0, 30, 77, 128, 200, 255] as [UInt8] {
        let grey = Pixmap(width: 40, height: 24, rgb: [UInt8](repeating: value, count: 40 * 24 * 3))
        let screen = try #require(SixelScreen(Sixel(registers: registers).encode(grey)))
        let colours = screen.pixels.values.compactMap { screen.colours[$0] }
        #expect(colours.count == 40 * 24)
        for channel in 0..<3 {
          let mean = Double(colours.reduce(0) { $0 + $1[channel] }) / Double(colours.count)
          #expect(abs(mean - Double(value) / 2.55) < 4, "\(registers) \(value) \(channel)")
        }
      }
    }
  }

  @Test("a line of one colour is a few bytes of sixels")
  func runs() {
    let plain = Pixmap(width: 512, height: 512, rgb: [UInt8](repeating: 0, count: 512 * 512 * 3))
    #expect(Sixel(registers: nil).encode(plain).count < 1200)
  }
}
