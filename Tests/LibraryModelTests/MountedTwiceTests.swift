import Testing

@testable import LibraryModel

@Suite("Directories that are mounted twice")
struct MountedTwiceTests {
  /// What the monitor does when something was mounted or unmounted.
  private func lookForMounts(_ library: MemoryLibrary) throws {
    try library.change { librarian in
      for location in librarian.directories.takePlacesOfMounts() {
        try librarian.files.examine(location, removal: true, .none)
      }
    }
  }

  private func away(_ library: MemoryLibrary) -> Set<DirectoryID> { library.librarian.directories.away }

  @Test(
    "38, S39, S41: an album that is mounted over an empty one is followed where it was, and the other is back afterwards",
    arguments: [false, true], [("a", "b"), ("a", "0"), ("a", "a/in")])
  func overEmpty(isReversed: Bool, places: (String, String)) throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.isListingReversed = isReversed
    for path in ["0", "a/in"] { library.disk.mkdir(path) }
    try library.rescan()
    library.forget()
    let (album, other) = (library.album(places.0), try #require(library.album(places.1)))
    library.disk.bind(places.0, over: places.1)
    try lookForMounts(library)
    for _ in 0..<2 { try library.rescan() }
    #expect(library.album(places.0) == album && library.indexed == ["a/1.jpg": id])
    #expect(away(library) == [other])
    library.disk.write("a/2.jpg", 3)
    try library.hint("a/2.jpg")
    library.disk.unbind(places.1)
    try lookForMounts(library)
    try library.rescan()
    #expect(away(library) == [] && library.album(places.1) == other)
    #expect(library.indexed.keys.sorted() == ["a/1.jpg", "a/2.jpg"] && library.told(id).isEmpty)
    library.disk.write("\(places.1)/3.jpg", 4)
    try library.hint("\(places.1)/3.jpg")
    #expect(library.asset("\(places.1)/3.jpg") != nil)
  }

  @Test("38, S41: an album that is mounted over itself is what it was, and so it is afterwards")
  func overItself() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    let album = library.album("a")
    for isMounted in [true, false] {
      if isMounted { library.disk.bind("a", over: "a") } else { library.disk.unbind("a") }
      try lookForMounts(library)
      try library.rescan()
      #expect(away(library) == [] && library.album("a") == album && library.indexed == ["a/1.jpg": id])
    }
    #expect(library.changes.isEmpty)
    library.disk.remove("a")
    try library.rescan()
    #expect(library.album("a") == nil && library.indexed == [:])
  }

  @Test(
    "38, S39, S41: mounted twice from the start, a directory is in the library once, and stays when either name is left",
    arguments: [false, true])
  func fromTheStart(isReversed: Bool) throws {
    let library = MemoryLibrary()
    library.isListingReversed = isReversed
    for path in ["a", "b"] { library.disk.mkdir(path) }
    library.disk.write("a/1.jpg", 10)
    library.disk.bind("a", over: "b")
    for _ in 0..<2 { try library.rescan() }
    let id = try #require(library.indexed.values.first)
    #expect(library.indexed.count == 1)
    library.forget()
    library.disk.unbind("b")
    try lookForMounts(library)
    #expect(library.indexed == ["a/1.jpg": id])
    #expect(away(library) == [] && library.album("a") != nil && library.album("b") != nil)
    #expect(library.told(id).isEmpty)
    // And again.
    library.disk.bind("a", over: "b")
    try lookForMounts(library)
    try library.rescan()
    #expect(library.indexed == ["a/1.jpg": id] && away(library).count == 1)
  }

  @Test("38: when what is mounted twice leaves its first name, it is followed under the other")
  func firstNameCovered() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.disk.mkdir("empty")
    library.disk.mkdir("empty/other")
    library.disk.bind("a", over: "b")
    try lookForMounts(library)
    library.disk.bind("empty/other", over: "a")
    try lookForMounts(library)
    try library.rescan()
    #expect(library.indexed == ["b/1.jpg": id])
    library.disk.unbind("b")
    try lookForMounts(library)
    try library.rescan()
    #expect(library.indexed == ["b/1.jpg": id], "it is covered")
    library.disk.unbind("a")
    try lookForMounts(library)
    #expect(library.indexed == ["a/1.jpg": id] && library.told(id).isEmpty)
  }

  @Test(
    "38, S41: as long as it cannot be looked at where a directory was that is mounted over another one, both are sought, and nothing is concluded"
  )
  func unknown() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    let (place, other) = (try #require(library.location("b")), try #require(library.album("b")))
    library.disk.bind("a", over: "b")
    library.disk.isSlow = { $0.name == FileName("a") }
    try library.librarian.files.examine(place, removal: true, .none)
    #expect(library.librarian.context.duties.unresolved == [other, library.root])
    #expect(away(library) == [] && library.album("b") == other && library.indexed == ["a/1.jpg": id])
    library.disk.isSlow = nil
    try library.rescan()
    #expect(away(library) == [other] && library.indexed == ["a/1.jpg": id] && library.told(id).isEmpty)
  }

  @Test("38: what an earlier version took for two albums is one again, and a comparison ends")
  func formerIndex() throws {
    let library = MemoryLibrary()
    for path in ["a", "b"] { library.disk.mkdir(path) }
    library.disk.write("a/1.jpg", 10)
    let identity = try #require(library.disk.number("a").flatMap(library.disk.identity))
    library.disk.bind("a", over: "b")
    let nodes = ["a", "b"].map { name in
      DirectoryTree.Node(
        id: library.index.reserveAlbumID(), root: RootID(rawValue: 1), parent: library.root,
        name: FileName(name),
        identity: identity, isMount: name == "b")
    }
    library.librarian.directories.restore(nodes)
    for _ in 0..<2 { try library.rescan() }
    #expect(library.indexed.keys.sorted() == ["a/1.jpg"])
    #expect(away(library) == [nodes[1].id])
  }
}
