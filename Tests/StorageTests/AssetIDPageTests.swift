import LibraryModel
import TestSupport
import Testing

@testable import Storage

@Suite("Pages of ids alone (S104)")
struct AssetIDPageTests {
  private let directory: StateDirectory
  private let store: LibraryStore

  init() throws {
    directory = try StateDirectory()
    store = try LibraryStore(path: directory.path + "/library.sqlite", boot: "one")
    try store.begin()
    for number in 0..<30 {
      let id = try store.index.files.reserveAssetID()
      let identity = FileIdentity(volume: .unknown, inode: UInt64(id.rawValue), birthTime: 1)
      let location = Location(DirectoryID(rawValue: 1), FileName("IMG_\(number % 7).jpg"))
      // Few values, so that many are equal in the order.
      try store.index.files.insert(
        Asset(
          id: id, mediaType: number % 3 == 0 ? .video : .image, identity: identity,
          byteCount: Int64(number % 4), created: Int64(number % 5) * 1000, modified: Int64(number % 6) * 1000,
          primary: location))
    }
    try store.commit()
    try store.settle()
  }

  @Test(
    "S104: they are those of the assets, in every order, and a cursor leads on in either",
    arguments: [AssetQuery.Order.age, .created, .modified, .filename, .byteCount], [false, true])
  func agree(order: AssetQuery.Order, descending: Bool) throws {
    for mediaTypes in [[], [MediaType.image]] as [Set<MediaType>] {
      var query = AssetQuery()
      query.order = order
      query.descending = descending
      query.mediaTypes = mediaTypes
      try store.apart.read(.unlimited) { [query] library in
        let whole = try library.fetch(query, limit: 100).assets
        var (put, keys): ([AssetID], [Int64]) = ([], [])
        var cursor: AssetCursor?
        repeat {
          let page = try library.ids(query, after: cursor, limit: 7)
          #expect(page.ids.count <= 7 && (page.keys == nil) == (order == .filename))
          let assets = try library.fetch(query, after: cursor, limit: 7)
          #expect(page.next == assets.next && page.ids == assets.assets.map(\.id))
          put += page.ids
          keys += page.keys ?? []
          cursor = page.next
        } while cursor != nil
        #expect(put == whole.map(\.id) && !put.isEmpty)
        switch order {
        case .created: #expect(keys == whole.map(\.created))
        case .modified: #expect(keys == whole.map(\.modified))
        case .byteCount: #expect(keys == whole.map(\.byteCount))
        case .age: #expect(keys == whole.map(\.id.rawValue))
        case .added: #expect(keys == whole.map(\.arrived))
        case .filename, .custom: #expect(keys.isEmpty)
        }
        #expect(try library.ids(query, limit: 7, offset: 9).ids == Array(whole.map(\.id)[9..<16]))
      }
    }
  }
}
