import AlbumAPI
import Testing
import Varlink

@Suite("Types that read themselves")
struct HotMessageTests {
  @Test("what writes itself writes what the generic encoder would", arguments: [true, false])
  func ownWriting(isFull: Bool) throws {
    func check<Value: Codable & Equatable>(_ value: Value) throws {
      let own = try JSONEncoding.encode(value)
      let generic = try JSONEncoding.encode(Generic(value: value))
      #expect(String(decoding: own, as: UTF8.self) == String(decoding: generic, as: UTF8.self))
      #expect(try JSONDecoding.decode(Value.self, from: JSON(parsing: own)) == value)
    }
    var asset = LibraryInterface.Asset(
      id: "i", filename: "\"f\"\n", albums: ["a", "b"], mediaType: .livePhoto, byteCount: 1,
      created: Instant(microseconds: 0), modified: Instant(microseconds: 1),
      resources: [.photo, .pairedVideo], offline: isFull)
    var album = LibraryInterface.Album(
      id: "i", title: "t", assetCount: 1, shared: isFull, createdByCaller: false)
    if isFull {
      asset.percentEncodedFilename = "p"
      (asset.pixelWidth, asset.pixelHeight, asset.durationSeconds, asset.hasLocation) = (1, 2, 1.5, false)
      (asset.isFavorite, asset.isHidden) = (true, true)
      asset.added = Instant(microseconds: 5)
      (asset.burstIdentifier, asset.representsBurst) = ("b", true)
      (album.percentEncodedTitle, album.parent, album.keyAsset) = ("p", "q", "k")
    }
    try check(asset)
    try check(album)
    try check(LibraryInterface.OpenAsset.Reply(asset: asset, fileDescriptor: 0))
    typealias Status = AuthorizationInterface.GetStatus.Reply
    for status in AuthorizationInterface.AuthorizationStatus.allCases {
      var reply = Status(status: status)
      if isFull { (reply.expires, reply.selectionCount) = (Instant(microseconds: 1), 1) }
      try check(reply)
      let guide: AuthorizationInterface.Guide =
        isFull
        ? .init(
          title: "t", message: "\"m\"", steps: ["1", "2"], settingsCommand: "c", settingsAddress: "a",
          later: "l", heading: "h", openSettings: "o")
        : .init(title: "t", message: "\"m\"", steps: [])
      try check(guide)
      reply.guide = guide
      try check(reply)
    }
  }

  @Test("what reads itself reads what fits, and leaves it to the generic decoder to say what does not")
  func ownReading() throws {
    typealias Open = LibraryInterface.OpenAsset
    typealias Status = AuthorizationInterface.GetStatus
    #expect(Open.Parameters(reading: ["id": "i"]) == .init(id: "i"))
    #expect(Open.Parameters(reading: ["id": "i", "resource": nil]) == .init(id: "i"))
    #expect(
      Open.Parameters(reading: ["resource": "video", "id": "i"]) == .init(id: "i", resource: .video))
    let misfits: [(JSONObject, String)] = [
      (["id": 1], "id"), (["id": "i", "resource": 1], "resource"),
      (["id": "i", "resource": "x"], "resource"),
    ]
    for (object, field) in misfits {
      #expect(Open.Parameters(reading: object) == nil)
      #expect { try Open.read(object) } throws: { ($0 as? DecodingError)?.field == field }
    }
    #expect(Status.Parameters(reading: ["accessLevel": "addOnly"]) == .init(accessLevel: .addOnly))
    #expect(
      Status.Parameters(reading: ["language": "de", "accessLevel": "addOnly"])
        == .init(accessLevel: .addOnly, language: "de"))
    #expect(
      Status.Parameters(reading: ["accessLevel": "addOnly", "language": nil]) == .init(accessLevel: .addOnly))
    let misfitting: [JSONObject] = [
      [:], ["accessLevel": "x"], ["accessLevel": nil], ["accessLevel": "addOnly", "language": 1],
    ]
    for object in misfitting {
      #expect(Status.Parameters(reading: object) == nil)
      #expect(throws: DecodingError.self) { try Status.read(object) }
    }
  }
}

@Suite("Replies that read themselves from the text")
struct ReplyReadingTests {
  private typealias Library = LibraryInterface
  private static let asset = Library.Asset(
    id: "i", filename: "f", albums: [], mediaType: .image, byteCount: 1, created: Instant(microseconds: 0),
    modified: Instant(microseconds: 1), resources: [.photo], offline: false)
  private static let full = Library.Asset(
    id: "i", filename: "\"Grüße\"\n", percentEncodedFilename: "%FF", albums: ["a", "b"],
    mediaType: .livePhoto,
    byteCount: 123_456_789_012, created: Instant(microseconds: -1),
    modified: Instant(microseconds: 1_500_000),
    resources: [.photo, .pairedVideo, .sidecar], pixelWidth: 1, pixelHeight: 2, durationSeconds: 1.5,
    hasLocation: false, offline: true, contentHash: "sha256:00", isFavorite: true, isHidden: true,
    added: Instant(microseconds: 7), burstIdentifier: "b", representsBurst: true)

