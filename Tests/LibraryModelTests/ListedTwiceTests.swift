import Testing

@testable import LibraryModel

@Suite("A name that is listed twice")
struct ListedTwiceTests {
  @Test(
    "S38, S39: it is one photo, also where a first scan expects none of the names in the index",
    arguments: [true, false])
  func once(expectsNewFiles: Bool) throws {
    let library = MemoryLibrary()
    library.disk.mkdir("a")
    try library.rescan()
    for name in ["a/1.jpg", "a/2.jpg"] { library.disk.write(name, 7) }
    let album = try #require(library.album("a"))
    var listing = try #require(library.disk.listing(of: album, in: library.librarian.directories.tree))
    for entry in listing.entries {
      listing.name(of: entry).bytes.withUnsafeBytes { listing.append(name: $0, facts: entry.facts) }
    }
    listing.sort()
    try library.change { librarian in
      librarian.context.expectsNewFiles = expectsNewFiles
      var reconciliation = Reconciliation(of: album, with: listing, descends: false, isEmpty: false)
      while try !reconciliation.advance(librarian, limit: 3, while: { true }) {}
    }
    #expect(library.indexed.keys.sorted() == ["a/1.jpg", "a/2.jpg"])
    #expect(Set(library.indexed.values).count == 2)
  }
}
