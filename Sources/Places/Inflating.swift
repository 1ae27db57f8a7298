/// Unpacks what zlib has packed (RFC 1950, RFC 1951), of which no more than a few bytes are ever needed at once: a table
/// of lengths, no table of codes.
struct Inflating {
  private let input: ArraySlice<UInt8>
  private var at: Int
  private var bits: UInt32 = 0
  private var bitCount = 0
  private var output: [UInt8] = []

  /// The most that comes out: a few bytes can stand for as many as one likes.
  private static let most = 16 << 20

  /// Unpacks a whole stream; its checksum is nobody's concern here.
  static func zlib(_ bytes: [UInt8]) throws(Untraceable) -> [UInt8] {
    guard bytes.count >= 2, bytes[0] & 15 == 8, bytes[1] & 0x20 == 0 else { throw Untraceable() }
    var inflating = Inflating(bytes[2...])
    while try !inflating.block() {}
    return inflating.output
  }

  private init(_ input: ArraySlice<UInt8>) {
    self.input = input
    at = input.startIndex
  }

  private mutating func take(_ count: Int) throws(Untraceable) -> Int {
    while bitCount < count {
      guard at < input.endIndex else { throw Untraceable() }
      bits |= UInt32(input[at]) << UInt32(bitCount)
      at += 1
      bitCount += 8
    }
    let value = bits & (1 << UInt32(count) - 1)
    bits >>= UInt32(count)
    bitCount -= count
    return Int(value)
  }

  /// - Returns: whether it was the last.
  private mutating func block() throws(Untraceable) -> Bool {
    let isLast = try take(1) == 1
    switch try take(2) {
    case 0: try stored()
    case 1:
      let lengths = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
      try coded(Code(lengths), Code([Int](repeating: 5, count: 30)))
    case 2: try dynamic()
    default: throw Untraceable()
    }
    return isLast
  }

  private mutating func stored() throws(Untraceable) {
    bits = 0
    bitCount = 0
    guard input.endIndex - at >= 4 else { throw Untraceable() }
    let count = Int(input[at]) | Int(input[at + 1]) << 8
    at += 4
    guard input.endIndex - at >= count, output.count + count <= Self.most else { throw Untraceable() }
    output += input[at..<at + count]
    at += count
  }

  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  private mutating func dynamic() throws(Untraceable) {
    let (literals, distances, count) = (try take(5) + 257, try take(5) + 1, try take(4) + 4)
    var lengths = [Int](repeating: 0, count: 19)
    for index in 0..<count { lengths[Self.order[index]] = try take(3) }
    let code = Code(lengths)
    var all: [Int] = []
    while all.count < literals + distances {
      switch try symbol(code) {
      case let length where length < 16: all.append(length)
      case 16:
        guard let last = all.last else { throw Untraceable() }
        all += [Int](repeating: last, count: try take(2) + 3)
      case 17: all += [Int](repeating: 0, count: try take(3) + 3)
      default: all += [Int](repeating: 0, count: try take(7) + 11)
      }
    }
    guard all.count == literals + distances else { throw Untraceable() }
    try coded(Code(Array(all[..<literals])), Code(Array(all[literals...])))
  }

  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
    227, 258,
  ]
  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073,
    4097, 6145,
    8193, 12289, 16385, 24577,
  ]

  private mutating func coded(_ literals: Code, _ distances: Code) throws(Untraceable) {
    while true {
      let value = try symbol(literals)
      if value == 256 { return }
      guard output.count < Self.most else { throw Untraceable() }
      if value < 256 {
        output.append(UInt8(value))
        continue
      }
      guard value - 257 < Self.lengthBases.count else { throw Untraceable() }
      let length = Self.lengthBases[value - 257] + (try take(Self.lengthBits[value - 257]))
      let code = try symbol(distances)
      guard code < Self.distanceBases.count else { throw Untraceable() }
      let distance = Self.distanceBases[code] + (try take(max(0, code / 2 - 1)))
      guard distance <= output.count else { throw Untraceable() }
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
  }

  /// A canonical code: how many symbols have each length, and the symbols in their order.
  private struct Code {
    var counts = [Int](repeating: 0, count: 16)
    var symbols: [Int] = []

    init(_ lengths: [Int]) {
      for length in lengths where length > 0 { counts[length] += 1 }
      symbols = lengths.indices.filter { lengths[$0] > 0 }.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
    }
  }

  private mutating func symbol(_ code: Code) throws(Untraceable) -> Int {
    var (value, first, index) = (0, 0, 0)
    for length in 1..<16 {
      value |= try take(1)
      let count = code.counts[length]
      if value - count < first, index + value - first < code.symbols.count {
        return code.symbols[index + value - first]
      }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    throw Untraceable()
  }
}

/// The checksum of PNG's chunks (ISO 3309).
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    var value = UInt32(index)
    for _ in 0..<8 {
      let half = value >> 1
      value = value & 1 == 1 ? half ^ 0xEDB8_8320 : half
    }
    return value
  }

  /// As it stands after a chunk.
  static func bytes(of bytes: [UInt8]) -> [UInt8] {
    var value = ~UInt32(0)
    for byte in bytes {
      let index = Int((value ^ UInt32(byte)) & 0xFF)
      value = table[index] ^ (value >> 8)
    }
    value = ~value
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
