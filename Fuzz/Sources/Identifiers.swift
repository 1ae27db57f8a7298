import AlbumAPI
@testable import LibraryModel

/// What peers name things by: ids, tokens and times.
let identifierFuzzers = [
  // Two keys, then a text that a peer sends.
  Fuzzer("ids", longest: 128) { bytes in
    var pieces = Pieces(bytes)
    let key = (pieces.number(), pieces.number())
    let number = pieces.number()
    let ids = OpaqueIDs(key: key)
    checkIssued(ids, Int64(number & 0xFFFF_FFFF_FFFF))
    guard let text = String(validating: pieces.remaining(), as: UTF8.self) else { return }
    if let asset = ids.asset(text) {
      expect(ids.encode(asset) == text, "an id has one spelling")
      expect(ids.album(text) == nil, "no asset is an album")
    }
    if let album = ids.album(text) { expect(ids.encode(album) == text, "an id has one spelling") }
    let end = AssetID(rawValue: Int64(number >> 17))
    let (id, isIssued) = ids.assetToLookAt(text, below: end)
    expect(isIssued == (ids.asset(text) != nil), "what was issued is what decodes")
    expect(isIssued || (0..<max(1, end.rawValue)).contains(id.rawValue), "what was not is looked for below")
  },

  Fuzzer("tokens", longest: 128) { bytes in
    var pieces = Pieces(bytes)
    let key = (pieces.number(), pieces.number())
    // A random number, which no place comes near.
    let journal = pieces.number() | 1 << 63
    let place = Place(rawValue: Int64(pieces.number() & 0x7FFF_FFFF_FFFF))
    let tokens = ChangeTokens(key: key, journal: journal)
    let hasLocation = [true, false, nil][Int(place.rawValue % 3)]
    for token in [
      tokens.encode(place, hasLocation: hasLocation), tokens.encodeAnew(place, hasLocation: hasLocation),
    ] {
      expect(tokens.issued(token)?.hasLocation == hasLocation, "and says how its holder was told")
      expect(token.utf8.count == 32, "a token has 32 digits")
      expect(tokens.decode(token) == place, "a token is its place")
      expect(ChangeTokens(key: key, journal: journal ^ 2).decode(token) == nil, "of this journal alone")
      expect(ChangeTokens(key: (~key.0, key.1), journal: journal).decode(token) == nil, "with this key alone")
      expect(tokens.decode(token.uppercased()) == nil || token == token.uppercased(), "it has one spelling")
    }
    if let text = String(validating: pieces.remaining(), as: UTF8.self), let found = tokens.decode(text) {
      expect(found >= .start && text.utf8.count == 32, "what decodes is a place")
    }
  },

  Fuzzer("instant", longest: 256) { bytes in
    guard let text = bytes.text else { return }
    if let instant = Instant(text) {
      expect(Instant(instant.description) == instant, "a time is read as it is written")
      expect(instant.description.utf8.count <= 32, "and has its room")
    }
    if let decoded = text.percentDecoded {
      expect(decoded.count <= text.utf8.count, "what is escaped is longer")
    } else {
      expect(text.utf8.contains(UInt8(ascii: "%")), "only a percent sign can be wrong")
    }
  },
]

private func checkIssued(_ ids: OpaqueIDs, _ number: Int64) {
  guard number > 0 else { return }
  let asset = AssetID(rawValue: number)
  let text = ids.encode(asset)
  expect(text.utf8.count == 16, "an id has 16 digits")
  expect(ids.asset(text) == asset, "an id is its asset")
  expect(ids.album(text) == nil, "and no album")
  expect(ids.encode(AlbumID(rawValue: number)) != text, "an album of that number has another")
  expect(ids.asset(text + "0") == nil && ids.asset(String(text.dropLast())) == nil, "it is that long")
}
