/// Ids in order, and what each is sorted by: 16 bytes for an asset, where whole ones take hundreds.
///
/// Ids are any text to a client. Those of 16 lower-case hexadecimal digits, which all of albumd's are, are kept as the number that
/// they spell; where one is not, all are kept as texts.
struct IdentifierList: Hashable, Sendable {
  /// What they are sorted by: microseconds or bytes, never descending, or never ascending; nil in the order of names.
  private(set) var keys: [Int64]?
  private var numbers: [UInt64] = []
  private var texts: [String]?

  /// - Parameter hasKeys: whether what they are sorted by is known.
  init(hasKeys: Bool) {
    keys = hasKeys ? [] : nil
  }

  /// How many there are.
  var count: Int { texts?.count ?? numbers.count }

  /// How many bytes they take, as far as they are numbers.
  var byteCount: Int { (numbers.count + (keys?.count ?? 0)) * MemoryLayout<UInt64>.stride }

  /// An id, by its place.
  subscript(index: Int) -> String { texts?[index] ?? Self.text(numbers[index]) }

  /// Ids, by their places.
  subscript(range: Range<Int>) -> [String] { range.map { self[$0] } }

  /// Adds one at the end.
  mutating func append(_ identifier: String, key: Int64?) {
    if texts != nil {
      texts?.append(identifier)
    } else if let number = Self.number(identifier) {
      numbers.append(number)
    } else {
      texts = numbers.map(Self.text) + [identifier]
      numbers = []
    }
    keys?.append(key ?? 0)
  }

  /// Adds the part of another list at the end.
  mutating func append(_ other: IdentifierList, _ range: Range<Int>) {
    if let keys = other.keys { self.keys?.append(contentsOf: keys[range]) }
    if texts == nil, other.texts == nil {
      numbers.append(contentsOf: other.numbers[range])
    } else {
      texts = (texts ?? numbers.map(Self.text)) + other[range]
      numbers = []
    }
  }

  /// Makes room.
  mutating func reserve(_ count: Int) {
    numbers.reserveCapacity(count)
    keys?.reserveCapacity(count)
  }

  /// Where these are, ascending: one that is there twice has two places.
  func places(of identifiers: some Collection<String>) -> [String: [Int]] {
    var places: [String: [Int]] = [:]
    if let texts {
      let wanted = Set(identifiers)
      for (place, text) in texts.enumerated() where wanted.contains(text) {
        places[text, default: []].append(place)
      }
      return places
    }
    // None of another spelling is here.
    let wanted = Set(identifiers.compactMap(Self.number))
    if wanted.isEmpty { return places }
    for (place, number) in numbers.enumerated() where wanted.contains(number) {
      places[Self.text(number), default: []].append(place)
    }
    return places
  }

  private static let digits = Array("0123456789abcdef".utf8)

  private static func number(_ text: String) -> UInt64? {
    let utf8 = text.utf8
    guard utf8.count == 16 else { return nil }
    var number: UInt64 = 0
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"):
        number = number << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
      default: return nil
      }
    }
    return number
  }

  private static func text(_ number: UInt64) -> String {
    String(unsafeUninitializedCapacity: 16) { bytes in
      for place in 0..<16 { bytes[place] = digits[Int(number >> UInt64(60 - 4 * place) & 15)] }
      return 16
    }
  }
}
