/// Turns internal ids into the ids that peers see, and back.
///
/// Internal ids count up, which would tell an app with limited access how many assets it cannot see
/// (S16). XTEA is a cipher of 64-bit blocks: a permutation, so distinct ids
/// stay distinct, under a key that never leaves the index. It hides; it does not authenticate, and need
/// not: every id is looked up under the caller's authorization.
package struct OpaqueIDs: Sendable {
  private let cipher: XTEA

  /// Ids under the key of an index: 128 random bits.
  package init(key: (UInt64, UInt64)) {
    cipher = XTEA(key: key)
  }

  /// 16 hexadecimal digits.
  package func encode(_ id: AssetID) -> String { digits(id).text }
  /// 16 hexadecimal digits, never equal to those of an asset.
  package func encode(_ id: AlbumID) -> String { digits(id).text }
  /// The same, for who writes them into a longer text.
  package func digits(_ id: AssetID) -> HexadecimalDigits { digits(id.rawValue, tag: 1) }
  /// The same, for who writes them into a longer text.
  package func digits(_ id: AlbumID) -> HexadecimalDigits { digits(id.rawValue, tag: 2) }
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

  /// 32 hexadecimal digits, each time others: a place in an album's order would tell by how many others it is as it is (S103).
  func encodePosition(_ position: Int64, of id: AssetID) -> String {
    let salt = UInt64.random(in: 0...UInt64.max)
    let hidden = cipher.encrypt(UInt64(bitPattern: position) ^ mask(salt, id))
    return HexadecimalDigits(salt).text + HexadecimalDigits(hidden).text
  }

  /// What that says; any number for what was made up.
  func position(salt: UInt64, _ hidden: UInt64, of id: AssetID) -> Int64 {
    Int64(bitPattern: cipher.decrypt(hidden) ^ mask(salt, id))
  }

  private func mask(_ salt: UInt64, _ id: AssetID) -> UInt64 {
    cipher.encrypt(salt ^ cipher.encrypt(UInt64(bitPattern: id.rawValue)))
  }

  // The tag is in the top byte; ids stay far below 2⁴⁸, so that a guess is nearly always refused here.
  private func digits(_ id: Int64, tag: UInt64) -> HexadecimalDigits {
    HexadecimalDigits(cipher.encrypt(tag << 56 | UInt64(bitPattern: id) & 0x00FF_FFFF_FFFF_FFFF))
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
/// was made up, does not decode. Places stay far below 2⁴⁸; above them stands whether its holder was told where pictures
/// were taken: going on from it tells no more and no less (S57). Tokens of before do not say it.
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

  /// What a token says.
  package struct Issued: Hashable, Sendable {
    /// A place in the journal.
    package let place: Place
    /// Whether its holder was told where pictures were taken; `nil` where it does not say.
    package let hasLocation: Bool?

    fileprivate static let limit: UInt64 = 1 << 48
    private static let saysLocation = limit
    private static let location = limit << 1

    fileprivate init(_ place: Place, hasLocation: Bool?) {
      (self.place, self.hasLocation) = (place, hasLocation)
    }

    fileprivate init?(_ number: UInt64) {
      guard number < Self.limit << 2 else { return nil }
      let says = number & Self.saysLocation != 0
      guard says || number & Self.location == 0 else { return nil }
      place = Place(rawValue: Int64(number & (Self.limit - 1)))
      hasLocation = says ? number & Self.location != 0 : nil
    }

    fileprivate var number: UInt64 {
      let said = hasLocation.map { Self.saysLocation | ($0 ? Self.location : 0) } ?? 0
      return UInt64(bitPattern: place.rawValue) | said
    }
  }

  /// 32 hexadecimal digits.
  package func encode(_ place: Place, hasLocation: Bool? = nil) -> String {
    let first = cipher.encrypt(Issued(place, hasLocation: hasLocation).number)
    return text(first, cipher.encrypt(journal ^ first))
  }

  /// 32 hexadecimal digits, each time others: 32 bits of the journal's and 32 random ones, then the place.
  package func encodeAnew(_ place: Place, hasLocation: Bool? = nil) -> String {
    let first = cipher.encrypt(mark | UInt64(UInt32.random(in: 0...UInt32.max)))
    let second = cipher.encrypt(Issued(place, hasLocation: hasLocation).number ^ first)
    return text(first, second)
  }

  private func text(_ first: UInt64, _ second: UInt64) -> String {
    String(unsafeUninitializedCapacity: 2 * HexadecimalDigits.count) { bytes in
      let bytes = UnsafeMutableRawBufferPointer(bytes)
      let count = HexadecimalDigits(first).write(into: bytes)
      return count
        + HexadecimalDigits(second).write(into: UnsafeMutableRawBufferPointer(rebasing: bytes[count...]))
    }
  }

  /// 32 bits that only this journal has.
  private var mark: UInt64 { cipher.encrypt(journal) & Self.upperHalf }
  private static let upperHalf: UInt64 = 0xFFFF_FFFF_0000_0000

  /// The place of a token; `nil` for what this journal never issued. Whether the journal still covers it
  /// is for the journal to say (S27).
  package func decode(_ text: String) -> Place? { issued(text)?.place }

  /// The same, and what else the token says.
  package func issued(_ text: String) -> Issued? {
    let digits = text.utf8
    guard digits.count == 32, let first = block(ofHexadecimal: digits.prefix(16)),
      let second = block(ofHexadecimal: digits.suffix(16))
    else { return nil }
    if cipher.decrypt(second) ^ first == journal {
      return Issued(cipher.decrypt(first))
    }
    // A guess is nearly always refused here.
    guard cipher.decrypt(first) & Self.upperHalf == mark else { return nil }
    return Issued(cipher.decrypt(second) ^ first)
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
