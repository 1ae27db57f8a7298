import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Storage
import Testing

@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct RestartTests {
  @Test("S26, S39: changes while the daemon was down are told, and ids are kept")
  @EventLoopActor
  func changesWhileDown() async throws {
    let library = try await TestLibrary.make { files in
      for album in ["x", "y", "z/deep"] { try files.directory("in/\(album)") }
      for name in ["x/stay.jpg", "x/move.jpg", "x/gone.jpg", "x/edit.jpg", "z/deep/far.jpg"] {
        try files.put("in/\(name)")
      }
    }
    let (move, edit) = (try library.asset("x/move.jpg")?.id, try library.asset("x/edit.jpg")?.id)
    let (far, gone) = (try library.asset("z/deep/far.jpg")?.id, try library.asset("x/gone.jpg")?.id)
    let album = library.directory("z")
    let token = library.store.tokens.encode(library.store.place)
    try await library.restart { files in
      try files.move("in/x/move.jpg", "in/y/moved.jpg")
      try files.unlink("in/x/gone.jpg")
      try files.put("in/x/.tmp", "edited")
      try files.move("in/x/.tmp", "in/x/edit.jpg")
      try files.move("in/z", "in/y/z2")
      try files.put("in/y/new.jpg")
    }
    #expect(try library.asset("y/moved.jpg")?.id == move)
    #expect(library.operations(move) == [.moved(content: false)])
    #expect(try library.asset("x/edit.jpg")?.id == edit)
    #expect(library.operations(edit) == [.changed(content: true)])
    #expect(try library.asset("y/z2/deep/far.jpg")?.id == far)
    #expect(library.operations(far) == [])
    #expect(library.directory("y/z2") == album)
    #expect(library.operations(gone) == [.removed])
    #expect(try library.asset("y/new.jpg") != nil)
    #expect(
      try library.indexed() == ["x/stay.jpg", "y/moved.jpg", "x/edit.jpg", "y/z2/deep/far.jpg", "y/new.jpg"])
    // The journal tells the same from the token on.
    let place = try #require(library.store.tokens.decode(token))
    guard case .changes(let told) = try library.store.journal.changes(after: place, limit: 100) else {
      Issue.record("the journal does not cover its own token")
      return
    }
    #expect(told.compactMap(\.change) == library.changes)
    library.end()
  }

  @Test("a file removed from the root's own directory while down is removed; counts are right")
  @EventLoopActor
  func removedFromRoot() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/x")
      for name in ["a.jpg", "b.jpg", "x/c.jpg"] { try files.put("in/\(name)") }
      try files.link("in/x/c.jpg", "in/x/d.jpg")
    }
    #expect(library.store.files.assetCount == 3)
    try await library.restart { try $0.unlink("in/a.jpg") }
    #expect(try library.indexed() == ["b.jpg", "x/c.jpg", "x/d.jpg"])
    #expect(library.store.files.assetCount == 2)
    library.end()
  }

  @Test("S39: an album that lies in a younger one is kept with what is in it")
  @EventLoopActor
  func movedIntoYounger() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/old/deep")
      try files.put("in/old/deep/a.jpg")
    }
    let (old, asset) = (library.directory("old"), try library.asset("old/deep/a.jpg")?.id)
    try library.files.directory("in/young")
    try library.files.move("in/old", "in/young/old")
    await library.until { $0.directory("young/old") == old }
    try await library.restart { try $0.move("in/young", "in/z") }
    #expect(library.directory("z/old") == old)
    #expect(try library.asset("z/old/deep/a.jpg")?.id == asset)
    #expect(library.operations(asset).isEmpty)
    library.end()
  }

  @Test("nothing changed: nothing is told")
  @EventLoopActor
  func nothing() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/x/y")
      for index in 0..<500 { try files.put("in/x/y/\(index).jpg") }
    }
    let place = library.store.place
    try await library.restart { _ in }
    #expect(library.changes.isEmpty)
    #expect(library.store.place == place)
    #expect(library.store.files.assetCount == 500)
    library.end()
  }
}
