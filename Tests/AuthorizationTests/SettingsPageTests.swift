import Testing

@testable import Authorization

@Suite("Pages with the owners' settings")
struct SettingsPageTests {
  private let app = AppKey(uid: 1000, appID: "org.example.W")
  private let owners = OwnerRules(uids: [1000, 1001])

  private func address(_ pages: SettingsPages<Int>, _ app: AppKey? = nil, gone: Set<Int> = []) -> String? {
    pages.address(for: app ?? self.app, owners: owners) { !gone.contains($0) }
  }

  @Test(
    "S15: an origin is https, a host in lower case, and a port or none; nothing else is told to an app",
    arguments: [
      "http://photos.example.org", "https://", "photos.example.org", "https://Photos.example.org",
      "https://photos.example.org/", "https://photos.example.org/apps", "https://me@photos.example.org",
      "https://photos.example.org:", "https://photos.example.org:123456", "https://photos.example.org:1:2",
      "https://photos.example.org?x", "https://photos.example.org#x", "https://a b", "https://a\nb",
      "https://-a",
      "https://.a", "https://\u{e4}.org", "javascript:alert(1)", "albumd:settings", "file:///etc/passwd", "",
      "https://" + String(repeating: "a", count: 248),
    ])
  func refused(_ origin: String) { #expect(SettingsPage(origin: origin) == nil) }

  @Test("S15: the address is the page's at the app, in parts of a path that lead nowhere else")
  func addresses() throws {
    let page = try #require(SettingsPage(origin: "https://photos.example.org:8443"))
    #expect(page.address(of: app) == "https://photos.example.org:8443/apps/org.example.W/1000")
    #expect(SettingsPage.desktop.address(of: app) == "albumd:settings/org.example.W")
    let odd = AppKey(uid: 7, appID: "/opt/a b#1:\u{e4}")
    #expect(SettingsPage.desktop.address(of: odd) == "albumd:settings/%2Fopt%2Fa%20b%231%3A%C3%A4")
    #expect(page.address(of: odd).hasSuffix("/apps/%2Fopt%2Fa%20b%231%3A%C3%A4/7"))
    // What would be longer than anybody opens.
    let long = AppKey(uid: 7, appID: String(repeating: "/", count: SettingsPage.addressLimit / 3))
    #expect(SettingsPage.desktop.address(of: long) == "albumd:settings")
    #expect(page.address(of: long) == "https://photos.example.org:8443/apps")
    #expect(SettingsPage(origin: "https://" + String(repeating: "a", count: 247)) != nil)
  }

  @Test("S15, S46: an app is led to the page of its own user, if that is an owner, the newest one")
  func own() {
    var pages = SettingsPages<Int>()
    #expect(address(pages) == nil)
    #expect(pages.begin(1, uid: 1000, .desktop) == nil)
    #expect(pages.begin(2, uid: 1001, .origin("https://other")) == nil)
    #expect(address(pages) == "albumd:settings/org.example.W")
    #expect(pages.begin(3, uid: 1000, .origin("https://own")) == nil)
    #expect(address(pages) == "https://own/apps/org.example.W/1000")
    #expect(
      address(pages, gone: [3]) == "albumd:settings/org.example.W", "whose process may not act for an owner")
    pages.end(3)
    #expect(address(pages) == "albumd:settings/org.example.W")
    pages.end(1)
    #expect(address(pages) == nil, "another owner's page is not theirs")
  }

  @Test("S15, S46: who is no owner is led to any owner's, but not to what only that one's desktop opens")
  func others() {
    var pages = SettingsPages<Int>()
    let child = AppKey(uid: 2000, appID: "org.example.W")
    _ = pages.begin(1, uid: 1000, .desktop)
    #expect(address(pages, child) == nil)
    _ = pages.begin(2, uid: 1001, .origin("https://home"))
    #expect(address(pages, child) == "https://home/apps/org.example.W/2000")
    // A page of who is no owner, or none any more, is nobody's.
    _ = pages.begin(3, uid: 2000, .desktop)
    #expect(address(pages, child) == "https://home/apps/org.example.W/2000")
  }

  @Test("S15: of a user's pages so many are kept, and others' are not touched by that")
  func bounded() {
    var pages = SettingsPages<Int>()
    _ = pages.begin(100, uid: 1001, .desktop)
    for number in 0..<SettingsPages<Int>.limit { #expect(pages.begin(number, uid: 1000, .desktop) == nil) }
    #expect(pages.begin(50, uid: 1000, .desktop) == 0)
    #expect(pages.begin(51, uid: 1000, .desktop) == 1)
    #expect(address(pages, AppKey(uid: 1001, appID: "a")) == "albumd:settings/a")
  }
}
