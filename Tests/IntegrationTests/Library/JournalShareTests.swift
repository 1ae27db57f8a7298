import AlbumAPI
import TestSupport
import Testing
import Varlink

@Suite("What an app has of the journal (S27)", .blocking)
struct JournalShareTests {
  private func favorite(_ connection: Connection, _ ids: [String], _ isSet: Bool = true) throws {
    try connection.call(LibraryInterface.SetFavorite.self, .init(ids: ids, favorite: isSet))
  }

  private func throttled(_ body: () throws -> Void) throws {
    let error = try #require(try failure(body).typed(AuthorizationInterface.Throttled.self))
    #expect(error.retryAfterSeconds > 86_000)
  }

  @Test("S27: an app makes a tenth of what the journal keeps within a day; what others have not read stays")
  func share() throws {
    let host = try Host {
      $0.options = ["journal: {keepChanges: 1000}"]
      for number in 0..<60 { try $0.add("A/\(number).jpg", Photo.jpeg("\(number)")) }
    }
    for app in [AppDescription.wallpapers, .mail] { try host.set(app, .authorized) }
    let owner = try host.owner()
    let ids = try owner.assets(.init()).map(\.id)
    let token = try owner.call(LibraryInterface.GetInfo.self, .init()).token
    let app = try host.app().connect()
    try favorite(app, ids)
    // Those are favourites already: nothing is changed, and nothing counted.
    try favorite(app, ids)
    try throttled { try favorite(app, ids, false) }
    // What it had left was done, in order.
    #expect(try owner.assets(.init(isFavorite: true)).count == 20)
    let album = try #require(try owner.call(LibraryInterface.FetchAlbums.self, .init()).albums.first).id
    try throttled {
      _ = try app.call(LibraryInterface.SetKeyAsset.self, .init(album: album, asset: ids[0]))
    }
    try throttled { _ = try app.call(LibraryInterface.RenameAlbum.self, .init(album: album, title: "B")) }
    try throttled { _ = try app.call(LibraryInterface.CreateAlbum.self, .init(title: "B")) }
    try throttled { try app.call(LibraryInterface.MoveInAlbum.self, .init(album: album, ids: [ids[0]])) }
    // It adds, and reads, as before, and so does everybody else.
    #expect(try app.assets(.init()).count == 60)
    let other = try host.app(.mail).connect()
    try favorite(other, ids)
    try favorite(owner, ids, false)
    _ = try host.owner().subscribe(since: token)
  }
}
