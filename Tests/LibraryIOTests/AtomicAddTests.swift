import CLinux
import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Linux
import Testing

@Suite(.runningLoop, .timeLimit(.minutes(1)))
struct AtomicAddTests {
  @Test("S30: a name that exists gets a number, before its extension")
  func numbers() throws {
    var names = try NumberedNames(FileName("IMG_1.tar.jpg"))
    #expect(names.next() == FileName("IMG_1.tar.jpg"))
    #expect(names.next() == FileName("IMG_1.tar (2).jpg"))
    #expect(names.next() == FileName("IMG_1.tar (3).jpg"))
  }

  @Test(
    "S30: what cannot be a name is refused",
    arguments: ["", ".", "..", ".hidden.jpg", "a/b.jpg", "a\0.jpg", String(repeating: "x", count: 248)])
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
    let directory = try library.monitor.open(album)
    let added = try AtomicAdd.copy(from: source, into: directory.number, as: FileName("a.jpg"), limit: 100)
    #expect(added.name == FileName("a (2).jpg"))
    let asset = try library.monitor.noteAdded(Location(album, added.name))
    #expect(asset?.byteCount == 7)
    try await library.settle()
    #expect(library.operations(asset?.id) == [.inserted])
    let opened = try library.monitor.open(try #require(asset))
    #expect(linux_fcntl_int(opened.number, F_GETFL, 0) & O_ACCMODE == O_RDONLY)
    close(source)
    library.end()
  }

  @Test("S30: beyond the limit, nothing is left")
  @EventLoopActor
  func tooLarge() async throws {
    let library = try await TestLibrary.make { try $0.put("out/source", "content") }
    let source = try library.files.open("out/source")
    let directory = try library.monitor.open(DirectoryID(of: RootID(rawValue: 1)))
    #expect {
      try AtomicAdd.copy(from: source, into: directory.number, as: FileName("a.jpg"), limit: 6)
    } throws: {
      ($0 as? LibraryFileError)?.code == .tooLarge
    }
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
    #expect {
      _ = try library.monitor.open(asset)
    } throws: {
      ($0 as? LibraryFileError)?.code == .replaced
    }
    try library.files.unlink("in/a.jpg")
    try library.files.symlink("out/b.jpg", "in/a.jpg")
    #expect {
      _ = try library.monitor.open(asset)
    } throws: {
      ($0 as? LibraryFileError)?.code == .notRegular
    }
    library.end()
  }
}
