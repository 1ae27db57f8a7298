import Testing

@testable import AlbumClient

@Suite("Ids as they fit a message")
struct IdentifierBatchesTests {
  @Test("no ids at all are one question, and so are none")
  func few() {
    #expect(Array(IdentifierBatches(nil)) == [nil])
    #expect(Array(IdentifierBatches([])) == [[]])
    #expect(Array(IdentifierBatches(["b", "a"])) == [["a", "b"]])
  }

  @Test("any number of ids are asked for in messages that the daemon takes")
  func many() {
    let all = Set((0..<80_000).map { "id \($0)" } + [String(repeating: "made up", count: 1_000_000)])
    let batches = Array(IdentifierBatches(all)).compactMap { $0 }
    #expect(batches.count > 1)
    #expect(Set(batches.joined()) == all.filter { $0.utf8.count < 100 })
    #expect(batches.joined().count == 80_000)
    for batch in batches {
      #expect(batch.reduce(0) { $0 + $1.utf8.count + 3 } <= IdentifierBatches.limit + 259)
    }
  }
}
