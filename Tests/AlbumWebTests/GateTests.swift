import Testing

@testable import AlbumWeb

/// Numbers that repeat, in place of random ones.
struct Counter: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state
  }
}

private let label = HostLabel("abcdefghijklmnopqrstuvwxyz")
private let names = SiteNames(
  host: "127.0.0.1", port: 7575, label: label ?? { preconditionFailure("26 letters are a label") }())

private func someSession() -> Session {
  var source = Counter(1)
  var sessions = Sessions()
  return sessions.begin(browser: "Browser", now: 0, using: &source)
}

@Suite("The gate of the page")
struct GateTests {
  private func verdict(
    _ method: String = "GET", _ path: String = "/apps", hosts: [String] = ["127.0.0.1:7575"],
    origin: String? = nil, site: String? = nil, session: Session? = someSession()
  ) -> Gate.Verdict {
    Gate(names: names).verdict(
      on: .init(method: method, path: path, hosts: hosts, origin: origin, site: site), session: session)
  }

  private func isRefused(_ verdict: Gate.Verdict, _ status: Int) -> Bool {
    if case .refuse(status, _) = verdict { true } else { false }
  }

  @Test("S61: the owner's browser comes in")
  func pass() {
    #expect(verdict() == .pass)
    #expect(verdict(hosts: ["localhost:7575"]) == .pass)
    #expect(verdict("POST", origin: "http://127.0.0.1:7575", site: "same-origin") == .pass)
    #expect(verdict("POST", origin: "http://127.0.0.1:7575") == .pass)
    // A form of a page that tells no referrer.
    #expect(verdict("POST", origin: "null", site: "same-origin") == .pass)
  }

  @Test("S61: the way in is taken by GET alone: a look ahead does not use it up")
  func entering() {
    #expect(verdict("GET", "/enter", session: nil) == .pass)
    #expect(isRefused(verdict("HEAD", "/enter", session: nil), 405))
    #expect(isRefused(verdict("HEAD", "/enter"), 405))
    #expect(verdict("HEAD", "/static/page.css", session: nil) == .pass)
  }

