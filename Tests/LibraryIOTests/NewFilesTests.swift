import CLinux
import EventLoop
import Glibc
@testable import LibraryIO
import LibraryModel
import Linux
import Testing
import TestSupport

@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct NewFilesTests {
  @Test("S30: a name that exists gets a number, before its extension")
  func numbers() throws {
    var names = try NumberedNames(FileName("IMG_1.tar.jpg"))
    #expect(names.next() == FileName("IMG_1.tar.jpg"))
    #expect(names.next() == FileName("IMG_1.tar (2).jpg"))
    #expect(names.next() == FileName("IMG_1.tar (3).jpg"))
  }

  @Test(
    "S30: what cannot be a name is refused",
    arguments: [
      "", ".", "..", ".hidden.jpg", "a/b.jpg", "a\0.jpg", "a\n.jpg", "\u{1B}[2J.jpg", "a\u{7F}.jpg",
      "a\u{9B}2J.jpg", String(repeating: "x", count: 248),
    ])
  func invalidNames(name: String) {
    #expect(throws: LibraryFileError.self) { try NumberedNames(FileName(name)) }
  }

  @Test("S30: what was added is known at once, under a number if need be, and once")
  @EventLoopActor
  func added() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/Saved")
      try files.put("in/Saved/a.jpg")
      try files.put("out/source", "content")
    }
    let album = try #require(library.directory("Saved"))
    let source = try library.files.open("out/source")
    let asset = try await library.add(source, as: "a.jpg", in: album)
    #expect(asset.filename == FileName("a (2).jpg"))
    #expect(asset.byteCount == 7)
    try await library.settle()
    #expect(library.operations(asset.id) == [.inserted])
    let opened = try library.monitor.contents.open(asset)
    #expect(linux_fcntl_int(opened.number, F_GETFL, 0) & O_ACCMODE == O_RDONLY)
    close(source)
    library.end()
  }

  @Test("S43: a name is not taken back from who has saved another file under it")
  @EventLoopActor
  func takenBack() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/Saved")
      for name in ["source", "other"] { try files.put("out/\(name)", name) }
    }
    let album = try #require(library.directory("Saved"))
    let source = try library.files.open("out/source")
    let files = NewFiles(in: try await library.monitor.contents.open(album, for: 1))
    for name in ["a.jpg", "b.jpg"] { try files.copy(source, as: FileName(name), limit: 100) }
    #expect(try files.place([FileName("a.jpg"), FileName("b.jpg")]))
    try library.files.move("out/other", "in/Saved/a.jpg")
    try files.takeBack()
    #expect(entries(of: library.root + "/Saved").filter { !$0.hasPrefix(".") } == ["a.jpg"])
    #expect(try library.files.status("in/Saved/a.jpg").size == 5)
    close(source)
    library.end()
  }

  @Test("S43: what was saved under a name that is taken back is kept, under a number if that is taken again")
  func savedOver() throws {
    let directory = try TemporaryDirectory()
    let files = TestFiles(base: directory.path)
    let place = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(place) }
    try files.put("own.jpg", "own")
    let own = try files.open("own.jpg")
    defer { close(own) }
    try files.put("p.jpg", "other")
    #expect(try takeNameBack(FileName("p.jpg"), of: own, in: place) == nil)
    #expect(try files.status("p.jpg").size == 5)
    #expect(try takeNameBack(FileName("gone.jpg"), of: own, in: place) == nil)
    // Somebody saves once more before the first is given back.
    try files.put(".hidden", "the first")
    try giveBack(".hidden", as: FileName("p.jpg"), in: place)
    #expect(try files.status("p.jpg").size == 5 && files.status("p (2).jpg").size == 9)
    let hidden = try #require(try takeNameBack(FileName("own.jpg"), of: own, in: place))
    #expect(Set(entries(of: directory.path)) == ["p.jpg", "p (2).jpg", hidden])
  }

  @Test("S30: while it is copied nobody sees it under any name, and it has its own when it is whole")
  @EventLoopActor
  func noHalfFile() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/Saved")
      try files.put("out/source", String(repeating: "x", count: 3 << 20))
    }
    let album = try #require(library.directory("Saved"))
    let source = try library.files.open("out/source")
    let files = NewFiles(in: try await library.monitor.contents.open(album, for: 1))
    // A file system that knows no files without a name has it under a hidden one, which counts for nobody (S40).
    func names() -> [String] { entries(of: library.root + "/Saved").filter { !$0.hasPrefix(".") } }
    var parts = 0
    try files.copy(source, as: FileName("a.jpg"), limit: 4 << 20) {
      parts += 1
      #expect(names().isEmpty)
    }
    #expect(parts > 0 && names().isEmpty)
    let asset = try await library.monitor.edits.editor.add(files, as: FileName("a.jpg"), in: album)
    #expect(names() == ["a.jpg"])
    #expect(try asset.byteCount == 3 << 20 && library.files.status("in/Saved/a.jpg").size == 3 << 20)
    try await library.settle()
    #expect(library.operations(asset.id) == [.inserted])
    close(source)
    library.end()
  }

  @Test("S16: what is added is an asset of its own, whatever is beside its name, or was until a moment ago")
  @EventLoopActor
  func ownAsset() async throws {
    let library = try await TestLibrary.make { files in
      for name in ["a.jpg", "b.mov", "c.HEIC", "c.MOV", "d.png"] { try files.put("in/\(name)") }
      try files.put("out/source", "content")
    }
    let source = try library.files.open("out/source")
    let before = Set(try library.indexed().compactMap { try library.asset($0)?.id })
    // Not known to have gone: no event was read yet.
    try library.files.unlink("in/d.png")
    for (name, given) in [
      ("a.mov", "a (2).mov"), ("b.jpg", "b (2).jpg"), ("c.jpg", "c (2).jpg"), ("c.mp4", "c (3).mp4"),
      ("d.png", "d (2).png"), ("a.png", "a.png"),
    ] {
      let asset = try await library.add(source, as: name)
      #expect(asset.filename == FileName(given) && !before.contains(asset.id))
    }
    let gone = try library.asset("a.jpg")?.id
    try library.files.unlink("in/a.jpg")
    try await library.until { try $0.asset("a.jpg") == nil }
    #expect(try await library.add(source, as: "a.jpg").id != gone)
    close(source)
    library.end()
  }

  @Test("R5, S18: what cannot be written into the index gets no name")
  @EventLoopActor
  func unwritable() async throws {
    let library = try await TestLibrary.make { try $0.put("out/source", "content") }
    let source = try library.files.open("out/source")
    library.monitor.batches.fail(SystemError("write", code: ENOSPC))
    await #expect(throws: LibraryUnwritable.self) { try await library.add(source, as: "a.jpg") }
    library.monitor.batches.tryAgain()
    // Away for the one look that would take it in: the file has its name by then.
    let roots = library.monitor.disk.roots
    let files = NewFiles(
      in: try await library.monitor.contents.open(DirectoryID(of: RootID(rawValue: 1)), for: 1))
    try files.copy(source, as: FileName("a.jpg"), limit: 100)
    library.monitor.disk.roots = [:]
    await #expect(throws: LibraryFileError.self) {
      try await library.monitor.edits.editor.add(
        files, as: FileName("a.jpg"), in: DirectoryID(of: RootID(rawValue: 1)))
    }
    library.monitor.disk.roots = roots
    #expect(library.files.media(beneath: "in").isEmpty)
    close(source)
    library.end()
  }

  @Test("S30: the thousandth file of a name costs no thousand looks, and gaps may stay")
  func manyNumbers() throws {
    let names = try NumberedNames(FileName("a.jpg"))
    for count in [0, 1, 2, 3, 7, 8, 1000, 99_998] {
      let taken = Set(names.prefix(count))
      var looks = 0
      let free = names.free {
        looks += 1
        return !taken.contains($0)
      }
      #expect(free == Array(names.prefix(count + 1)).last && looks < 40)
    }
    #expect(names.free { _ in false } == nil)
  }

  @Test("S30: beyond the limit, nothing is left")
  @EventLoopActor
  func tooLarge() async throws {
    let library = try await TestLibrary.make { try $0.put("out/source", "content") }
    let source = try library.files.open("out/source")
    #expect(await failure { _ = try await library.add(source, as: "a.jpg", limit: 6) } == .tooLarge)
    try await library.settle("last.jpg")
    #expect(try library.indexed() == ["last.jpg"])
    close(source)
    library.end()
  }

  @Test("S43: a file that was replaced is not handed out")
  @EventLoopActor
  func replaced() async throws {
    let library = try await TestLibrary.make { try $0.put("in/a.jpg") }
    let asset = try #require(try library.asset("a.jpg"))
    try library.files.put("out/b.jpg")
    try library.files.move("out/b.jpg", "in/a.jpg")
    #expect(failure { _ = try library.monitor.contents.open(asset).number } == .replaced)
    try library.files.unlink("in/a.jpg")
    try library.files.symlink("out/b.jpg", "in/a.jpg")
    #expect(failure { _ = try library.monitor.contents.open(asset).number } == .notRegular)
    library.end()
  }

  @Test("S43: what lies behind a symbolic link is not handed out, even if that leads to the very directory")
  @EventLoopActor
  func behindLink() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/d")
      try files.put("in/d/a.jpg")
    }
    let asset = try #require(try library.asset("d/a.jpg"))
    try library.files.move("in/d", "out/d")
    try library.files.symlink("out/d", "in/d")
    #expect(failure { _ = try library.monitor.contents.open(asset).number } == .gone)
    library.end()
  }
}
