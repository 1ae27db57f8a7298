import AlbumAPI
import Glibc
import TestSupport
import Testing
import Varlink

@Suite("Fetching", .blocking)
struct FetchTests {
  private func names(
    _ connection: Connection, _ parameters: LibraryInterface.FetchAssets.Parameters
  ) throws -> [String] {
    try connection.assets(parameters).map(\.filename)
  }

  @Test("an asset tells what it is")
  func asset() throws {
    let host = try Host {
      try $0.add("Trip/a.jpg", Photo.jpeg("a"))
      try $0.add("b.mp4", Photo.mp4)
      try $0.add("notes.txt")
    }
    let owner = try host.owner()
    #expect(try names(owner, .init(sort: .filename)) == ["a.jpg", "b.mp4"])
    let photo = try owner.asset("a.jpg")
    #expect(photo.mediaType == .image)
    #expect(photo.resources == [.photo])
    #expect(photo.byteCount == Int64(Photo.jpeg("a").count))
    #expect(photo.albums == [try owner.album("Trip").id])
    #expect(!photo.offline)
    let film = try owner.asset("b.mp4")
    #expect(film.mediaType == .video)
    #expect(film.resources == [.video])
    // S47: a root is no album.
    #expect(film.albums.isEmpty)
  }

  @Test("filters: albums, ids, kinds, names")
  func filters() throws {
    let host = try Host {
      for name in ["Trip/a.jpg", "Trip/b.mp4", "Home/c.jpg", "holiday.jpg"] { try $0.add(name) }
    }
    let owner = try host.owner()
    let trip = try owner.album("Trip").id
    let c = try owner.asset("c.jpg").id
    #expect(try names(owner, .init(albums: [trip], sort: .filename)) == ["a.jpg", "b.mp4"])
    #expect(try names(owner, .init(ids: [c])) == ["c.jpg"])
    #expect(try names(owner, .init(mediaTypes: [.video])) == ["b.mp4"])
    #expect(try names(owner, .init(albums: [trip], mediaTypes: [.image])) == ["a.jpg"])
    #expect(try names(owner, .init(nameContains: "olid")) == ["holiday.jpg"])
    #expect(try names(owner, .init(mediaTypes: [])).isEmpty)
    #expect(try names(owner, .init(albums: [])).isEmpty)
  }

  @Test("filters and order by time")
  func times() throws {
    let host = try Host { library in
      for (index, name) in ["c.jpg", "a.jpg", "b.jpg"].enumerated() {
        let path = try library.add(name, Photo.jpeg(String(repeating: "x", count: index * 10)))
        var times = [timespec(tv_sec: 1_600_000_000 + index * 86_400, tv_nsec: 0)]
        times.append(times[0])
        #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
      }
    }
    let owner = try host.owner()
    #expect(try names(owner, .init(sort: .modified)) == ["c.jpg", "a.jpg", "b.jpg"])
    #expect(try names(owner, .init(sort: .modified, descending: true)) == ["b.jpg", "a.jpg", "c.jpg"])
    #expect(try names(owner, .init(sort: .byteCount)) == ["c.jpg", "a.jpg", "b.jpg"])
    #expect(try names(owner, .init(sort: .filename, descending: true)) == ["c.jpg", "b.jpg", "a.jpg"])
    #expect(try owner.asset("a.jpg").modified == Instant("2020-09-14T12:26:40Z"))
    // The bounds are either's creation, whatever that is on this file system.
    let created = try owner.assets(.init(sort: .created)).map(\.created)
    #expect(created == created.sorted())
    let last = try #require(created.last)
    #expect(try names(owner, .init(createdAfter: Instant(microseconds: last.microseconds + 1))).isEmpty)
    #expect(try names(owner, .init(createdBefore: Instant(microseconds: 0))).isEmpty)
  }

  @Test("pages by cursor, each asset once, in order")
  func pages() throws {
    let expected = (0..<25).map { "photo-\($0 < 10 ? "0" : "")\($0).jpg" }
    let host = try Host { library in for name in expected { try library.add(name) } }
    let owner = try host.owner()
    var found: [String] = []
    var cursor: String?
    repeat {
      let page = try owner.call(
        LibraryInterface.FetchAssets.self, .init(sort: .filename, limit: 10, cursor: cursor))
      #expect(page.total == 25)
      #expect(page.assets.count <= 10)
      found += page.assets.map(\.filename)
      cursor = page.cursor
    } while cursor != nil
    #expect(found == expected)
  }

