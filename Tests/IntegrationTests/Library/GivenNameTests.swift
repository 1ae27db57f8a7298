import AlbumAPI
import AlbumClient
import Glibc
import Linux
import TestSupport
import Testing
import Varlink
import VarlinkTransport

/// Names that are not UTF-8, given by who adds: a backup brings them back as they were.
@Suite("Names that are not UTF-8, given", .blocking, .timeLimit(.minutes(30)))
struct GivenNameTests {
  private static let bytes: [UInt8] = Array("caf".utf8) + [0xE9] + Array(" 100%.jpg".utf8)
  private static let encoded = "caf%E9 100%25.jpg"

  private func add(_ connection: Connection, _ host: Host, _ encoded: String) throws -> [String] {
    let path = try host.library.add("../source", Photo.jpeg("latin"))
    let file = try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC), call: "open", subject: path)
    let batch = DescriptorBatch()
    let item = LibraryInterface.AddItem(
      fileDescriptor: batch.append(file), filename: "caf\u{FFFD}.jpg", percentEncodedFilename: encoded)
    return try connection.call(LibraryInterface.AddAssets.self, .init(items: [item]), descriptors: batch).ids
  }

  @Test("S30: what is added gets such a name, and no byte of it is another; one that exists gets a number")
  func added() throws {
    let host = try Host()
    let owner = try host.owner()
    let first = try add(owner, host, Self.encoded)
    #expect(try owner.assets().map(\.percentEncodedFilename) == [Self.encoded])
    #expect(access(path(host.library.path("Saved"), Self.bytes), F_OK) == 0)
    let second = try add(owner, host, Self.encoded)
    let names = Dictionary(
      uniqueKeysWithValues: try owner.assets().map { ($0.id, $0.percentEncodedFilename) })
    #expect(names == [first[0]: Self.encoded, second[0]: "caf%E9 100%25 (2).jpg"])
  }

  @Test("S30: bytes that are UTF-8 are a name as well")
  func text() throws {
    let host = try Host()
    let owner = try host.owner()
    _ = try add(owner, host, "%E5%A3%81%E7%BA%B8.jpg")
    #expect(try owner.assets().map(\.filename) == ["壁纸.jpg"])
  }

  @Test("S19: an album gets such a title; one that exists gets a number")
  func album() throws {
    let host = try Host()
    let owner = try host.owner()
    for expected in ["%FFA", "%FFA (2)"] {
      let album = try owner.call(
        LibraryInterface.CreateAlbum.self, .init(title: "A", percentEncodedTitle: "%FFA")
      ).album
      #expect(album.percentEncodedTitle == expected)
    }
    #expect(access(path(host.library.photos, [0xFF, 0x41]), F_OK) == 0)
  }

  @Test(
    "S30, S19: bytes that can be no name are refused, by the parameter that has them",
    arguments: [
      "a%2Fb.jpg", "%2E.jpg", "%00.jpg", "%0A.jpg", "a%", "a%4", "%zz.jpg", "%C2%85.jpg", "",
      String(repeating: "%FF", count: 256) + ".jpg",
    ])
  func refused(name: String) throws {
    let host = try Host()
    let owner = try host.owner()
    let item = try failure { _ = try add(owner, host, name) }
    #expect(item.typed(InvalidParameter.self)?.parameter == "items[0].percentEncodedFilename")
    let album = try failure {
      try owner.call(LibraryInterface.CreateAlbum.self, .init(title: "A", percentEncodedTitle: name))
    }
    #expect(album.typed(InvalidParameter.self)?.parameter == "percentEncodedTitle")
    #expect(try owner.assets().isEmpty)
    #expect(try owner.albums().allSatisfy { $0.title == "Saved" })
  }

  @Test("S16, S19: a limited app's album with such a title is numbered by those that it sees")
  func limited() throws {
    let host = try Host()
    #expect(mkdir(path(host.library.photos, [0xFF]), 0o755) == 0)
    try host.set(.wallpapers, .limited)
    let app = try host.app().connect()
    let album = try app.call(
      LibraryInterface.CreateAlbum.self, .init(title: "A", percentEncodedTitle: "%FF")
    ).album
    #expect(album.percentEncodedTitle == "%FF")
  }

  @Test("S30: by the client library")
  func client() throws {
    let host = try Host()
    let connection = try AlbumConnection(socket: host.library.socket)
    try connection.actAsOwner()
    var item = MediaItem(.bytes(Photo.jpeg("latin")), named: "caf.jpg")
    item.percentEncodedFilename = Self.encoded
    let album = try connection.createAlbum("A", percentEncodedTitle: "%FFA")
    _ = try connection.save([item], to: album.id).map { try $0.get() }
    let owner = try host.owner()
    #expect(try owner.assets().map(\.percentEncodedFilename) == [Self.encoded])
    #expect(try owner.assets().first?.albums == [album.id])
  }
}