  @Test(
    "S61: DNS rebinding: a request to another name is refused, whoever sends it",
    arguments: [
      [], ["evil.example"], ["evil.example:7575"], ["127.0.0.1"], ["127.0.0.1:80"],
      ["127.0.0.1:7575.evil.example"],
      ["127.0.0.1:7575", "evil.example"],
    ])
  func rebinding(_ hosts: [String]) { #expect(isRefused(verdict(hosts: hosts), 421)) }

  @Test("S61: a whole address in the first line of a request says for whom it is, whatever its Host says")
  func target() {
    let own = "127.0.0.1:7575"
    func verdict(_ target: String, _ hosts: [String] = [own]) -> Gate.Verdict {
      self.verdict(hosts: RequestTarget.hosts(of: target, hosts))
    }
    for target in ["/", "/apps", "//evil.example/", "http://\(own)/apps", "http://\(own)", "HTTP://\(own)?x"]
    {
      #expect(verdict(target) == .pass, "\(target)")
    }
    #expect(verdict("http://LOCALHOST:7575/", ["localhost:7575"]) == .pass)
    for target in [
      "http://evil.example/", "http://evil.example", "https://evil.example:7575/", "http:///",
      "http:/\(own)/", "*",
      "ftp://\(own)/", "http://\(own)@evil.example/", "http://x@\(own)/", "http://\(own).evil.example/",
      "http://127.0.0.1/", "http://evil.example#http://\(own)/", "evil.example:80", own, "", "apps",
      " http://\(own)/",
    ] {
      #expect(isRefused(verdict(target), 421), "\(target)")
    }
    // The two are to be the same, also where the page has both names; and a Host there must be.
    for hosts in [["evil.example"], ["localhost:7575"], [own, own], []] {
      #expect(isRefused(verdict("http://\(own)/", hosts), 421), "\(hosts)")
    }
  }

  @Test(
    "S61: a form of another page is refused",
    arguments: [
      ("http://evil.example", "cross-site"), ("null", "cross-site"), ("null", nil), ("null", "none"),
      ("http://evil.example", "same-origin"), ("http://127.0.0.1:8080", "same-site"),
      ("https://127.0.0.1:7575", nil), (nil, "cross-site"), (nil, "same-site"), (nil, "none"), (nil, nil),
      ("http://127.0.0.1:7575", "cross-site"),
    ] as [(String?, String?)])
  func crossSite(_ origin: String?, _ site: String?) {
    #expect(isRefused(verdict("POST", origin: origin, site: site), 403))
  }

  @Test("S61: another page's script reads nothing")
  func crossOrigin() { #expect(isRefused(verdict(origin: "http://evil.example"), 403)) }

  @Test("S61: a page at another port, which is sent the cookie as well, gets nothing by it")
  func otherPort() { #expect(isRefused(verdict(origin: nil, site: "same-site"), 403)) }

  @Test("S61: a form without the session's token, or with another session's, changes nothing")
  func token() throws {
    var source = Counter(2)
    var sessions = Sessions()
    let one = sessions.begin(browser: "One", now: 0, using: &source)
    let other = sessions.begin(browser: "Other", now: 0, using: &source)
    #expect(Gate.isFrom(one, token: one.token.text))
    #expect(!Gate.isFrom(one, token: other.token.text))
    #expect(!Gate.isFrom(one, token: one.cookie.text))
    #expect(!Gate.isFrom(one, token: nil))
    #expect(!Gate.isFrom(one, token: ""))
  }

  @Test(
    "S61: without a session there is the way in, and nothing that is anybody's",
    arguments: ["/", "/apps", "/preview/1", "/api/days", "/events", "/prompt/1", "/enter/x", "/static"])
  func outside(_ path: String) {
    #expect(isRefused(verdict("GET", path, session: nil), 401))
    #expect(verdict("GET", "/enter", session: nil) == .pass)
    #expect(verdict("GET", "/static/style.css", session: nil) == .pass)
  }

  @Test("S61: other methods are refused", arguments: ["PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE"])
  func methods(_ method: String) { #expect(isRefused(verdict(method), 405)) }

  @Test("S61: nobody frames the page, no script is in it, and nothing of it is kept")
  func headers() throws {
    let headers = Dictionary(uniqueKeysWithValues: PageHeaders.all.map { ($0.name, $0.value) })
    let policy = try #require(headers["content-security-policy"])
    #expect(policy.contains("frame-ancestors 'none'"))
    #expect(policy.contains("default-src 'none'"))
    #expect(!policy.contains("unsafe"))
    #expect(!policy.contains("http"))
    #expect(headers["x-frame-options"] == "DENY")
    #expect(headers["cache-control"] == "no-store")
    #expect(headers["x-content-type-options"] == "nosniff")
    #expect(headers["referrer-policy"] == "no-referrer")
  }

  @Test("S61: browsers are let in by a name that nobody guesses, and by no other beneath it")
  func ownName() {
    let own = "abcdefghijklmnopqrstuvwxyz.localhost:7575"
    #expect(names.ownAddress == "http://\(own)" && names.address == "http://127.0.0.1:7575")
    #expect(names.isHost([own]) && names.isOrigin("http://\(own)"))
    for host in [
      "bbcdefghijklmnopqrstuvwxyz.localhost:7575", "x.\(own)", "abcdefghijklmnopqrstuvwxyz.localhost",
    ] {
      #expect(!names.isHost([host]) && !names.isOrigin("http://\(host)"))
    }
    var (one, other) = (Counter(1), Counter(2))
    #expect(HostLabel(using: &one) != HostLabel(using: &other))
    #expect(HostLabel(HostLabel(using: &one).text) != nil)
    for text in [
      "", "abc", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxy.", "abcdefghijklmnopqrstuvwxyz\n",
    ] {
      #expect(HostLabel(text) == nil)
    }
  }

  @Test("S61: behind a web server with a certificate only its name counts")
  func origin() throws {
    let names = try #require(SiteNames(origin: "https://photos.example.org"))
    #expect(names.isSecure)
    #expect(names.isHost(["photos.example.org"]))
    #expect(names.isHost(["Photos.Example.org"]))
    #expect(!names.isHost(["photos.example.org:8080"]))
    #expect(names.isOrigin("https://photos.example.org"))
    #expect(!names.isOrigin("http://photos.example.org"))
    #expect(SiteNames(origin: "photos.example.org") == nil)
    #expect(SiteNames(origin: "https://photos.example.org/path") == nil)
    #expect(SiteNames(origin: "https://") == nil)
  }
}

@Suite("Where the page listens")
struct ListenAddressTests {
  @Test("S61: a Unix socket or a loopback address")
  func good() throws {
    #expect(try ListenAddress("unix:/run/x", hasCertificate: false) == .unix("/run/x"))
    #expect(try ListenAddress("127.0.0.1:0", hasCertificate: false) == .loopback(host: "127.0.0.1", port: 0))
    #expect(
      try ListenAddress("127.3.2.1:80", hasCertificate: false) == .loopback(host: "127.3.2.1", port: 80))
    #expect(try ListenAddress("[::1]:7575", hasCertificate: false) == .loopback(host: "::1", port: 7575))
  }

  @Test("S61: with a certificate, where other computers reach it")
  func certified() throws {
    #expect(try ListenAddress("0.0.0.0:7575", hasCertificate: true) == .network(host: "0.0.0.0", port: 7575))
    #expect(try ListenAddress("[::]:443", hasCertificate: true) == .network(host: "::", port: 443))
    #expect(try ListenAddress("[fe80::1]:443", hasCertificate: true) == .network(host: "fe80::1", port: 443))
    #expect(try ListenAddress("127.0.0.1:1", hasCertificate: true) == .loopback(host: "127.0.0.1", port: 1))
  }

  @Test(
    "S61: a name is no address",
    arguments: ["localhost:80", "a.b:80", "[x]:80", "[]:80", "::1:80", "1.2.3:80", "0.0.0.0"])
  func uncertified(_ text: String) {
    #expect(throws: ListenAddress.Problem.self) { try ListenAddress(text, hasCertificate: true) }
  }

  @Test(
    "S61: on nothing else",
    arguments: [
      "0.0.0.0:7575", "[::]:7575", "192.168.1.2:80", "localhost:80", "127.0.0.1", "127.0.0.1:99999",
      "127.0.0.1.evil:80",
      "127.0.0.256:80", "127.1:80", ":80", "unix:relative", "unix:", "", "128.0.0.1:80", "+127.0.0.1:80",
    ])
  func bad(_ text: String) {
    #expect(throws: ListenAddress.Problem.self) { try ListenAddress(text, hasCertificate: false) }
  }
}
