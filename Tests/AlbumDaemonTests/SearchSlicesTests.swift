import Testing

@testable import AlbumDaemon

@Suite("Searches go on in slices (0151)")
struct SearchSlicesTests {
  /// Of so many users each has had its first slice.
  private func slices(_ users: ClosedRange<UInt32>) -> SearchSlices {
    var slices = SearchSlices()
    for user in users {
      slices.begin(user)
      slices.rest(user)
    }
    return slices
  }

  @Test("so many are in their first slice, whatever else goes on")
  func first() {
    var slices = slices(1...4)
    #expect(slices.next() == 1 && slices.next() == 2 && slices.next() == nil)
    for user in UInt32(0)..<UInt32(SearchSlices.mostFirst) {
      #expect(slices.hasRoom)
      slices.begin(100 + user)
    }
    #expect(!slices.hasRoom)
    slices.rest(100)
    #expect(slices.hasRoom)
    slices.begin(200)
    slices.end(200)
    #expect(slices.hasRoom)
  }

  @Test("after that all have a slice before one has another, however long each takes")
  func inTurn() {
    var slices = slices(1...5)
    var had: [UInt32] = []
    var going: [UInt32] = []
    for _ in 0..<20 {
      while let user = slices.next() {
        going.append(user)
        had.append(user)
      }
      #expect(going.count == SearchSlices.mostLater)
      slices.rest(going.removeFirst())
    }
    #expect(had.starts(with: [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]))
    for user in UInt32(1)...5 { #expect((4...5).contains(had.count { $0 == user })) }
  }

  @Test("so many have begun and not ended, whether they rest or not; who ends while it rests is forgotten")
  func begun() {
    let most = UInt32(SearchSlices.mostBegun)
    var slices = slices(1...most)
    #expect(!slices.hasRoom && slices.count == SearchSlices.mostBegun)
    slices.end(1)
    #expect(slices.hasRoom && !slices.has(1))
    #expect(slices.next() == 2)
    slices.end(2)
    #expect(slices.next() == 3 && slices.next() == 4 && slices.next() == nil)
  }
}
