import AlbumAPI
import Testing
import Varlink

@Suite("Types that read themselves")
struct HotMessageTests {
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
    for object: JSONObject in [[:], ["accessLevel": "x"], ["accessLevel": nil]] {
      #expect(Status.Parameters(reading: object) == nil)
      #expect(throws: DecodingError.self) { try Status.read(object) }
    }
  }
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
