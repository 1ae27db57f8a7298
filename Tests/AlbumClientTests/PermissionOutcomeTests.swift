import AlbumAPI
import Testing

@testable import AlbumClient

@Suite("What comes of asking")
struct PermissionOutcomeTests {
  private let guide = AuthorizationInterface.Guide(title: "t", message: "m", steps: ["s"])

  @Test("S74: a refusal has a guide, and no other outcome; an app's own words go into that alone")
  func guides() {
    let outcomes: [PermissionOutcome<Int>] = [
      .done(1), .denied(guide), .restricted(guide), .notNow, .noAgent,
    ]
    #expect(outcomes.map { $0.guide != nil } == [false, true, true, false, false])
    #expect(outcomes.map(\.value) == [1, nil, nil, nil, nil])
    for outcome in outcomes {
      let other = outcome.map { "\($0)" }.withGuide { guide in
        var guide = guide
        guide.title = "own"
        return guide
      }
      #expect(other.value == outcome.value.map { "\($0)" })
      #expect(other.guide?.title == outcome.guide.map { _ in "own" })
      #expect(other.guide?.steps == outcome.guide?.steps)
    }
  }

  @Test("S74: progress goes by bytes where those are known, else by items, and is whole of nothing")
  func progress() {
    func fraction(_ completed: Int, _ total: Int, _ bytes: Int64, _ all: Int64) -> Double {
      SaveProgress(completed: completed, total: total, completedBytes: bytes, totalBytes: all).fraction
    }
    #expect(fraction(1, 2, 30, 40) == 0.75)
    #expect(fraction(1, 2, 0, 0) == 0.5)
    #expect(fraction(0, 0, 0, 0) == 1)
  }
}
