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
      (album.percentEncodedTitle, album.parent) = ("p", "q")
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
          later: "l")
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
