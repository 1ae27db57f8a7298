import AlbumAPI
import AlbumClient
import Foundation
import TestSupport
import Testing
import Varlink

@Suite("Bursts (S100)", .blocking, .timeLimit(.minutes(30)))
struct BurstTests {
  private static let burst = "BURST20190817141236616"
  private static let cover = "00002IMG_00002_BURST20190817141236616_COVER.jpg"
  private static let others = (0..<2).map { "0000\($0)IMG_0000\($0)_BURST20190817141236616.jpg" }

  private func host() throws -> Host {
    let host = try Host {
      try $0.describeThisProcess()
      for name in Self.others + [Self.cover] { try $0.add("Trip/\(name)", Photo.jpeg(name)) }
      try $0.add("Trip/00003IMG_00003_BURST20190817141236616.mp4", Photo.mp4)
      try $0.add("Trip/plain.jpg", Photo.jpeg("plain"))
      try $0.add("Trip/20151013_101112_Burst01.jpg", Photo.jpeg("other"))
    }
    try host.set(.client, .authorized)
    try host.owner().waitUntilDescribed(.generous)
    return host
  }

  private func members(_ connection: Connection, _ burst: String) throws -> [String] {
    let filter = LibraryInterface.AssetFilter(burstIdentifier: burst)
    let found = try connection.assets(.init(sort: .filename, matching: filter))
    let all = try connection.assets().filter { filter.holds(for: $0) }
    #expect(all.map(\.id) == found.map(\.id), "the client library says the same of \(burst)")
    return found.map(\.filename)
  }

