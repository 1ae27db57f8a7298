import AlbumAPI
import TestSupport
import Testing
import Varlink

@Suite("Fetching ids alone (S104)", .blocking)
struct IDPageTests {
  private typealias Fetch = LibraryInterface.FetchAssets

  private func stream(_ connection: Connection, _ parameters: Fetch.Parameters) throws -> [Fetch.Reply] {
    try connection.begin(Fetch.self, parameters, more: true)
    var pages: [Fetch.Reply] = []
    while true {
      let answer = try connection.receive()
      pages.append(try answer.decoded(Fetch.self))
      if !answer.reply.continues { return pages }
    }
  }

  @Test("S104: the ids of what a fetch finds, in its order, with what they are sorted by")
  func agree() throws {
    let host = try Host { library in
      for number in 0..<30 {
        try library.add(
          number % 3 == 0 ? "Trip/\(number).mp4" : "\(number).jpg",
          number % 3 == 0 ? Photo.mp4 : Photo.jpeg(String(repeating: "x", count: number)))
      }
    }
    let owner = try host.owner()
    // Of a whole library nobody has an order of their own.
    for sort in LibraryInterface.SortKey.allCases where sort != .custom {
      for descending in [false, true] {
        var wish = Fetch.Parameters(mediaTypes: [.image], sort: sort, descending: descending, limit: 7)
        let whole = try stream(owner, wish).flatMap(\.assets)
        wish.onlyIds = true
        let pages = try stream(owner, wish)
        #expect(pages.count == 3 && pages.allSatisfy { $0.assets.isEmpty && $0.total == 20 })
        #expect(pages.flatMap { $0.ids ?? [] } == whole.map(\.id))
        #expect(Set(pages.map(\.token)).count == 1)
        let keys: [Int]? =
          switch sort {
          case .created: whole.map { Int($0.created.microseconds) }
          case .modified: whole.map { Int($0.modified.microseconds) }
          case .byteCount: whole.map { Int($0.byteCount) }
          case .added: whole.map { Int($0.added?.microseconds ?? 0) }
          case .filename, .custom: nil
          }
        #expect((sort == .filename ? nil : pages.flatMap { $0.keys ?? [] }) == keys)
        #expect(pages.allSatisfy { ($0.keys == nil) == (sort == .filename) })
        // A cursor leads on from assets to ids, and back.
        wish.onlyIds = nil
        wish.cursor = pages[0].cursor
        #expect(try owner.call(Fetch.self, wish).assets.map(\.id) == Array(whole.map(\.id)[7..<14]))
      }
    }
    #expect(try owner.call(Fetch.self, .init(offset: 28, onlyIds: true)).ids?.count == 2)
    #expect(try owner.call(Fetch.self, .init(offset: 30, onlyIds: true)).ids == [])
    #expect(try owner.call(Fetch.self, .init()).ids == nil)
  }

  @Test("S104: so many ids in a page, and no more")
  func bounds() throws {
    let host = try Host { library in
      for number in 0..<5001 { try library.add("\(number).jpg", [UInt8](Photo.jpeg().prefix(64))) }
    }
    let owner = try host.owner()
    let page = try owner.call(Fetch.self, .init(onlyIds: true))
    #expect(page.ids?.count == 5000 && page.keys?.count == 5000 && page.total == 5001)
    let rest = try owner.call(Fetch.self, .init(cursor: page.cursor, onlyIds: true))
    #expect(rest.ids?.count == 1 && rest.cursor == nil)
    #expect(try owner.call(Fetch.self, .init(limit: 5000, onlyIds: true)).ids?.count == 5000)
    for limit in [0, -1, 5001] {
      let error = try failure { try owner.call(Fetch.self, .init(limit: limit, onlyIds: true)) }
      #expect(error.typed(InvalidParameter.self)?.parameter == "limit")
    }
    // S16: who sees a part is told of that alone, in pages as of assets.
    let app = try host.app().connect()
    try host.limit(app, assets: Array((page.ids ?? []).prefix(1100)))
    let seen = try stream(app, .init(onlyIds: true))
    #expect(seen.map { $0.ids?.count } == [1000, 100] && seen.allSatisfy { $0.total == 1100 })
    #expect(Set(seen.flatMap { $0.ids ?? [] }) == Set((page.ids ?? []).prefix(1100)))
    try host.set(.wallpapers, .denied)
    let error = try failure { try app.call(Fetch.self, .init(onlyIds: true)) }
    #expect(error.name == LibraryInterface.NotAuthorized.name)
  }

  @Test("S16, S96, S104: who has no location may not ask for ids by hashes or places either")
  func location() throws {
    let host = try Host { try $0.add("a.jpg") }
    try host.set(.wallpapers, .authorized)
    let app = try host.app().connect()
    let hash = "sha256:" + String(repeating: "0", count: 64)
    for (parameters, name) in [
      (Fetch.Parameters(contentHashes: [hash], onlyIds: true), "contentHashes"),
      (.init(boundingBox: .init(south: 0, west: 0, north: 1, east: 1), onlyIds: true), "boundingBox"),
    ] {
      let error = try failure { try app.call(Fetch.self, parameters) }
      #expect(error.typed(InvalidParameter.self)?.parameter == name)
    }
  }
}
