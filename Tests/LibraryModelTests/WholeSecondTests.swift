import Testing

@testable import LibraryModel

/// Inodes of 128 bytes (docs/decisions/0134-numbers-that-change.md).
@Suite("Which id a file keeps where there are no birth times, and times are in whole seconds")
struct WholeSecondTests {
  private static let second: Int64 = 1_000_000_000

  /// How what happened becomes known.
  enum Telling: CaseIterable {
    case scan, together, apart, newFirst
  }

  /// An album with a photo, which was written in the first second.
  private func withPhoto() throws -> (MemoryLibrary, AssetID) {
    let library = MemoryLibrary()
    library.disk.hasBirthTimes = false
    library.disk.timeStep = Self.second
    for path in ["a", "b"] { library.disk.mkdir(path) }
    library.disk.write("a/1.jpg", 10)
    try library.rescan()
    let id = try #require(library.asset("a/1.jpg")?.id)
    library.forget()
    return (library, id)
  }

  /// A photo is removed, and another one of its length gets its number.
  private func remake(_ library: MemoryLibrary) throws {
    let number = try #require(library.disk.number("a/1.jpg"))
    library.disk.remove("a/1.jpg")
    library.disk.write("b/2.jpg", 10, reusing: number)
  }

  private func tell(_ library: MemoryLibrary, _ telling: Telling) throws {
    let one = try #require(library.location("a/1.jpg"))
    let other = try #require(library.location("b/2.jpg"))
    switch telling {
    case .scan: try library.rescan()
    case .together:
      try library.change { librarian in
        try librarian.files.examine(one, removal: true, .removed)
        try librarian.files.examine(other, removal: false, .closed)
      }
    case .apart:
      try library.hint("a/1.jpg", .made)
      try library.hint("a/1.jpg", removal: true, .removed)
      try library.hint("b/2.jpg", .closed)
    case .newFirst:
      try library.hint("b/2.jpg", .closed)
      try library.hint("a/1.jpg", removal: true, .removed)
    }
  }

  @Test(
    "S39, S16: a photo that got the number of one of its length which was removed in the same second is a new one",
    arguments: Telling.allCases)
  func numberUsedAgain(telling: Telling) throws {
    let (library, id) = try withPhoto()
    try remake(library)
    try tell(library, telling)
    #expect(library.indexed.keys.sorted() == ["b/2.jpg"])
    #expect(library.asset("b/2.jpg")?.id != id)
    #expect(library.told(id) == [.removed])
  }

  @Test(
    "S39, S16: it is one also where its time was set to that of the other, if it is told that that was removed",
    arguments: [Telling.together, .apart])
  func timeSet(telling: Telling) throws {
    let (library, id) = try withPhoto()
    let time = try #require(library.asset("a/1.jpg")?.modified)
    library.disk.pass(9 * Self.second)
    try remake(library)
    library.disk.setModified("b/2.jpg", time - 1)
    try tell(library, telling)
    #expect(library.asset("b/2.jpg").map { $0.id != id && $0.modified == time } == true)
  }

  @Test("S39: a photo that was moved unheard when it was older than a second is itself")
  func moved() throws {
    let (library, id) = try withPhoto()
    library.disk.pass(9 * Self.second)
    library.disk.rename("a/1.jpg", "b/2.jpg")
    library.disk.change("b/2.jpg")
    try library.rescan()
    #expect(library.indexed == ["b/2.jpg": id])
    // Missed first, and found then.
    library.disk.rename("b/2.jpg", "a/3.jpg")
    library.disk.change("a/3.jpg")
    try library.hint("b/2.jpg", removal: true, .none)
    #expect(library.asset("b/2.jpg") == nil)
    try library.hint("a/3.jpg", .renamed)
    #expect(library.indexed == ["a/3.jpg": id])
  }

  /// How a rename becomes known of which only the first half is told.
  enum HalfTelling: CaseIterable {
    case foundFirst, together, leftFirst
  }

  @Test(
    "S39: a photo that was moved in the second in which it was written, into an album made just then, is itself: it was renamed",
    arguments: HalfTelling.allCases)
  func movedIntoNewAlbum(_ telling: HalfTelling) throws {
    let (library, id) = try withPhoto()
    let one = try #require(library.location("a/1.jpg"))
    library.disk.mkdir("new")
    library.disk.rename("a/1.jpg", "new/2.jpg")
    library.disk.change("new/2.jpg")
    switch telling {
    case .foundFirst:
      library.librarian.context.isHalfMoved = { $0 == one }
      try library.hint("new", .none)
      library.librarian.context.isHalfMoved = { _ in false }
      try library.hint("a/1.jpg", removal: true, .left)
    case .together:
      try library.change { librarian in
        try librarian.files.examine(one, removal: true, .left)
        try librarian.files.examine(Location(library.root, FileName("new")), removal: false, .none)
      }
    case .leftFirst:
      // It is taken out before the album is listed, which is under way.
      try library.change { librarian in
        try librarian.files.examine(one, removal: true, .left)
        let doubts = librarian.context.duties.doubts
        #expect(doubts.files.map(\.hasLeft) == [true], "while something is listed, it would wait")
        librarian.context.duties.doubts = Doubts()
        try librarian.decide(doubts)
        try librarian.files.examine(Location(library.root, FileName("new")), removal: false, .none)
      }
    }
    #expect(library.indexed == ["new/2.jpg": id])
  }

  @Test("S39, S16: one that has its number later, when what was told of the rename is done with, is another")
  func numberUsedLater() throws {
    let (library, id) = try withPhoto()
    let number = try #require(library.disk.number("a/1.jpg"))
    library.disk.rename("a/1.jpg", ".out")
    try library.hint("a/1.jpg", removal: true, .left)
    library.disk.remove(".out")
    library.disk.write("b/2.jpg", 10, reusing: number)
    try library.hint("b/2.jpg", .closed)
    #expect(library.asset("b/2.jpg").map { $0.id != id } == true && library.indexed.count == 1)
  }

  @Test("S39: photos of an album that was moved while nobody listened are themselves")
  func movedAlbum() throws {
    let (library, id) = try withPhoto()
    library.disk.rename("a", "c")
    library.librarian.writers.since = 60 * Self.second
    try library.rescan()
    #expect(library.indexed == ["c/1.jpg": id])
  }

  @Test("S39: a photo that is mounted at a second place is in the library once")
  func mountedTwice() throws {
    let (library, id) = try withPhoto()
    library.disk.hasMounts = true
    library.disk.link("a/1.jpg", "b/1.jpg")
    for _ in 0..<2 { try library.rescan() }
    #expect(Array(library.indexed.values) == [id])
  }
}
