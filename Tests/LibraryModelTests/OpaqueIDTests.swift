import LibraryModel
import Testing

@Suite
struct OpaqueIDTests {
  private let ids = OpaqueIDs(key: (0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210))

  @Test(
    "Ids are for life: what apps have stored is what is told today",
    arguments: [
      (1, "143e5033968fb44c"), (2, "ce9369869db7aeb0"), (123_456_789, "21c2ce5ef186613b"),
    ])
  func idsAreForLife(number: Int64, id: String) {
    #expect(ids.encode(AssetID(rawValue: number)) == id)
    #expect(ids.asset(id) == AssetID(rawValue: number))
    #expect(ids.encode(AlbumID(rawValue: 1)) == "3d92664d772db118")
  }

  @Test("ids come back, assets and albums never meet, and what was made up is refused")
  func roundTrip() {
    for raw in [1, 2, 4711, 1 << 40] as [Int64] {
      let asset = ids.encode(AssetID(rawValue: raw))
      let album = ids.encode(AlbumID(rawValue: raw))
      #expect(asset.count == 16 && album.count == 16)
      #expect(ids.asset(asset)?.rawValue == raw)
      #expect(ids.album(album)?.rawValue == raw)
      #expect(ids.album(asset) == nil && ids.asset(album) == nil)
      #expect(ids.asset(asset.uppercased()) == nil || asset.uppercased() == asset)
    }
    for text in ["", "0", "0000000000000000", "zzzzzzzzzzzzzzzz", "00000000000000001"] {
      #expect(ids.asset(text) == nil)
    }
  }

  @Test("S16: for an id that was never issued, another asset is looked at, always the same")
  func looks() {
    let end = AssetID(rawValue: 1000)
    let issued = ids.encode(AssetID(rawValue: 4711))
    #expect(ids.assetToLookAt(issued, below: end) == (AssetID(rawValue: 4711), true))
    var seen: Set<Int64> = []
    for number in 0..<5000 {
      let text = String(ids.encode(AlbumID(rawValue: Int64(number + 1))))
      let (id, isIssued) = ids.assetToLookAt(text, below: end)
      #expect(!isIssued && (0..<1000).contains(id.rawValue))
      #expect(ids.assetToLookAt(text, below: end).id == id)
      seen.insert(id.rawValue)
    }
    #expect(seen.count > 950, "anywhere in the index, so that what the disk has to read tells nothing")
    #expect(ids.assetToLookAt("no id", below: AssetID(rawValue: 1)) == (AssetID(rawValue: 0), false))
  }

  @Test("S26, S27: a token is of one journal only")
  func tokens() {
    let key: (UInt64, UInt64) = (1, 2)
    let tokens = ChangeTokens(key: key, journal: 3)
    let token = tokens.encode(Place(rawValue: 77))
    #expect(token.count == 32)
    #expect(tokens.decode(token) == Place(rawValue: 77))
    #expect(ChangeTokens(key: key, journal: 4).decode(token) == nil)
    #expect(tokens.decode(String(token.reversed())) == nil)
    #expect(tokens.decode("") == nil)
    #expect(tokens.issued(token)?.hasLocation == nil, "one of before")
    for hasLocation in [true, false] {
      for text in [
        tokens.encode(Place(rawValue: 77), hasLocation: hasLocation),
        tokens.encodeAnew(Place(rawValue: 77), hasLocation: hasLocation),
      ] {
        #expect(tokens.issued(text)?.hasLocation == hasLocation && tokens.decode(text) == Place(rawValue: 77))
      }
    }
  }

  @Test("cursors come back")
  func cursors() {
    for cursor in [
      AssetCursor(key: .number(-5), id: AssetID(rawValue: 9)),
      AssetCursor(key: .name(FileName([0xFF, 0x41])), id: AssetID(rawValue: 9)),
      AssetCursor(key: .place(-7, created: .min), id: AssetID(rawValue: 9)),
    ] {
      #expect(ids.cursor(ids.encode(cursor)) == cursor)
    }
    #expect(ids.cursor("n") == nil && ids.cursor(ids.encode(AssetID(rawValue: 9)) + "p00") == nil)
  }

  @Test("16: names that are not UTF-8 are shown without loss")
  func names() {
    let name = FileName(Array("caf".utf8) + [0xE9] + Array("%.jpg".utf8))
    #expect(name.display.isEncoded)
    #expect(name.display.text == "caf%E9%25.jpg")
    #expect(FileName("a%.jpg").display.text == "a%.jpg")
  }
}