  private func read<Method: VarlinkMethod>(
    _ method: Method.Type, _ text: [UInt8]
  ) -> (reply: Method.Reply, continues: Bool)? {
    text.withUnsafeBufferPointer { Method.read(replyIn: $0) }
  }

  @Test("what the daemon writes is read straight from its text", arguments: [true, false])
  func own(continues: Bool) throws {
    let page = Library.FetchAssets.Reply(
      assets: [Self.asset, Self.full, Self.asset], total: 3, token: "t", cursor: continues ? "c" : nil)
    let ids = Library.FetchAssets.Reply(
      assets: [], total: 2, token: "t", cursor: continues ? "c" : nil, ids: ["i", "j"],
      keys: continues ? [-1, 1 << 50] : nil)
    for page in [page, ids] {
      let text = try Reply.encoded(page, continues: continues).dropLast()
      let read = try #require(self.read(Library.FetchAssets.self, Array(text)))
      #expect(read.reply == page && read.continues == continues)
    }
    let albums = Library.FetchAlbums.Reply(
      albums: [
        .init(id: "i", title: "t", assetCount: 1, shared: false, createdByCaller: true),
        .init(id: "raw", title: "RAW", assetCount: 1, shared: false, createdByCaller: false, smart: .raw),
        .init(
          id: "j", title: "u", percentEncodedTitle: "%FE", parent: "i", assetCount: 0, shared: true,
          createdByCaller: false, keyAsset: "k"),
      ], token: "t")
    for albums in [albums, .init(albums: [], token: "")] {
      let text = try Reply.encoded(albums).dropLast()
      #expect(self.read(Library.FetchAlbums.self, Array(text))?.reply == albums)
    }
  }

  @Test("a text that is anything else is left to the generic reader, which says the same of it or refuses it")
  func other() throws {
    let text = try Reply.encoded(
      Library.FetchAssets.Reply(assets: [Self.full], total: 1, token: "t", cursor: "c"), continues: true
    ).dropLast()
    let good = try #require(self.read(Library.FetchAssets.self, Array(text)))
    // Whatever is cut off, put in or changed: what is read fast is what would be read slowly.
    var rng = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      var damaged = Array(text)
      for _ in 0..<Int.random(in: 1...3, using: &rng) {
        let place = Int.random(in: damaged.indices, using: &rng)
        switch Int.random(in: 0..<4, using: &rng) {
        case 0: damaged[place] = UInt8.random(in: 0...255, using: &rng)
        case 1: damaged.remove(at: place)
        case 2: damaged.insert(damaged.randomElement(using: &rng) ?? 0x20, at: place)
        default: damaged.removeLast(min(place, damaged.count - 1) / 40)
        }
      }
      guard let fast = self.read(Library.FetchAssets.self, damaged) else { continue }
      let slow = try damaged.withUnsafeBufferPointer { try Reply(parsing: $0) }
      let decoded = try JSONDecoding.decode(Library.FetchAssets.Reply.self, from: .object(slow.parameters))
      #expect(fast.reply == decoded && fast.continues == slow.continues)
    }
    #expect(good.reply.assets == [Self.full])
    let page = try #require(String(validating: text, as: UTF8.self))
    for other in [
      page + " ", " " + page, "{}", "", page.replacing("\"total\":1", with: "\"total\":1,\"total\":1"),
      page.replacing("\"total\":1", with: "\"total\":01"),
      page.replacing("\"total\":1", with: "\"total\":1e0"),
      page.replacing("\"total\":1", with: "\"total\":9223372036854775808"),
      page.replacing("%FF", with: "\\u0000"),
      page.replacing("\"mediaType\":\"livePhoto\"", with: "\"mediaType\":\"hologram\""),
      #"{"error":"io.albumd.Library.TokenExpired","parameters":{}}"#,
    ] { #expect(self.read(Library.FetchAssets.self, Array(other.utf8)) == nil, "\(other)") }
  }
}

/// Keeps a value's own writing from being found.
private struct Generic<Value: Encodable>: Encodable {
  let value: Value

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension DecodingError {
  /// The field that does not fit.
  fileprivate var field: String? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context),
      .keyNotFound(_, let context):
      context.codingPath.last?.stringValue
    @unknown default: nil
    }
  }
}
