import Testing

@testable import AlbumWeb

@Suite("Icons that are read, and those that do not come")
struct IconBookTests {
  @Test("S62: one reads, and reads each icon once, whoever wants it meanwhile")
  func one() {
    var book = IconBook<String>()
    #expect(book.want(["a", "b"], now: 0) == (true, true))
    #expect(book.next() == "a")
    #expect(book.want(["b", "a"], now: 0) == (false, true))
    book.read("a", "A", now: 0)
    #expect(book.icon("a") == "A" && book.icon("b") == nil)
    #expect(book.want(["a"], now: 1) == (false, false))
    #expect(book.next() == "b")
    book.read("b", nil, now: 0)
    #expect(book.next() == nil)
    // There is none yet, which may be otherwise the next time.
    #expect(book.want(["b"], now: 1) == (true, true))
  }

  @Test("S62: of an icon that does not come a page waits once; the next one is waited for")
  func late() {
    var book = IconBook<String>()
    #expect(book.want(["hangs"], now: 0) == (true, true))
    #expect(book.next() == "hangs")
    book.gaveUp()
    for _ in 0..<3 { #expect(book.want(["hangs"], now: 1) == (false, false)) }
    #expect(book.want(["hangs", "other"], now: 2) == (false, true))
    book.gaveUp()
    #expect(book.want(["hangs", "other"], now: 3) == (false, false))
    // It answers again.
    book.read("hangs", "H", now: 4)
    #expect(book.icon("hangs") == "H" && book.next() == "other")
    book.read("other", "O", now: 5)
    #expect(book.next() == nil)
    #expect(book.want(["hangs", "other"], now: 6) == (false, false))
  }

  @Test("S62: an icon is looked for again after a while, and is the former one until that is read")
  func again() {
    var book = IconBook<String>(lifetime: 100)
    _ = book.want(["a"], now: 0)
    _ = book.next()
    book.read("a", "A", now: 0)
    #expect(book.next() == nil)
    #expect(book.want(["a"], now: 100) == (false, false))
    #expect(book.want(["a"], now: 101) == (true, true))
    #expect(book.icon("a") == "A")
    book.read("a", nil, now: 101)
    #expect(book.icon("a") == nil)
  }

  @Test("S62: no more icons wait, and no more are kept, than fit")
  func bounded() {
    var book = IconBook<Int>(limit: 4)
    let names = (0..<10).map { "\($0)" }
    _ = book.want(names, now: 0)
    var read: [String] = []
    while let name = book.next() {
      read.append(name)
      book.read(name, 1, now: 0)
    }
    #expect(read == ["0", "1", "2", "3"])
    _ = book.want(["9"], now: 1)
    _ = book.next()
    book.read("9", 1, now: 1)
    #expect(names.count { book.icon($0) != nil } == 4 && book.icon("9") != nil)
  }
}
