import AlbumAPI
import Testing

@testable import AlbumWeb

@Suite("What a person looks for in the log (S64)")
struct LogFilterTests {
  @Test("Every filter finds something, and every line is found")
  func complete() {
    let found = ManagerInterface.AccessKind.allCases.map { LogFilter(finding: $0) }
    #expect(Set(found) == Set(LogFilter.allCases))
  }
}
