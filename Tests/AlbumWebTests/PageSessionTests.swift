import Testing

@testable import AlbumWeb

@Suite("Codes that let a browser in")
struct EntryCodeTests {
  private let minute: Int64 = 60_000_000

  @Test("S61: a code works once")
  func once() {
    var source = Counter(1)
    var codes = EntryCodes()
    let code = codes.issue(now: 0, using: &source)
    #expect(codes.redeem(code.text, now: minute) == .welcome)
    #expect(codes.redeem(code.text, now: minute) == .wrong)
  }

  @Test("S61: a code that somebody shows who is in already works no more; others do")
  func burnt() {
    var source = Counter(1)
    var codes = EntryCodes()
    let (code, other) = (codes.issue(now: 0, using: &source), codes.issue(now: 0, using: &source))
    codes.burn(code.text)
    codes.burn("no code")
    #expect(codes.redeem(code.text, now: minute) == .wrong)
    #expect(codes.redeem(other.text, now: minute) == .welcome)
  }

  @Test("S61: and for two minutes")
  func expires() {
    var source = Counter(1)
    var codes = EntryCodes()
    let code = codes.issue(now: 0, using: &source)
    let late = codes.issue(now: 1, using: &source)
    #expect(codes.redeem(code.text, now: 2 * minute) == .wrong)
    #expect(codes.redeem(late.text, now: 2 * minute) == .welcome)
  }

  @Test("S61: whoever guesses waits, and keeps out nobody who knows")
  func guessed() {
    var source = Counter(1)
    var codes = EntryCodes()
    let code = codes.issue(now: 0, using: &source)
    for number in 0..<EntryCodes.waitingLimit {
      #expect(codes.redeem(Secret(using: &source).text, now: Int64(number)) == .wrong)
    }
    #expect(codes.redeem("guess", now: 9) == .busy)
    #expect(codes.redeem(code.text, now: 10) == .welcome)
    codes.answered()
    #expect(codes.redeem("guess", now: 11) == .wrong)
  }

  @Test("S61: links that nobody follows are void in the end")
  func bounded() {
    var source = Counter(1)
    var codes = EntryCodes()
    let all = (0...EntryCodes.limit).map { codes.issue(now: Int64($0), using: &source) }
    #expect(codes.redeem(all[0].text, now: 100) == .wrong)
    #expect(codes.redeem(all[1].text, now: 100) == .welcome)
  }
}

@Suite("Sessions of the page")
struct SessionTests {
  private let day: Int64 = 86_400

  @Test("S61: a session lasts thirty days")
  func lasts() {
    var source = Counter(3)
    var sessions = Sessions()
    let session = sessions.begin(browser: "B", now: 0, using: &source)
    #expect(sessions.find(session.cookie, now: 30 * day - 1) != nil)
    #expect(sessions.find(session.cookie, now: 30 * day) == nil)
    #expect(sessions.all.isEmpty)
  }

  @Test("S61: a session is none once it was ended, nor is the name in the list a way in")
  func revoked() {
    var source = Counter(3)
    var sessions = Sessions()
    let one = sessions.begin(browser: "One", now: 0, using: &source)
    let other = sessions.begin(browser: "Other", now: 0, using: &source)
    #expect(Secret(one.name) == nil)
    #expect(sessions.end(named: one.name)?.name == one.name)
    #expect(sessions.end(named: one.name) == nil)
    #expect(sessions.find(one.cookie, now: 1) == nil)
    #expect(sessions.find(other.cookie, now: 1) != nil)
  }

  @Test("S60, S61: sessions outlive the program, and a file that somebody broke lets nobody in")
  func file() throws {
    var source = Counter(4)
    var sessions = Sessions()
    let session = sessions.begin(browser: "Mozilla/5.0\t(X11)\nevil", now: 1000, using: &source)
    var read = Sessions(file: sessions.file + "rubbish\nmore\trubbish\n", now: 2000)
    #expect(read.all.count == 1)
    #expect(read.find(session.cookie, now: 2000)?.token == session.token)
    #expect(Sessions(file: sessions.file, now: 1000 + 30 * day).all.isEmpty)
    // A time that is none, which counted in microseconds would be the end of the program.
    let parts = sessions.file.split(separator: "\t", omittingEmptySubsequences: false)
    try #require(parts.count >= 5)
    for place in [2, 3] {
      for time in ["9223372036854775807", "9223372036855", "-1"] {
        var wrong = parts
        wrong[place] = Substring(time)
        #expect(Sessions(file: wrong.joined(separator: "\t"), now: 2000).all.isEmpty, "\(place) \(time)")
      }
    }
  }

