import Testing

@testable import AlbumWeb

@Suite("Since when an app's page is shown")
struct AppPagesTests {
  @Test("S64: what is sent from an app's page in its first half second was meant for something else")
  func settles() {
    var source = Counter(9)
    var sessions = Sessions()
    let one = sessions.begin(browser: "One", now: 0, using: &source)
    let other = sessions.begin(browser: "Other", now: 0, using: &source)
    var pages = AppPages()
    // A page from before this program was started.
    #expect(pages.isSettled(for: one, now: 0))
    pages.shown(to: one, now: 1000)
    #expect(!pages.isSettled(for: one, now: 500_999) && pages.isSettled(for: one, now: 501_000))
    #expect(pages.isSettled(for: other, now: 1000))
    // An app may open it once more.
    pages.shown(to: one, now: 2_000_000)
    #expect(!pages.isSettled(for: one, now: 2_000_001))
  }

  @Test("S64: of a page that nobody was shown for long nothing is remembered")
  func bounded() {
    var source = Counter(9)
    var sessions = Sessions()
    var pages = AppPages()
    for number in 0..<1000 {
      let session = sessions.begin(browser: "\(number)", now: 0, using: &source)
      pages.shown(to: session, now: Int64(number) * 100_000)
    }
    #expect(pages.count <= 6)
  }
}
