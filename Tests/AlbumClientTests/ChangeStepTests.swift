import Testing

@testable import AlbumClient

@Suite("Requests in steps") struct ChangeStepTests {
  @Test("items that follow each other into one album go together, and know their place in the request")
  func additions() {
    var request = PhotoChangeRequest()
    let item = MediaSource.bytes([])
    for _ in 0..<3 { request.addPhoto(from: item) }
    for _ in 0..<2 { request.addPhoto(from: item, to: "trip") }
    request.append(.delete(["1"]))
    request.addPhoto(from: item, to: "trip")
    request.addPhoto(from: item)
    #expect(
      ChangeStep.steps(of: request.changes).map(text) == [
        "3 from 0", "2 from 3 into trip", "5", "1 from 6 into trip", "1 from 7",
      ])
    #expect(ChangeStep.steps(of: []).isEmpty)
  }

  private func text(_ step: ChangeStep) -> String {
    switch step {
    case .add(let additions, let album, let first):
      "\(additions.count) from \(first)" + (album?.photoIdentifier.map { " into \($0)" } ?? "")
    case .other(_, let index): "\(index)"
    }
  }
}
