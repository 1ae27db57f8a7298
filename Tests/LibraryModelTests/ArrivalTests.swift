import Testing

@testable import LibraryModel

@Suite("S101: when the library first had an asset, without a disk")
struct ArrivalTests {
  private func facts(birth: Int64, modified: Int64, changed: Int64) -> FileFacts {
    var facts = FileFacts(
      kind: .regular, identity: FileIdentity(volume: .test, inode: 1, birthTime: birth), byteCount: 1,
      modified: modified, linkCount: 1)
    facts.changed = changed
    return facts
  }

  @Test("S101: a file says when it came by its birth; without one by its last change of any kind")
  func evidence() {
    #expect(facts(birth: 7, modified: 3, changed: 9).arrived == 7)
    #expect(facts(birth: 0, modified: 3, changed: 9).arrived == 9)
    #expect(facts(birth: 0, modified: 3, changed: 0).arrived == 3)
  }

  @Test("S101: what the first scan finds came when its file did, and never later than now")
  func firstScan() throws {
    let library = MemoryLibrary()
    library.librarian.context.publishes = false
    library.librarian.context.time = 1003
    for number in 1...4 { library.disk.write("\(number).jpg", 1) }
    try library.rescan()
    let found = (1...4).compactMap { library.asset("\($0).jpg") }
    #expect(found.map(\.arrived) == [1001, 1002, 1003, 1003])
    #expect(found.map(\.identity.birthTime) == [1001, 1002, 1003, 1004])
  }

  @Test(
    "S101: what comes later came when it was seen, and so it stays through renames, moves, edits and saves")
  func kept() throws {
    let (library, _) = try MemoryLibrary.withPhoto()
    library.librarian.context.time = 5000
    library.disk.write("a/2.jpg", 1)
    try library.hint("a/2.jpg")
    let id = try #require(library.asset("a/2.jpg")?.id)
    func check(_ path: String) {
      #expect(library.asset(path)?.id == id && library.asset(path)?.arrived == 5000)
    }
    check("a/2.jpg")
    library.librarian.context.time = 6000
    library.disk.rename("a/2.jpg", "b/3.jpg")
    try library.moved("a/2.jpg", "b/3.jpg")
    check("b/3.jpg")
    library.disk.write("b/3.jpg", 9)
    try library.hint("b/3.jpg")
    check("b/3.jpg")
    // An editor that writes another file and renames it over; and one that removes the old one first.
    library.disk.write("b/.new", 5)
    library.disk.rename("b/.new", "b/3.jpg")
    try library.hint("b/3.jpg")
    check("b/3.jpg")
    library.disk.remove("b/3.jpg")
    try library.hint("b/3.jpg")
    #expect(library.asset("b/3.jpg") == nil)
    library.disk.write("b/3.jpg", 6)
    try library.hint("b/3.jpg")
    check("b/3.jpg")
  }

  @Test("S33, S101: what is restored came when it came first; where that is not known, now")
  func restored() throws {
    for (arrived, expected) in [(77, 77), (0, 5000)] as [(Int64, Int64)] {
      let (library, _) = try MemoryLibrary.withPhoto()
      library.librarian.context.time = 5000
      library.disk.write("a/2.jpg", 1)
      let location = try #require(library.location("a/2.jpg"))
      let identity = try #require(library.disk.files["a/2.jpg"].flatMap(library.disk.identity))
      try library.librarian.files.expect(
        AssetID(rawValue: 99), at: location, identity, flags: [], arrived: arrived)
      try library.hint("a/2.jpg")
      let asset = try #require(library.asset("a/2.jpg"))
      #expect(asset.id == AssetID(rawValue: 99) && asset.arrived == expected)
    }
  }
}
