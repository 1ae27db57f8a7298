import Testing

@testable import LibraryModel

@Suite
struct EventReducerTests {
  private let album = DirectoryID(rawValue: 1)
  private let other = DirectoryID(rawValue: 2)

  private func hints(
    _ events: [WatchEvent], expireAt: UInt64? = nil, _ prepare: (inout EventReducer) -> Void = { _ in }
  ) -> [EventReducer.Hint] {
    var reducer = EventReducer(moveWindow: 50)
    _ = reducer.watch(1, album)
    _ = reducer.watch(2, other)
    prepare(&reducer)
    for event in events { reducer.receive(event, now: 0) }
    if let expireAt { reducer.expire(now: expireAt) }
    var hints: [EventReducer.Hint] = []
    while let hint = reducer.next() { hints.append(hint) }
    return hints
  }

  private func event(
    _ mask: WatchEvent.Mask, _ name: String, watch: Int32 = 1, cookie: UInt32 = 0
  ) -> WatchEvent {
    WatchEvent(watch: watch, mask: mask, cookie: cookie, name: FileName(name))
  }

  private func at(_ name: String, in directory: DirectoryID? = nil) -> Location {
    Location(directory ?? album, FileName(name))
  }

  @Test("4: the halves of a rename are paired across reads")
  func paired() {
    #expect(
      hints([event(.movedFrom, "a.jpg", cookie: 7), event(.movedTo, "b.jpg", watch: 2, cookie: 7)])
        == [.moved(from: at("a.jpg"), to: at("b.jpg", in: other))])
  }

  @Test("4, S39: a first half alone waits for its deadline, and is then a move to where nobody listens")
  func alone() {
    #expect(hints([event(.movedFrom, "a.jpg", cookie: 7)], expireAt: 49) == [])
    #expect(
      hints([event(.movedFrom, "a.jpg", cookie: 7)], expireAt: 50) == [
        .examine(at("a.jpg"), removal: true, .left)
      ])
  }

  @Test("4, S39: how a file has left its name is told of that one, whatever else was told of the name")
  func left() {
    let gone = event(.movedFrom, "a.jpg", cookie: 7)
    for (before, removal, evidence) in [
      ([event(.create, "a.jpg")], true, EventReducer.Evidence.left),
      ([event(.create, "a.jpg"), event(.closeWrite, "a.jpg")], true, .left),
      ([event(.attributes, "a.jpg")], true, .left),
      ([event(.delete, "a.jpg")], true, .removed),
    ] {
      #expect(hints(before + [gone], expireAt: 50) == [.examine(at("a.jpg"), removal: removal, evidence)])
    }
    // What was made under the name is another.
    #expect(hints([event(.delete, "a.jpg")]) == [.examine(at("a.jpg"), removal: true, .removed)])
    #expect(
      hints([event(.delete, "a.jpg"), event(.create, "a.jpg")])
        == [.examine(at("a.jpg"), removal: true, .made)])
    #expect(
      hints([gone, event(.create, "a.jpg"), event(.closeWrite, "a.jpg")], expireAt: 50)
        == [.examine(at("a.jpg"), removal: true, .closed)])
  }

  @Test("S40: a new file is examined once when it was closed, and checked when it was not")
  func completeness() {
    #expect(
      hints([event(.create, "a.jpg"), event(.closeWrite, "a.jpg"), event(.attributes, "a.jpg")])
        == [.examine(at("a.jpg"), removal: false, .closed)])
    #expect(hints([event(.create, "a.jpg")]) == [.examine(at("a.jpg"), removal: false, .made)])
  }

  @Test("14, S40: attributes say nothing of the writer of a file that was just made")
  func attributes() {
    #expect(
      hints([event(.create, "a.jpg"), event(.attributes, "a.jpg")])
        == [.examine(at("a.jpg"), removal: false, .made)])
    #expect(
      hints([event(.attributes, "a.jpg")]) {
        $0.wait(for: Location(DirectoryID(rawValue: 1), FileName("a.jpg")), .made)
      }
        == [.examine(at("a.jpg"), removal: false, .made)])
    #expect(hints([event(.attributes, "a.jpg")]) == [.examine(at("a.jpg"), removal: false, .none)])
  }

  @Test("14, 15, S40: what was closed and has gone says nothing of what is made under its name")
  func remade() {
    #expect(
      hints([event(.closeWrite, "a.jpg"), event(.delete, "a.jpg"), event(.create, "a.jpg")])
        == [.examine(at("a.jpg"), removal: true, .made)])
    #expect(
      hints([event(.closeWrite, "a.jpg"), event(.movedFrom, "a.jpg", cookie: 1), event(.create, "a.jpg")])
        == [.examine(at("a.jpg"), removal: false, .made)])
    #expect(
      hints([event(.delete, "a.jpg"), event(.create, "a.jpg"), event(.closeWrite, "a.jpg")])
        == [.examine(at("a.jpg"), removal: true, .closed)])
    #expect(
      hints([
        event(.movedFrom, "b.jpg", cookie: 1), event(.movedTo, "a.jpg", cookie: 1),
        event(.delete, "a.jpg"), event(.create, "a.jpg"),
      ]) == [.moved(from: at("b.jpg"), to: at("a.jpg")), .examine(at("a.jpg"), removal: true, .made)])
  }

  @Test("S40: only what may have been closed unheard is looked at again by itself")
  func rechecked() {
    let (a, b, c) = (at("a.jpg"), at("b.jpg"), at("c.jpg"))
    #expect(
      hints([]) {
        $0.wait(for: a, .made)
        $0.wait(for: b, .none)
        $0.wait(for: c, .made, hasWriter: false)
        $0.recheck()
      } == [.examine(b, removal: false, .none), .examine(c, removal: false, .made)])
    #expect(
      hints([event(.create, "b.jpg")]) {
        $0.wait(for: b, .none)
        $0.stopWaiting(for: a)
      } == [.examine(b, removal: false, .made)])
  }

  @Test("S40: hidden names, partial downloads and what is no media are not looked at")
  func uncounted() {
    for name in [".a.jpg", "a.jpg.part", "a.jpg.crdownload", "a.jpg~", "notes.txt", "jpg"] {
      #expect(hints([event(.create, name), event(.closeWrite, name), event(.delete, name)]) == [])
    }
    #expect(hints([event([.create, .isDirectory], ".trash")]) == [])
  }

  @Test("S40: a download that is renamed counts; a file renamed to a partial name is gone")
  func renamedFromAndToPartial() {
    #expect(
      hints([event(.movedFrom, "a.part", cookie: 1), event(.movedTo, "a.jpg", cookie: 1)])
        == [.examine(at("a.jpg"), removal: false, .renamed)])
    #expect(
      hints([event(.movedFrom, "a.jpg", cookie: 1), event(.movedTo, "a.jpg~", cookie: 1)])
        == [.examine(at("a.jpg"), removal: true, .none)])
  }

  @Test("S40: the closing of a file without a name checks the files that are being written")
  func unnamed() {
    #expect(
      hints([event(.closeWrite, "#4711")]) {
        $0.wait(for: Location(DirectoryID(rawValue: 2), FileName("t.jpg")), .made)
      }
        == [.examine(at("t.jpg", in: other), removal: false, .made)])
  }

  @Test("a rename takes along what was to be looked at, and a chain of renames is one")
  func chain() {
    #expect(
      hints([
        event(.closeWrite, "a.jpg"), event(.movedFrom, "a.jpg", cookie: 1),
        event(.movedTo, "b.jpg", cookie: 1),
        event(.movedFrom, "b.jpg", cookie: 2), event(.movedTo, "c.jpg", cookie: 2),
      ]) == [.examine(at("b.jpg"), removal: true, .none), .moved(from: at("a.jpg"), to: at("c.jpg"))])
  }

  @Test("5, 8: a watch that was removed, or that the kernel dropped, is heard no more")
  func forgotten() {
    #expect(hints([event(.closeWrite, "a.jpg")]) { _ = $0.unwatch(1) } == [])
    #expect(hints([event(.ignored, ""), event(.closeWrite, "a.jpg")]) == [.checkDirectory(album)])
  }

  @Test("5, S40: a directory that leaves costs what waits in it, not what waits in all others")
  func unwatchedAmongMany() {
    let (count, started) = (20_000, ContinuousClock.now)
    var reducer = EventReducer()
    _ = reducer.watch(1, album)
    _ = reducer.watch(2, other)
    for number in 0..<count { reducer.wait(for: at("\(number).jpg"), .none) }
    reducer.wait(for: at("a.jpg", in: other), .none)
    for number in 3..<Int32(count) {
      _ = reducer.watch(number, DirectoryID(rawValue: Int64(number)))
      _ = reducer.unwatch(number)
    }
    _ = reducer.unwatch(2)
    // Once for each of all would be minutes.
    #expect(ContinuousClock.now - started < .seconds(100))
    let (hasOwn, hasOthers) = (
      reducer.isWaiting(for: at("a.jpg", in: other)), reducer.isWaiting(for: at("7.jpg"))
    )
    #expect(!hasOwn && hasOthers)
  }

  @Test("6, S42: an overflow is a rescan, and halves that wait are looked at")
  func overflow() {
    #expect(
      hints([event(.movedFrom, "a.jpg", cookie: 1), WatchEvent(watch: -1, mask: .overflow)])
        == [.examine(at("a.jpg"), removal: true, .left), .rescan])
  }

  @Test("names that events speak of while a listing is made are remembered")
  func touched() {
    var reducer = EventReducer()
    _ = reducer.watch(1, album)
    reducer.beginListing(album)
    reducer.receive(event(.delete, "a.jpg"), now: 0)
    #expect(reducer.namesTouched(in: album) == [FileName("a.jpg")])
    reducer.beginListing(album)
    #expect(reducer.namesTouched(in: album) == [])
    reducer.endListing(album)
    reducer.receive(event(.delete, "a.jpg"), now: 0)
    #expect(reducer.namesTouched(in: album) == [])
  }

  @Test("35: and so are names that are looked at meanwhile, whenever that was asked for")
  func lookedAt() {
    var reducer = EventReducer()
    for (number, directory) in [(Int32(1), album), (2, other)] { _ = reducer.watch(number, directory) }
    reducer.receive(event(.delete, "a.jpg"), now: 0)
    reducer.receive(event(.movedFrom, "b.jpg", cookie: 1), now: 0)
    reducer.receive(event(.movedTo, "c.jpg", watch: 2, cookie: 1), now: 0)
    reducer.hint(at("d.jpg"), removal: true)
    var doubts = Doubts()
    doubts.files = [Doubt(location: at("e.jpg"), former: .none, present: nil)]
    reducer.decide(doubts)
    for directory in [album, other] { reducer.beginListing(directory) }
    #expect(reducer.namesTouched(in: album) == [])
    while reducer.next() != nil {}
    reducer.noteCompared(at("f.jpg"))
    reducer.noteCompared(at("f.jpg", in: DirectoryID(rawValue: 3)))
    #expect(reducer.namesTouched(in: album) == Set("abdef".map { FileName("\($0).jpg") }))
    #expect(reducer.namesTouched(in: other) == [FileName("c.jpg")])
  }

  @Test("S41: a watch above several roots, and in the library, serves each for as long as it is wanted")
  func ancestors() {
    let roots = [DirectoryID(rawValue: -1), DirectoryID(rawValue: -2)]
    var reducer = EventReducer(moveWindow: 50)
    func next(_ event: WatchEvent) -> Set<EventReducer.Hint> {
      reducer.receive(event, now: 0)
      var hints: Set<EventReducer.Hint> = []
      while let hint = reducer.next() { hints.insert(hint) }
      return hints
    }
    for root in roots { reducer.watchAncestor(1, of: root) }
    _ = reducer.watch(1, album)
    let named = EventReducer.Hint.examine(at("x.jpg"), removal: true, .removed)
    #expect(next(event(.delete, "x.jpg")) == Set(roots.map { .checkDirectory($0) } + [named]))
    let isUnusedFirst = reducer.unwatchAncestor(1, of: roots[0])
    #expect(!isUnusedFirst)
    #expect(next(event(.delete, "x.jpg")) == [.checkDirectory(roots[1]), named])
    let isUnusedThen = reducer.unwatch(1)
    #expect(!isUnusedThen)
    #expect(next(event(.delete, "x.jpg")) == [.checkDirectory(roots[1])])
    let isUnusedLast = reducer.unwatchAncestor(1, of: roots[1])
    #expect(isUnusedLast)
    #expect(next(event(.delete, "x.jpg")) == [])
  }
}
