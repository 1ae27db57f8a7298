import Glibc
import LibraryModel
import Testing

@testable import Storage

@Suite("What a database's file no longer needs")
struct UnusedPagesTests {
  private let directory: StateDirectory
  private var path: String { directory.path + "/library.sqlite" }

  init() throws {
    directory = try StateDirectory()
  }

  private func size() throws -> Int64 {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return Int64(status.st_size)
  }

  /// An index of which little is left.
  private func fill() throws -> (place: Place, tokens: ChangeTokens) {
    let store = try LibraryStore(path: path, boot: "one")
    try store.begin()
    for number in 0..<20_000 {
      let id = try store.index.files.reserveAssetID()
      let location = Location(
        AlbumID(rawValue: 1), FileName("a photo with a name of some length \(number).jpg"))
      let identity = FileIdentity(volume: .unknown, inode: UInt64(number + 1), birthTime: 5)
      _ = try store.index.files.insert(
        Link(location: location, asset: id, identity: identity, byteCount: 1, modified: 1))
      try store.index.files.insert(
        Asset(
          id: id, mediaType: .image, identity: identity, byteCount: 1, created: 1, modified: 1,
          primary: location))
      if number > 100 {
        try store.index.files.removeLink(at: location)
        try store.index.files.remove(id)
      }
      _ = try store.index.journal.append(
        Change(.asset(id), .inserted, albumsBefore: [], albumsAfter: [AlbumID(rawValue: 1)], snapshot: nil))
    }
    while try store.trimJournal(keepChanges: 100, keepDays: 30, limit: 5000) {}
    try store.commit()
    try store.close()
    return (store.place, store.tokens)
  }

  @Test(
    "S26: is given back at the next start, and nothing else changes",
    arguments: [Int64(64 << 10), UnusedPages.allowed])
  func givenBack(allowed: Int64) throws {
    let (place, tokens) = try fill()
    let before = try size()
    let store = try LibraryStore(path: path, boot: "one", unused: allowed)
    if allowed == UnusedPages.allowed {
      #expect(try size() == before, "it is used again")
    } else {
      #expect(try size() * 4 < before)
    }
    #expect(store.place == place && store.tokens.decode(tokens.encode(place)) == place)
    #expect(try store.assets.fetch(AssetQuery(), limit: 1000).assets.count == 101)
    guard
      case .changes(let changes) = try store.journal.changes(
        after: Place(rawValue: place.rawValue - 50), limit: 100)
    else {
      Issue.record("expired")
      return
    }
    #expect(changes.count == 50)
  }
}