  @Test("S61: what is kept of sessions lets nobody in who reads it")
  func hashed() {
    var source = Counter(4)
    var sessions = Sessions()
    let session = sessions.begin(browser: "B", now: 1000, using: &source)
    #expect(!sessions.file.contains(session.cookie.text))
    #expect(!sessions.file.contains(session.token.text))
    #expect(session.token != session.cookie)
    let kept = sessions.file.split { $0.isWhitespace }.compactMap { Secret($0) }
    #expect(kept.count == 1)
    var read = Sessions(file: sessions.file, now: 1000)
    for secret in kept { #expect(read.find(secret, now: 1000) == nil) }
    // A file of before, which held cookies, lets nobody in either.
    let old = [session.cookie.text, session.token.text, "name", "1000", "1000", "B"].joined(separator: "\t")
    #expect(Sessions(file: old, now: 1000).all.isEmpty)
  }

  @Test("S61: a page knows when its session is none any more")
  func pages() {
    var source = Counter(4)
    var sessions = Sessions()
    let session = sessions.begin(browser: "B", now: 0, using: &source)
    #expect(sessions.has(session.name, now: 30 * day - 1))
    #expect(!sessions.has(session.name, now: 30 * day))
    _ = sessions.end(named: session.name)
    #expect(!sessions.has(session.name, now: 1))
  }

  @Test("S61: no more sessions than fit, those of long ago ending first")
  func bounded() {
    var source = Counter(5)
    var sessions = Sessions()
    let first = sessions.begin(browser: "First", now: 0, using: &source)
    for number in 0..<Sessions.limit { _ = sessions.begin(browser: "\(number)", now: 10, using: &source) }
    #expect(sessions.all.count == Sessions.limit)
    #expect(sessions.find(first.cookie, now: 11) == nil)
  }

  @Test("S61: who was here last stays, though all came within an hour, and after a restart too")
  func idle() {
    var source = Counter(5)
    var sessions = Sessions()
    let all = (0..<Sessions.limit).map {
      sessions.begin(browser: "\($0)", now: 7200 + Int64($0), using: &source)
    }
    #expect(sessions.find(all[0].cookie, now: 7300) != nil)
    var next = sessions.begin(browser: "next", now: 7301, using: &source)
    #expect(sessions.find(all[0].cookie, now: 7302) != nil && sessions.find(all[1].cookie, now: 7302) == nil)
    sessions = Sessions(file: sessions.file, now: 7303)
    #expect(sessions.find(all[2].cookie, now: 7304) != nil && sessions.find(next.cookie, now: 7304) != nil)
    next = sessions.begin(browser: "after", now: 7305, using: &source)
    #expect(sessions.find(all[2].cookie, now: 7306) != nil && sessions.find(next.cookie, now: 7306) != nil)
  }

  @Test("S61: the cookie is for this page alone, and is taken from where it is in once")
  func cookie() throws {
    var source = Counter(6)
    var sessions = Sessions()
    let session = sessions.begin(browser: "", now: 0, using: &source)
    let plain = PageHeaders.cookie(of: session, isSecure: false)
    #expect(plain.contains("HttpOnly") && plain.contains("SameSite=Strict") && !plain.contains("Secure"))
    #expect(PageHeaders.cookie(of: session, isSecure: true).contains("; Secure"))
    let text = session.cookie.text
    #expect(PageHeaders.cookie(in: "a=b; albumd=\(text); c=d", isSecure: false) == session.cookie)
    #expect(PageHeaders.cookie(in: "albumd=\(text); albumd=\(text)", isSecure: false) == nil)
    #expect(PageHeaders.cookie(in: "albumd=\(text)", isSecure: true) == nil)
    #expect(PageHeaders.cookie(in: "albumd=short", isSecure: false) == nil)
    #expect(PageHeaders.cookie(in: "", isSecure: false) == nil)
  }

  @Test("S61: secrets differ, and are compared as a whole")
  func secrets() throws {
    var source = SystemRandomNumberGenerator()
    let one = Secret(using: &source)
    #expect(one.text.utf8.count == 43)
    #expect(!one.isSame(as: Secret(using: &source)))
    #expect(one.isSame(as: try #require(Secret(one.text))))
    #expect(Secret(one.text.dropLast()) == nil)
    #expect(Secret(one.text.dropLast() + " ") == nil)
  }
}
