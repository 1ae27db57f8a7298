import Testing

@testable import LibraryModel

@Suite("A listing that is older than a look at what is in it")
struct OlderListingTests {
  /// An album is listed with a photo in it; then something happens, and is looked at, before the listing is compared.
  ///
  /// - Returns: the library, and the id that the photo had.
  private func list(
    _ prepare: (MemoryDisk) -> Void = { _ in },
    _ happen: (MemoryLibrary, Location, inout EventReducer) throws -> Void
  ) throws -> (MemoryLibrary, AssetID) {
    let (library, id) = try MemoryLibrary.withPhoto()
    let album = try #require(library.album("a"))
    let photo = try #require(library.location("a/1.jpg"))
    var hints = EventReducer()
    _ = hints.watch(1, album)
    // Told before, and not looked into yet.
    hints.receive(WatchEvent(watch: 1, mask: .delete, name: photo.name), now: 0)
    prepare(library.disk)
    hints.beginListing(album)
    let listing = try #require(library.disk.listing(of: album, in: library.librarian.directories.tree))
    try happen(library, photo, &hints)
    for location in library.librarian.context.duties.compared { hints.noteCompared(location) }
    try library.change { librarian in
      var reconciliation = Reconciliation(of: album, with: listing, descends: false, isEmpty: false)
      reconciliation.touched = hints.namesTouched(in: album)
      while try !reconciliation.advance(librarian, limit: 3, while: { true }) {}
    }
    return (library, id)
  }

  private func follow(_ library: MemoryLibrary, _ hints: inout EventReducer) throws {
    try library.change { librarian in
      while let hint = hints.next() {
        if case .examine(let location, let removal, let evidence) = hint {
          try librarian.files.examine(location, removal: removal, evidence)
        }
      }
    }
  }

  @Test("35: what was found to have gone is not told to have come, by a listing from before")
  func gone() throws {
    let (library, id) = try list { library, _, hints in
      library.disk.remove("a/1.jpg")
      try follow(library, &hints)
    }
    #expect(library.indexed == [:])
    #expect(library.told(id) == [.removed])
  }

  @Test("35, 40: what the daemon itself renamed meanwhile keeps its new name")
  func renamed() throws {
    let (library, id) = try list { library, photo, hints in
      try follow(library, &hints)
      #expect(library.disk.rename("a/1.jpg", "a/3.jpg"))
      let target = Location(photo.directory, FileName("3.jpg"))
      try library.change { try $0.renamed(from: photo, to: target) }
    }
    #expect(library.indexed == ["a/3.jpg": id])
  }

  @Test("35, S90: what is said of a photo is what was read last")
  func flags() throws {
    let (library, id) = try list({ $0.say([], of: "a/1.jpg") }) { library, _, hints in
      library.disk.say(.favorite, of: "a/1.jpg")
      try follow(library, &hints)
    }
    #expect(library.asset("a/1.jpg")?.flags == .favorite)
    #expect(library.told(id) == [.changed(content: false)])
  }

  @Test("35, S90: what an owner says of a photo counts at once, and is not taken back for a moment")
  func flagsWritten() throws {
    let (library, id) = try list({ $0.say([], of: "a/1.jpg") }) { library, _, _ in
      library.disk.say(.favorite, of: "a/1.jpg")
      let id = try #require(library.asset("a/1.jpg")?.id)
      try library.librarian.files.flagsWritten(.favorite, of: id)
    }
    #expect(library.asset("a/1.jpg")?.flags == .favorite)
    #expect(library.told(id) == [.changed(content: false)])
  }

  @Test("35, S33: what was deleted by an app does not come back for a moment")
  func deleted() throws {
    let (library, id) = try list { library, _, _ in
      let id = try #require(library.asset("a/1.jpg")?.id)
      library.disk.remove("a/1.jpg")
      try library.librarian.remove(id)
    }
    #expect(library.indexed == [:])
    #expect(library.told(id) == [.removed])
  }
}