  @Test("pages as a stream with more, one state for all of them")
  func stream() throws {
    let host = try Host { library in for number in 0..<1200 { try library.add("p\(number).jpg") } }
    let owner = try host.owner()
    try owner.begin(LibraryInterface.FetchAssets.self, .init(sort: .filename, limit: 100), more: true)
    var pages: [LibraryInterface.FetchAssets.Reply] = []
    while true {
      let answer = try owner.receive()
      pages.append(try answer.decoded(LibraryInterface.FetchAssets.self))
      if !answer.reply.continues { break }
    }
    #expect(pages.count == 12)
    let names = pages.flatMap(\.assets).map(\.filename)
    #expect(Set(names).count == 1200)
    #expect(names == names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
    #expect(Set(pages.map(\.token)).count == 1)
    #expect(pages.last?.cursor == nil)
    // The connection serves on.
    try owner.roundTrip()
  }

  @Test("a cursor or a limit that is none: InvalidParameter")
  func invalid() throws {
    let host = try Host()
    let owner = try host.owner()
    for (parameters, name) in [
      (LibraryInterface.FetchAssets.Parameters(limit: 0), "limit"), (.init(limit: 100_000), "limit"),
      (.init(cursor: "nonsense"), "cursor"),
    ] {
      let error = try failure { _ = try owner.assets(parameters) }
      #expect(error.typed(InvalidParameter.self)?.parameter == name)
    }
  }

  @Test("S27: a fetch's token and a subscription leave no gap")
  func noGap() throws {
    let host = try Host { try $0.add("a.jpg") }
    let owner = try host.owner()
    let page = try owner.call(LibraryInterface.FetchAssets.self, .init())
    try host.library.add("b.jpg")
    let seen = try host.owner().subscribe(since: page.token).next()
    #expect(seen.inserted.map(\.filename) == ["b.jpg"])
  }

  @Test("S47: albums nest as directories do")
  func albums() throws {
    let host = try Host {
      try $0.add("Trip/Day 1/a.jpg")
      try $0.add("Trip/b.jpg")
      try $0.makeAlbum("Empty")
      try $0.makeAlbum(".hidden")
    }
    let owner = try host.owner()
    #expect(try owner.albums().map(\.title) == ["Day 1", "Empty", "Trip"])
    let (trip, day) = (try owner.album("Trip"), try owner.album("Day 1"))
    #expect(day.parent == trip.id)
    #expect(trip.parent == nil)
    #expect(trip.assetCount == 1)
    let children = try owner.call(LibraryInterface.FetchAlbums.self, .init(parent: trip.id)).albums
    #expect(children.map(\.id) == [day.id])
    let byID = try owner.call(LibraryInterface.FetchAlbums.self, .init(ids: [trip.id])).albums
    #expect(byID.map(\.title) == ["Trip"])
  }

  @Test("a call names so many ids, and no more")
  func manyIDs() throws {
    let host = try Host { try $0.add("a.jpg") }
    let owner = try host.owner()
    let id = try owner.asset("a.jpg").id
    let most = Array(repeating: id, count: 10_000)
    #expect(try owner.assets(.init(ids: most)).map(\.id) == [id])
    let tooMany = most + [id]
    func refused(_ body: () throws -> Void) throws -> String? {
      try failure(body).typed(InvalidParameter.self)?.parameter
    }
    #expect(try refused { _ = try owner.assets(.init(ids: tooMany)) } == "ids")
    #expect(try refused { _ = try owner.assets(.init(albums: tooMany)) } == "albums")
    #expect(try refused { try owner.call(LibraryInterface.FetchAlbums.self, .init(ids: tooMany)) } == "ids")
    #expect(
      try refused {
        try owner.begin(LibraryInterface.Subscribe.self, .init(assets: .init(ids: tooMany)), more: true)
        _ = try owner.receive(LibraryInterface.Subscribe.self)
      } == "assets.ids")
  }
}