  @Test("S100: the photos of a burst have one identifier, the one that the camera chose stands for them")
  func fields() throws {
    let host = try host()
    let owner = try host.owner()
    let all = try owner.assets()
    for asset in all {
      let expected: (String?, Bool?) =
        switch asset.filename {
        case Self.cover: (Self.burst, true)
        case let name where Self.others.contains(name): (Self.burst, nil)
        case "20151013_101112_Burst01.jpg": ("20151013_101112_Burst", true)
        default: (nil, nil)
        }
      #expect(
        asset.burstIdentifier == expected.0 && asset.representsBurst == expected.1, "\(asset.filename)")
      // What opens it says the same, by the other way of writing it.
      try owner.begin(LibraryInterface.OpenAsset.self, .init(id: asset.id))
      let opened = try owner.receive().decoded(LibraryInterface.OpenAsset.self).asset
      #expect(
        opened.burstIdentifier == expected.0 && opened.representsBurst == expected.1, "\(asset.filename)")
    }
    #expect(all.count == 6)
  }

  @Test("S92, S100: a burst is found by its identifier, also among other conditions and in moments")
  func found() throws {
    let host = try host()
    let owner = try host.owner()
    #expect(try members(owner, Self.burst) == Self.others + [Self.cover])
    #expect(try members(owner, "20151013_101112_Burst") == ["20151013_101112_Burst01.jpg"])
    // Also one that is longer than any can be, by a byte and by many.
    for other in ["", "BURST", "plain"] + [29, 1000].map({ String(repeating: "B", count: $0) }) {
      #expect(try members(owner, other).isEmpty)
    }
    let burst = LibraryInterface.AssetFilter.burstIdentifier(Self.burst)
    #expect(try owner.assets(.init(matching: .all([burst, .nameContains("cover")]))).count == 1)
    #expect(try owner.assets(.init(matching: .none([burst]))).count == 3)
    let moments = try owner.call(LibraryInterface.FetchMoments.self, .init(unit: .year, matching: burst))
    #expect(moments.moments.reduce(0) { $0 + $1.count } == 3)
  }

  @Test("S100: where it lies makes no difference; another name does, and is told as any name is")
  func renamed() throws {
    let host = try host()
    let owner = try host.owner()
    let page = try owner.call(LibraryInterface.FetchAssets.self, .init())
    var replica = Replica(page.assets, token: page.token)
    let stream = try host.owner().subscribe(since: page.token)
    let id = try owner.asset(Self.others[0]).id
    func follow(until burst: String?, _ isRepresentative: Bool?, named name: String, in album: String) throws
    {
      while true {
        try replica.apply(try stream.next())
        let asset = try #require(replica.items[id])
        guard asset.filename == name, try asset.albums == [owner.album(album).id] else { continue }
        #expect(asset.burstIdentifier == burst && asset.representsBurst == isRepresentative)
        break
      }
      func fetched() throws -> [String: LibraryInterface.Asset] {
        Dictionary(uniqueKeysWithValues: try owner.assets().map { ($0.id, $0) })
      }
      while try fetched() != replica.items { try replica.apply(try stream.next()) }
    }
    try host.library.makeAlbum("Best")
    try host.library.move("Trip/\(Self.others[0])", to: "Best/\(Self.others[0])")
    try follow(until: Self.burst, nil, named: Self.others[0], in: "Best")
    #expect(try members(owner, Self.burst).count == 3)
    try host.library.move("Best/\(Self.others[0])", to: "Best/dog.jpg")
    try follow(until: nil, nil, named: "dog.jpg", in: "Best")
    #expect(try members(owner, Self.burst).count == 2)
    let name = "IMG_20231014_183246_BURST001_COVER.jpg"
    let renamed = try owner.call(LibraryInterface.RenameAsset.self, .init(id: id, filename: name)).asset
    #expect(renamed.burstIdentifier == "IMG_20231014_183246_BURST" && renamed.representsBurst == true)
    try follow(until: renamed.burstIdentifier, true, named: name, in: "Best")
  }

  @Test(
    "S16, S100: who sees a part of a burst finds that part, and an identifier says what its name says and no more"
  )
  func limited() throws {
    let host = try host()
    let owner = try host.owner()
    // The same burst where it does not look.
    let all = try host.owner().subscribe()
    try host.library.add("Secret/\(Self.others[0])", Photo.jpeg("secret"))
    let inserted = try all.collect { !$0.inserted.isEmpty }.inserted
    #expect(inserted.map(\.burstIdentifier) == [Self.burst])
    let program = try host.app()
    let app = try program.connect()
    let seen = try #require(try owner.assets().first { $0.filename == Self.others[1] })
    try host.limit(app, assets: [seen.id])
    let told = try #require(try app.assets().first)
    #expect(told.burstIdentifier == Self.burst && told.representsBurst == nil)
    #expect(told.filename.contains(try #require(told.burstIdentifier)))
    #expect(try members(app, Self.burst) == [Self.others[1]])
    #expect(try members(app, "20151013_101112_Burst").isEmpty)
    let page = try app.call(
      LibraryInterface.FetchAssets.self, .init(matching: .burstIdentifier(Self.burst)))
    #expect(page.total == 1)
    #expect(try app.assets(.init(matching: .none([.burstIdentifier(Self.burst)]))).isEmpty)
    // Its cover goes: of that it is told nothing.
    let stream = try program.connect().subscribe()
    try host.library.remove("Trip/\(Self.cover)")
    try host.library.remove("Secret/\(Self.others[0])")
    _ = try all.collect { $0.removed.count == 2 }
    try host.select(.add, assets: [try owner.asset("plain.jpg").id])
    let next = try stream.next()
    #expect(next.inserted.map(\.filename) == ["plain.jpg"] && next.changed.isEmpty && next.removed.isEmpty)
    #expect(try members(app, Self.burst) == [Self.others[1]])
  }

  @Test("S100: the client library fetches a burst, with other options, and its list follows the library")
  func client() async throws {
    let host = try host()
    let library = PhotoLibrary(socketPath: host.library.socket)
    let options = FetchOptions(sortKey: .filename, matching: .none([.nameContains("00001")]))
    let fetched = try await library.fetchAssets(withBurstIdentifier: Self.burst, options: options)
    #expect(Array(fetched).map(\.filename) == [Self.others[0], Self.cover])
    #expect(Array(fetched).map(\.representsBurst) == [nil, true])
    let gallery = Gallery(fetched)
    try library.register(gallery, since: gallery.beginning)
    let late = "00009IMG_00009_BURST20190817141236616.jpg"
    for name in ["no.jpg", late] { try host.library.add(name, Photo.jpeg(name)) }
    await gallery.wait(for: [Self.others[0], Self.cover, late])
    library.unregisterChangeObserver(gallery)
  }

  @Test("S100: albumctl says it in JSON, and finds a burst")
  func command() throws {
    let host = try host()
    let filter = #"{"burstIdentifier": "\#(Self.burst)"}"#
    let listed = try host.albumctl("assets", "--owner", "--json", "--sort", "filename", "--matching", filter)
    let lines = listed.output.split(separator: "\n")
    #expect(listed.status == 0 && lines.count == 3)
    #expect(lines.allSatisfy { $0.contains(#""burstIdentifier":"\#(Self.burst)""#) })
    #expect(lines.map { $0.contains(#""representsBurst":true"#) } == [false, false, true])
  }
}
