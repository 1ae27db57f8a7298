/// Turns internal ids into the ids that peers see, and back.
///
/// Internal ids count up, which would tell an app with limited access how many assets it cannot see
/// (S16). XTEA (Needham and Wheeler, 1997) is a cipher of 64-bit blocks: a permutation, so distinct ids
/// stay distinct, under a key that never leaves the index. It hides; it does not authenticate, and need
/// not: every id is looked up under the caller's authorization.
package struct OpaqueIDs: Sendable {
  private let cipher: XTEA

  /// Ids under the key of an index: 128 random bits.
  package init(key: (UInt64, UInt64)) {
    cipher = XTEA(key: key)
  }

  /// 16 hexadecimal digits.
  package func encode(_ id: AssetID) -> String { encode(id.rawValue, tag: 1) }
  /// 16 hexadecimal digits, never equal to those of an asset.
  package func encode(_ id: AlbumID) -> String { encode(id.rawValue, tag: 2) }
  /// The asset that a peer names; `nil` for what is no asset id of this index.
  package func asset(_ text: String) -> AssetID? { decode(text, tag: 1).map(AssetID.init) }
  /// The album that a peer names; `nil` for what is no album id of this index.
  package func album(_ text: String) -> AlbumID? { decode(text, tag: 2).map(AlbumID.init) }

  /// The asset to look at for what a peer names: the one that it names, or, for what was never issued, one
  /// below `end` that the text alone decides. Whoever looks at it does the same work for an id that exists
  /// but may not be seen as for one that does not, and passes over what `isIssued` says was not meant (S16).
  package func assetToLookAt(_ text: String, below end: AssetID) -> (id: AssetID, isIssued: Bool) {
    let plain = block(ofHexadecimal: text.utf8).map(cipher.decrypt) ?? 0
    if let id = number(in: plain, tag: 1) { return (AssetID(rawValue: id), true) }
    return (AssetID(rawValue: Int64(plain % UInt64(max(1, end.rawValue)))), false)
  }

  // The tag is in the top byte; ids stay far below 2⁴⁸, so that a guess is nearly always refused here.
  private func encode(_ id: Int64, tag: UInt64) -> String {
    hexadecimal(cipher.encrypt(tag << 56 | UInt64(bitPattern: id) & 0x00FF_FFFF_FFFF_FFFF))
  }

  private func decode(_ text: String, tag: UInt64) -> Int64? {
    block(ofHexadecimal: text.utf8).map(cipher.decrypt).flatMap { number(in: $0, tag: tag) }
  }

  private func number(in plain: UInt64, tag: UInt64) -> Int64? {
    let number = plain & 0xFFFF_FFFF_FFFF
    return plain >> 48 == tag << 8 && number != 0 ? Int64(number) : nil
  }
}

/// Turns places in a journal into the tokens that peers store (S26), and back.
///
/// Two chained blocks: the place, and the journal's random id. A token of another journal, or one that
/// was made up, does not decode.
///
/// Who sees a part only is given tokens that differ every time. Others have one token for one place, and whoever asked
/// again and again would be told by a new one that something happened which it does not see (S16).
package struct ChangeTokens: Sendable {
  private let cipher: XTEA
  private let journal: UInt64

  /// Tokens of one journal.
  package init(key: (UInt64, UInt64), journal: UInt64) {
    cipher = XTEA(key: key)
    self.journal = journal
  }

  /// 32 hexadecimal digits.
  package func encode(_ place: Place) -> String {
    let first = cipher.encrypt(UInt64(bitPattern: place.rawValue))
    return hexadecimal(first) + hexadecimal(cipher.encrypt(journal ^ first))
  }

  /// 32 hexadecimal digits, each time others: 32 bits of the journal's and 32 random ones, then the place.
  package func encodeAnew(_ place: Place) -> String {
    let first = cipher.encrypt(mark | UInt64(UInt32.random(in: 0...UInt32.max)))
    return hexadecimal(first) + hexadecimal(cipher.encrypt(UInt64(bitPattern: place.rawValue) ^ first))
  }

  /// 32 bits that only this journal has.
  private var mark: UInt64 { cipher.encrypt(journal) & Self.upperHalf }
  private static let upperHalf: UInt64 = 0xFFFF_FFFF_0000_0000

  /// The place of a token; `nil` for what this journal never issued. Whether the journal still covers it
  /// is for the journal to say (S27).
  package func decode(_ text: String) -> Place? {
    let digits = text.utf8
    guard digits.count == 32, let first = block(ofHexadecimal: digits.prefix(16)),
      let second = block(ofHexadecimal: digits.suffix(16))
    else { return nil }
    if cipher.decrypt(second) ^ first == journal {
      let place = Int64(bitPattern: cipher.decrypt(first))
      return place >= 0 ? Place(rawValue: place) : nil
    }
    // Places stay far below 2⁴⁸, so that a guess is nearly always refused here.
    let place = cipher.decrypt(second) ^ first
    guard cipher.decrypt(first) & Self.upperHalf == mark, place < 1 << 48 else { return nil }
    return Place(rawValue: Int64(place))
  }
}

/// XTEA with its 32 cycles.
struct XTEA: Sendable {
  private let key: (UInt32, UInt32, UInt32, UInt32)
  private static let delta: UInt32 = 0x9E37_79B9

  init(key: (UInt64, UInt64)) {
    self.key = (
      UInt32(key.0 >> 32), UInt32(truncatingIfNeeded: key.0),
      UInt32(key.1 >> 32), UInt32(truncatingIfNeeded: key.1)
    )
  }

  private func part(_ index: UInt32) -> UInt32 {
    switch index & 3 {
    case 0: key.0
    case 1: key.1
    case 2: key.2
    default: key.3
    }
  }

  func encrypt(_ block: UInt64) -> UInt64 {
    var (left, right) = (UInt32(block >> 32), UInt32(truncatingIfNeeded: block))
    var sum: UInt32 = 0
    for _ in 0..<32 {
      left &+= (right << 4 ^ right >> 5) &+ right ^ sum &+ part(sum)
      sum &+= XTEA.delta
      right &+= (left << 4 ^ left >> 5) &+ left ^ sum &+ part(sum >> 11)
    }
    return UInt64(left) << 32 | UInt64(right)
  }

  func decrypt(_ block: UInt64) -> UInt64 {
    var (left, right) = (UInt32(block >> 32), UInt32(truncatingIfNeeded: block))
    var sum = XTEA.delta &* 32
    for _ in 0..<32 {
      right &-= (left << 4 ^ left >> 5) &+ left ^ sum &+ part(sum >> 11)
      sum &-= XTEA.delta
      left &-= (right << 4 ^ right >> 5) &+ right ^ sum &+ part(sum)
    }
    return UInt64(left) << 32 | UInt64(right)
  }
}

/// 16 lower-case digits.
func hexadecimal(_ block: UInt64) -> String {
  String(unsafeUninitializedCapacity: 16) { digits in
    for index in 0..<16 {
      let value = UInt8(truncatingIfNeeded: block >> (60 - 4 * UInt64(index)) & 15)
      digits[index] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
    return 16
  }
}

/// The block of exactly 16 lower-case digits: an id has one spelling.
private func block(ofHexadecimal digits: some Collection<UInt8>) -> UInt64? {
  guard digits.count == 16 else { return nil }
  var block: UInt64 = 0
  for digit in digits {
    guard let value = hexadecimalValue(digit), !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains(digit)
    else { return nil }
    block = block << 4 | UInt64(value)
  }
  return block
}
