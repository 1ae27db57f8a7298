internal import Glibc

/// What happens to files on cards that break, in transfers that end, and by hands that want it.
package enum Damage {
  /// How many damaged pictures `DAMAGED=100000` asks for; without it, so many.
  package static func count(else usual: Int) -> Int {
    guard let text = getenv("DAMAGED").map({ String(cString: $0) }) else { return usual }
    guard let count = Int(text), count > 0 else { fatalError("DAMAGED=\(text) is no number of pictures") }
    return count
  }

  /// What the damage comes from: the same in every run, but another each time where so many are asked for.
  package static var seed: UInt64 { getenv("DAMAGED") == nil ? 7 : .random(in: 0..<1_000_000) }

  /// The bytes with some damage: cut off, flipped, overwritten, moved; numbers that are lengths and places become large.
  package static func damaged(_ bytes: [UInt8], using random: inout some RandomNumberGenerator) -> [UInt8] {
    guard !bytes.isEmpty else { return bytes }
    var result = bytes
    // What is said of a picture stands in front, or behind: most of what is in between is pixels.
    let front = Bool.random(using: &random) ? result.count : min(result.count, 1024)
    func place(_ count: Int) -> Int {
      let place = Int.random(in: 0..<front, using: &random)
      let isBehind = Int.random(in: 0..<4, using: &random) == 0
      return max(0, min(isBehind ? result.count - 1 - place : place, result.count - count))
    }
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: result[place(1)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: result[place(1)] = UInt8.random(in: 0...255, using: &random)
      case 2:
        let number = [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0xFFFF_0000].randomElement(using: &random)
        let start = place(4)
        for (offset, shift) in [24, 16, 8, 0].enumerated() where start + offset < result.count {
          result[start + offset] = UInt8(truncatingIfNeeded: (number ?? 0) >> shift)
        }
      case 3:
        let start = place(64)
        let filling: UInt8 = Bool.random(using: &random) ? 0 : 0xFF
        for index in start..<min(result.count, start + 64) { result[index] = filling }
      case 4:
        // As a block that was written to another place.
        let (from, to) = (place(256), place(256))
        for index in 0..<256 where max(from, to) + index < result.count {
          result[to + index] = bytes[from + index]
        }
      default:
        if Int.random(in: 0..<4, using: &random) == 0 {
          result.removeLast(Int.random(in: 0..<result.count, using: &random))
        }
      }
    }
    return result
  }
}
