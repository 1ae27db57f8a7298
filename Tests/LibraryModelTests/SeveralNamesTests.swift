import Testing

@testable import LibraryModel

@Suite("Which id a file with several names keeps")
struct SeveralNamesTests {
  /// An asset with two names, whose first is replaced by another file: seen before the second one is.
  private func halfReplaced() throws -> (MemoryLibrary, AssetID, young: AssetID) {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.disk.link("a/1.jpg", "b/2.jpg")
    try library.rescan()
    library.forget()
    library.disk.remove("a/1.jpg")
    library.disk.write("a/1.jpg", 20)
    try library.hint("a/1.jpg")
    // The file is where its other name is.
    #expect(library.asset("b/2.jpg")?.id == id && library.asset("a/1.jpg")?.byteCount == 20)
    let young = try #require(library.asset("a/1.jpg")?.id)
    #expect(young != id)
    return (library, id, young)
  }

  @Test(
    "29, S39: an asset all whose names get one other file, one after the other, is itself",
    arguments: [false, true])
  func severalNamesReplaced(isSeenInBetween: Bool) throws {
    let (library, id, young) = try halfReplaced()
    library.disk.remove("b/2.jpg")
    if isSeenInBetween { try library.hint("b/2.jpg") }
    library.disk.link("a/1.jpg", "b/2.jpg")
    try library.hint("b/2.jpg", .made)
    #expect(library.asset("a/1.jpg")?.id == id && library.asset("b/2.jpg")?.id == id)
    #expect(library.index.assets.count == 1 && library.asset("a/1.jpg")?.byteCount == 20)
    #expect(library.told(young) == [.inserted, .removed])
    #expect(
      library.told(id).last == .changed(content: false) || library.told(id).contains(.changed(content: true)))
    let counts = library.librarian.directories.tree.all.map {
      library.index.countNames(in: $0.id) == $0.counts
    }
    #expect(counts == [true, true, true])
  }

  @Test("29, S39: later than ten seconds, or linked to a photo that was there before, it is not")
  func namesOfOthers() throws {
    let (library, id, young) = try halfReplaced()
    library.librarian.context.now += 11_000_000
    library.disk.remove("b/2.jpg")
    library.disk.link("a/1.jpg", "b/2.jpg")
    try library.hint("b/2.jpg")
    #expect(library.asset("b/2.jpg")?.id == young && library.index.asset(id) == nil)

    let (other, former, _) = try halfReplaced()
    other.disk.write("b/old.jpg", 30)
    try other.hint("b/old.jpg")
    let old = try #require(other.asset("b/old.jpg")?.id)
    other.disk.remove("b/2.jpg")
    other.disk.link("b/old.jpg", "b/2.jpg")
    try other.hint("b/2.jpg")
    #expect(other.asset("b/2.jpg")?.id == old && other.asset("b/old.jpg")?.id == old)
    #expect(other.index.asset(former) == nil)
  }

  @Test("29, S39: of two names that become two files, the one that had the file last keeps the id")
  func severalNamesParted() throws {
    let (library, id, young) = try halfReplaced()
    library.disk.remove("b/2.jpg")
    library.disk.write("b/2.jpg", 30)
    try library.hint("b/2.jpg")
    #expect(library.asset("b/2.jpg")?.id == id && library.asset("a/1.jpg")?.id == young)
  }

  @Test(
    "29, S39: an asset that is saved, and at once has another name, is itself",
    arguments: [false, true], [false, true])
  func savedAndLinked(isNewFirst: Bool, isInNewAlbum: Bool) throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    let other = isInNewAlbum ? "c" : "b"
    if isInNewAlbum { library.disk.mkdir(other) }
    library.disk.write("a/new", 20)
    library.disk.rename("a/new", "a/1.jpg")
    library.disk.link("a/1.jpg", "\(other)/2.jpg")
    let events: [MemoryLibrary.Event] = [
      .touched("a/1.jpg", library.disk), .touched(isInNewAlbum ? other : "b/2.jpg", library.disk),
    ]
    try library.tell(isNewFirst ? events.reversed() : events)
    #expect(library.asset("a/1.jpg")?.id == id && library.asset("\(other)/2.jpg")?.id == id)
    #expect(library.index.assets.count == 1 && library.asset("a/1.jpg")?.byteCount == 20)
  }

  @Test(
    "29, S39: so it is while nobody listens, whichever of both is listed first", arguments: [false, true])
  func savedAndLinkedUnheard(isListingReversed: Bool) throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.isListingReversed = isListingReversed
    library.disk.write("a/new", 20)
    library.disk.rename("a/new", "a/1.jpg")
    library.disk.link("a/1.jpg", "b/2.jpg")
    try library.rescan()
    #expect(library.asset("a/1.jpg")?.id == id && library.asset("b/2.jpg")?.id == id)
    #expect(library.index.assets.count == 1)
  }

  @Test("29, S39: linked over it when it has been there for a moment, a photo stays what it is")
  func linkedOver() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.disk.write("b/new.jpg", 20)
    library.disk.link("b/new.jpg", "b/newer.jpg")
    try library.hint("b/new.jpg")
    try library.hint("b/newer.jpg")
    let other = try #require(library.asset("b/new.jpg")?.id)
    library.disk.remove("a/1.jpg")
    library.disk.link("b/new.jpg", "a/1.jpg")
    try library.hint("a/1.jpg")
    #expect(library.asset("a/1.jpg")?.id == other && library.asset("b/newer.jpg")?.id == other)
    #expect(library.index.asset(id) == nil)
  }
}
