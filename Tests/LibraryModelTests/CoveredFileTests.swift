import Testing

@testable import LibraryModel

@Suite("Files that are mounted over photos")
struct CoveredFileTests {
  @Test(
    "41, S39, S41: a photo that another file is mounted over is away, and itself when that is unmounted",
    arguments: ["b/2.jpg", ".hidden", "c"])
  func covered(by path: String) throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    for file in ["b/2.jpg", ".hidden", "c"] { library.disk.write(file, 7) }
    try library.rescan()
    let before = library.indexed
    let identity = try #require(library.asset("a/1.jpg")?.identity)
    library.forget()
    library.disk.bind(path, over: "a/1.jpg")
    for evidence in [EventReducer.Evidence.none, .closed, .renamed] {
      try library.hint("a/1.jpg", removal: true, evidence)
    }
    for _ in 0..<2 { try library.rescan() }
    #expect(library.indexed == before)
    // Missed before it was covered: what is there says nothing of it.
    let location = try #require(library.location("a/1.jpg"))
    try library.change { $0.context.duties.lookAgain(at: location, identity) }
    #expect(library.indexed == before)
    library.disk.unbind("a/1.jpg")
    try library.hint("a/1.jpg", removal: true, .none)
    try library.rescan()
    #expect(library.indexed == before && library.asset("a/1.jpg")?.id == id && library.changes.isEmpty)
    library.disk.write("a/1.jpg", 11)
    try library.hint("a/1.jpg")
    #expect(library.told(id) == [.changed(content: true)])
  }

  @Test("41, S41: a name that is covered stays, whatever becomes of the other names of the photo")
  func otherNames() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    for path in ["b/1.jpg", "b/2.jpg"] { library.disk.link("a/1.jpg", path) }
    library.disk.write(".hidden", 7)
    try library.rescan()
    library.disk.bind(".hidden", over: "a/1.jpg")
    library.disk.rename("b/1.jpg", "b/3.jpg")
    try library.rescan()
    #expect(library.indexed == ["a/1.jpg": id, "b/2.jpg": id, "b/3.jpg": id])
    library.disk.unbind("a/1.jpg")
    try library.rescan()
    #expect(library.indexed == ["a/1.jpg": id, "b/2.jpg": id, "b/3.jpg": id])
  }

  @Test("41: a photo that is mounted over itself is what it was, and an empty file is a place for one")
  func place() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.disk.write("b/0.jpg", 0)
    library.disk.write(".hidden", 7)
    try library.rescan()
    let place = try #require(library.asset("b/0.jpg")?.id)
    library.forget()
    library.disk.bind("a/1.jpg", over: "a/1.jpg")
    library.disk.bind(".hidden", over: "b/0.jpg")
    try library.rescan()
    #expect(library.told(id).isEmpty && library.told(place) == [.changed(content: true)])
    #expect(library.indexed == ["a/1.jpg": id, "b/0.jpg": place])
  }
}
