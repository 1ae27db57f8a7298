import Testing

@testable import AlbumWeb

@Suite("Text of others in a page")
struct HTMLTextTests {
  @Test(
    "S61: nothing that somebody wrote is more than text",
    arguments: [
      ("<script>", "&lt;script&gt;"), ("a\" onclick=\"b", "a&quot; onclick=&quot;b"),
      ("it's `x` & y", "it&#39;s &#96;x&#96; &amp; y"),
      // To Swift a quote with an accent on it is one character, and no quote.
      ("\"\u{0301} x", "&quot;\u{0301} x"), ("<\u{0301}", "&lt;\u{0301}"), ("&\u{FE0F}", "&amp;\u{FE0F}"),
      ("gpj.\u{202E}exe", "gpj.\u{FFFD}exe"), ("a\u{0}b\u{1B}[1m", "a\u{FFFD}b\u{FFFD}[1m"), ("照片 👨‍👩‍👧", "照片 👨‍👩‍👧"),
    ])
  func escaped(_ text: String, _ expected: String) {
    #expect(Array(HTMLText.escape(text).unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test(
    "S61: what a script shows as text turns no direction of writing either, and is else as it was written",
    arguments: [
      ("gpj.\u{202E}exe", "gpj.\u{FFFD}exe"), ("\u{2066}a\u{200F}\u{61C}", "\u{FFFD}a\u{FFFD}\u{FFFD}"),
      ("a\u{0}b\u{1B}\u{9B}", "a\u{FFFD}b\u{FFFD}\u{FFFD}"),
      ("<a href='x'> & \"y\"\n", "<a href='x'> & \"y\"\n"),
      ("照片 👨‍👩‍👧", "照片 👨‍👩‍👧"),
    ])
  func plain(_ text: String, _ expected: String) {
    #expect(Array(HTMLText.plain(text).unicodeScalars) == Array(expected.unicodeScalars))
  }
}

@Suite("Forms and headers of a browser")
struct FormTests {
  @Test(
    "S61: in the list of browsers each has the name that its person knows",
    arguments: [
      ("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox · Linux"),
      (
        "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36",
        "Chrome · Android"
      ),
      (
        "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36 Edg/142.0",
        "Edge · Windows"
      ),
      (
        "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 Version/19.0 Mobile Safari/604.1",
        "Safari · iPhone"
      ), ("curl/8.5.0", "curl/8.5.0"), ("", ""),
    ])
  func browsers(_ text: String, _ expected: String) {
    #expect(BrowserName(text).description == expected)
  }

  @Test("S65: a form's fields, as a browser without scripts sends them, whatever is in them")
  func fields() {
    let form = FormFields("a=1&b=x+y&c=%E7%85%A7&asset=1&asset=2&empty=&=no&d&e=1%3D2&bad=%zz&cut=%E".utf8)
    #expect(form["a"] == "1")
    #expect(form["b"] == "x y")
    #expect(form["c"] == "照")
    #expect(form.all("asset") == ["1", "2"])
    #expect(form["empty"] == nil)
    #expect(form["d"] == nil)
    #expect(form["e"] == "1=2")
    #expect(form["bad"] == "%zz")
    #expect(form["cut"] == "%E")
    #expect(FormFields("x=%FF".utf8)["x"] == nil)
    #expect(FormFields("".utf8)["x"] == nil)
  }

  @Test(
    "S65: a % that begins no escape is a letter, and takes nothing of what is behind it",
    arguments: [
      ("q=50%&album=x", ["50%"], ["x"]), ("q=5%0&album=x", ["5%0"], ["x"]),
      ("q=%&q=%%41&album=%4&album=x", ["%", "%A"], ["%4", "x"]),
      ("q=%+%41&%album=x&album=%", ["% A"], ["%"]), ("q%3=1&q=%E7%85%A7%&album=x", ["照%"], ["x"]),
    ] as [(String, [String], [String])])
  func percent(_ text: String, _ found: [String], _ albums: [String]) {
    let form = FormFields(text.utf8)
    #expect(form.all("q") == found)
    #expect(form.all("album") == albums)
  }

  @Test("S63: no more fields than a selection may have")
  func bounded() {
    let form = FormFields(String(repeating: "a=1&", count: FormFields.limit + 10).utf8)
    #expect(form.all("a").count == FormFields.limit)
  }

  @Test(
    "S64: the languages of a browser, best first",
    arguments: [
      ("zh-CN,zh;q=0.9,en;q=0.8", ["zh-CN", "zh", "en"]), ("en;q=0.5, de", ["de", "en"]),
      ("fr;q=0, en", ["en"]),
      ("", []), ("*;q=0.1, \u{0}<>", []), ("en;q=x", ["en"]),
    ] as [(String, [String])])
  func languages(_ header: String, _ expected: [String]) { #expect(AcceptLanguage.tags(header) == expected) }
}
