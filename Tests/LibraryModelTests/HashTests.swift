import Testing

@testable import LibraryModel

@Suite("Hashes of content") struct HashTests {
  private static let hash = [UInt8](0..<32).withUnsafeBytes { ContentHash(bytes: $0) }

  @Test("S96: a hash is said as sha256 and 64 digits of lower case, and nothing else is one")
  func text() throws {
    let hash = try #require(Self.hash)
    let text = "sha256:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    #expect(hash.text == text && hash.bytes == [UInt8](0..<32))
    #expect(ContentHash(text: text) == hash)
    let digits = text.dropFirst(7)
    for bad in [
      "", "sha256:", String(digits), "sha256:\(digits.dropLast())", text + "0",
      "sha256:\(digits.uppercased())",
      "SHA256:\(digits)", "sha512:\(digits)", "sha256:\(digits.dropLast())g", " " + text,
      "sha256:é\(digits.dropLast(2))",
      "sha256:\(digits.dropLast())\0", "sha256-\(digits)",
    ] {
      #expect(ContentHash(text: bad) == nil, "\(bad)")
    }
    for count in [0, 31, 33] {
      #expect([UInt8](repeating: 1, count: count).withUnsafeBytes { ContentHash(bytes: $0) } == nil)
    }
  }

  @Test(
    "S96: a hash is told as changed and not as content, once; also to who sees the albums of an asset only")
  func noted() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    let before = try #require(library.index.asset(id))
    #expect(try library.librarian.files.noteHash(of: before, Self.hash))
    let after = try #require(library.index.asset(id))
    #expect(after.contentHash == Self.hash && after.isHashed)
    let changes = try library.librarian.finishBatch().compactMap(\.change)
    #expect(changes.map(\.operation) == [.changed(content: false)])
    #expect(changes.first?.isOfAlbumsAlone == false)
    #expect(try library.librarian.files.noteHash(of: before, Self.hash))
    #expect(try library.librarian.finishBatch().isEmpty)
  }

  @Test("S96: what is never to be hashed is noted, and told to nobody")
  func never() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    let before = try #require(library.index.asset(id))
    #expect(try library.librarian.files.noteHash(of: before, nil))
    #expect(try #require(library.index.asset(id)).isHashed)
    #expect(try library.librarian.finishBatch().isEmpty)
  }

  @Test(
    "S96: with other content goes the hash, in the same change; and one of the former content is not noted")
  func dropped() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    let before = try #require(library.index.asset(id))
    #expect(try library.librarian.files.noteHash(of: before, Self.hash))
    _ = try library.librarian.finishBatch()
    library.disk.write("a/1.jpg", 20)
    try library.hint("a/1.jpg")
    let other = try #require(library.index.asset(id))
    #expect(other.contentHash == nil && !other.isHashed)
    #expect(library.changes.map(\.operation) == [.changed(content: true)])
    #expect(try !library.librarian.files.noteHash(of: before, Self.hash))
    #expect(library.index.asset(id) == other)
  }

  @Test("S96: a renamed asset keeps its hash, and so does a still whose movie comes")
  func kept() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    #expect(try library.librarian.files.noteHash(of: try #require(library.index.asset(id)), Self.hash))
    library.disk.write("a/1.mov", 5)
    try library.hint("a/1.mov")
    #expect(library.index.asset(id)?.mediaType == .livePhoto)
    #expect(library.index.asset(id)?.contentHash == Self.hash)
    library.disk.rename("a/1.jpg", "b/2.jpg")
    try library.tell([.moved("a/1.jpg", "b/2.jpg", library.disk)])
    #expect(library.index.asset(id)?.filename == FileName("2.jpg"))
    #expect(library.index.asset(id)?.contentHash == Self.hash)
  }
}
