import LibraryModel
import Testing

@Suite("S94: whether an adjustment is of what an asset is now")
struct EditStateTests {
  /// A photo that was edited to what it is.
  private func edited() throws -> (MemoryLibrary, AssetID) {
    let (library, id) = try MemoryLibrary.withPhoto()
    let asset = try #require(library.asset("a/1.jpg"))
    library.index.edited[id] = ContentStamp(asset)
    // As an edit ends: its content is looked at.
    var before = asset
    before.edit = .adjusted
    library.index.update(before)
    return (library, id)
  }

  @Test("S94: written to by another program, the original is kept and the adjustment is not of it")
  func written() throws {
    let (library, id) = try edited()
    library.disk.write("a/1.jpg", 99)
    try library.hint("a/1.jpg")
    #expect(library.asset("a/1.jpg")?.edit == .changedSince)
    #expect(library.told(id) == [.changed(content: true)])
    guard
      case .asset(_, _, _, _, _, _, _, _, let edit, _)? = library.index.journal.last?.change?.snapshot
    else {
      Issue.record("nothing was told")
      return
    }
    #expect(edit == .changedSince)
  }

  @Test("S94: replaced by another file of its name, likewise; renamed, it is what it was")
  func replaced() throws {
    let (library, id) = try edited()
    library.disk.rename("a/1.jpg", "b/2.jpg")
    try library.rescan()
    #expect(library.asset("b/2.jpg")?.id == id && library.asset("b/2.jpg")?.edit == .adjusted)
    library.disk.write("b/.tmp", 10)
    library.disk.rename("b/.tmp", "b/2.jpg")
    try library.hint("b/2.jpg", .renamed)
    #expect(library.asset("b/2.jpg")?.id == id && library.asset("b/2.jpg")?.edit == .changedSince)
  }

  @Test("S94, S39: gone and back a moment later, it has its id and what is known of its edit")
  func back() throws {
    let (library, id) = try edited()
    library.disk.rename("a/1.jpg", "gone")
    try library.hint("a/1.jpg")
    #expect(library.asset("a/1.jpg") == nil)
    library.disk.rename("gone", "a/1.jpg")
    try library.hint("a/1.jpg", .renamed)
    #expect(library.asset("a/1.jpg")?.id == id && library.asset("a/1.jpg")?.edit == .adjusted)
  }

  @Test(
    "S40, S94, S96: written to, and its time set back, nothing is known of its content any more, wherever it goes"
  )
  func rewritten() throws {
    let (library, id) = try edited()
    let hash = [UInt8](0..<32).withUnsafeBytes { ContentHash(bytes: $0) }
    let asset = try #require(library.index.asset(id))
    #expect(try library.librarian.files.noteHash(of: asset, hash))
    #expect(try library.librarian.files.describe(asset, nil))
    library.disk.change("a/1.jpg")
    try library.hint("a/1.jpg")
    let written = try #require(library.asset("a/1.jpg"))
    #expect(library.told(id).last == .changed(content: true))
    #expect(written.contentHash == nil && !written.isHashed && !written.isDescribed)
    #expect(written.modified == asset.modified && written.edit == .changedSince)
    library.disk.rename("a/1.jpg", "b/2.jpg")
    try library.rescan()
    #expect(library.asset("b/2.jpg")?.edit == .changedSince)
    library.disk.rename("b/2.jpg", "gone")
    try library.hint("b/2.jpg")
    library.disk.rename("gone", "b/2.jpg")
    try library.hint("b/2.jpg", .renamed)
    #expect(library.asset("b/2.jpg")?.id == id && library.asset("b/2.jpg")?.edit == .changedSince)
  }

  @Test("R2, S94: what is known of an edit only after its file was seen is noted then")
  func seenBefore() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    let location = try #require(library.location("a/1.jpg"))
    guard case .found(let facts) = library.disk.look(at: location, in: library.librarian.directories.tree)
    else {
      Issue.record("it is there")
      return
    }
    library.index.edited[id] = ContentStamp(facts)
    try library.librarian.files.refresh(id, facts)
    #expect(library.asset("a/1.jpg")?.edit == .adjusted)
    library.index.edited[id] = nil
    try library.librarian.files.refresh(id, facts)
    #expect(library.asset("a/1.jpg")?.edit == EditState.none)
  }

  @Test("S94: an asset that was never edited has nothing to put back, whatever is written to it")
  func never() throws {
    let (library, _) = try MemoryLibrary.withPhoto()
    library.disk.write("a/1.jpg", 99)
    try library.hint("a/1.jpg")
    #expect(library.asset("a/1.jpg")?.edit == EditState.none)
  }

  @Test(
    "S94: a format and its version are short words of printable characters",
    arguments: [
      ("org.example.Editor", true), (String(repeating: "a", count: 255), true),
      (String(repeating: "a", count: 256), false), ("", false), ("a b", false), ("a\u{1b}[2J", false),
      ("org.example.编辑", false), ("a\0", false),
    ])
  func words(text: String, isAllowed: Bool) {
    #expect(Adjustment.isIdentifier(text) == isAllowed)
    #expect(Adjustment.isVersion(text) == (isAllowed && text.utf8.count <= 64))
  }

  @Test("S94: with another number, a file is the same by birth, length and times, in whatever zone")
  func renumbered() {
    func stamp(_ inode: UInt64, _ birth: Int64, _ byteCount: Int64, _ modified: Int64) -> ContentStamp {
      let identity = FileIdentity(volume: VolumeNumber(rawValue: 1), inode: inode, birthTime: birth)
      return ContentStamp(identity: identity, byteCount: byteCount, modified: modified)
    }
    let hour: Int64 = 3_600_000_000_000
    let kept = stamp(1, 50, 7, 100)
    #expect(kept.isSame(as: kept) && kept.isSame(as: stamp(2, 50, 7, 100)))
    #expect(kept.isSame(as: stamp(2, 50 - hour, 7, 100 - hour)))
    #expect(stamp(1, 0, 7, 100).isSame(as: stamp(2, 0, 7, 100 + 13 * hour)))
    // It was written to, or is another.
    for other in [
      stamp(1, 50, 7, 101), stamp(1, 50, 7, 100 + hour), stamp(2, 51, 7, 100), stamp(2, 50, 8, 100),
      stamp(2, 50, 7, 101), stamp(2, 50, 7, 100 + hour), stamp(2, 50 + 27 * hour, 7, 100 + 27 * hour),
      stamp(2, .max, 7, .min),
    ] {
      #expect(!kept.isSame(as: other))
    }
  }
}
