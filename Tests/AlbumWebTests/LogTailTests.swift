import AlbumAPI
import Testing

@testable import AlbumWeb

@Suite("The last lines of the log that somebody looks for (S64)")
struct LogTailTests {
  private static func lines(_ ids: Range<Int>, of app: String) -> [ManagerInterface.AccessLogEntry] {
    ids.map { id in
      .init(
        id: id, time: Instant(microseconds: Int64(id)), count: 1, appId: app, uid: 0, kind: .fetch)
    }
  }

  @Test("They are found before however many of another app")
  func foundBefore() {
    var tail = LogTail(300) { $0.appId == "quiet" }
    tail.take(Self.lines(0..<3, of: "quiet"))
    for part in 0..<100 { tail.take(Self.lines(1000 * part + 3..<1000 * part + 1003, of: "busy")) }
    #expect(tail.entries.map(\.id) == [0, 1, 2])
  }

  @Test("Only the last are kept, in their order")
  func bounded() {
    var tail = LogTail(300) { _ in true }
    for part in 0..<10 { tail.take(Self.lines(250 * part..<250 * part + 250, of: "busy")) }
    #expect(tail.entries.map(\.id) == Array(2200..<2500))
    #expect(tail.left == 2200)
  }

  @Test("What is older than a line ends before it, and the rest is counted")
  func before() {
    var tail = LogTail(300, before: 400) { $0.id.isMultiple(of: 2) }
    for part in 0..<10 { tail.take(Self.lines(250 * part..<250 * part + 250, of: "busy")) }
    #expect(tail.entries.map(\.id) == Array(stride(from: 0, to: 400, by: 2)) && tail.left == 0)
    var second = LogTail(30, before: 400) { _ in true }
    second.take(Self.lines(0..<500, of: "busy"))
    #expect(second.entries.map(\.id) == Array(370..<400) && second.left == 370)
  }
}
