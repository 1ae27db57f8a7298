import AlbumAPI
import Glibc
import TestSupport
import Testing
import Varlink

@Suite("Names that are not UTF-8", .blocking)
struct NameTests {
  private static let bytes: [UInt8] = Array("caf".utf8) + [0xE9] + Array(" 100%.jpg".utf8)

  private func make(_ library: TemporaryLibrary, _ name: [UInt8], _ content: [UInt8]) throws {
    try writeWhole(path(library.photos, name), content)
  }

  @Test("a name that is not UTF-8 is carried without loss and opens")
  func latin1() throws {
    let host = try Host()
    let owner = try host.owner()
    let subscriber = try host.owner().subscribe()
    try make(host.library, Self.bytes, Photo.jpeg("latin"))
    let asset = try #require(try subscriber.next().inserted.first)
    #expect(asset.percentEncodedFilename == "caf%E9 100%25.jpg")
    #expect(try owner.assets().map(\.percentEncodedFilename) == ["caf%E9 100%25.jpg"])
    #expect(try owner.content(of: asset.id) == Photo.jpeg("latin"))
    // The stream goes on.
    try host.library.add("plain %41.jpg")
    let plain = try #require(try subscriber.next().inserted.first)
    #expect(plain.filename == "plain %41.jpg")
    #expect(plain.percentEncodedFilename == nil)
  }

  @Test("of what was deleted likewise")
  func deleted() throws {
    let host = try Host { try make($0, Self.bytes, Photo.jpeg("latin")) }
    let owner = try host.owner()
    let id = try #require(try owner.assets().first).id
    try owner.call(LibraryInterface.DeleteAssets.self, .init(ids: [id]))
    let deleted = try owner.call(ManagerInterface.ListDeleted.self, .init()).assets
    #expect(deleted.map(\.percentEncodedFilename) == ["caf%E9 100%25.jpg"])
  }

  @Test("an album's title likewise")
  func album() throws {
    let host = try Host()
    let subscriber = try host.owner().subscribeToAlbums()
    #expect(mkdir(path(host.library.photos, [0xFF, 0x41]), 0o755) == 0)
    let album = try #require(try subscriber.next().inserted.first)
    #expect(album.percentEncodedTitle == "%FFA")
    #expect(try host.owner().albums().map(\.percentEncodedTitle) == ["%FFA"])
  }

  @Test("newlines, quotes, control characters, 255 bytes, and other scripts")
  func awkward() throws {
    let names = [
      "line\nbreak.jpg", "quote\"back\\slash.jpg", "bell\u{7}.jpg",
      String(repeating: "x", count: 251) + ".jpg",
      "壁纸 🏞.jpg", "e\u{301}.jpg", "é.jpg",
    ]
    let host = try Host()
    let owner = try host.owner()
    let subscriber = try host.owner().subscribe()
    for name in names {
      try make(host.library, Array(name.utf8), Photo.jpeg())
      let asset = try #require(try subscriber.next().inserted.first)
      #expect(Array(asset.filename.utf8) == Array(name.utf8))
      #expect(try owner.content(of: asset.id) == Photo.jpeg())
    }
    try host.daemon.restart()
    #expect(try host.owner().assets().count == names.count)
  }
}
