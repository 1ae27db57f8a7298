import LibraryModel
import TestSupport
import Testing

@testable import Storage

@Suite("What statements leave in memory")
struct StatementTests {
  private let directory: StateDirectory
  private let store: LibraryStore

  init() throws {
    directory = try StateDirectory()
    store = try LibraryStore(path: directory.path + "/library.sqlite")
  }

  /// Every way to ask for a page that one app may choose.
  private var queries: [AssetQuery] {
    var all: [AssetQuery] = []
    for bits in 0..<32 {
      for order in [AssetQuery.Order.age, .created, .modified, .filename, .byteCount] {
        var query = AssetQuery()
        query.nameContains = "sought"
        if bits & 1 != 0 { query.memberships.append(.init(ids: [AssetID(rawValue: 1)])) }
        if bits & 2 != 0 { query.mediaTypes = [.image] }
        if bits & 4 != 0 { query.createdAfter = 1 }
        if bits & 8 != 0 { query.createdBefore = 1 }
        query.descending = bits & 16 != 0
        query.order = order
        all.append(query)
      }
    }
    return all
  }

  @Test("what a peer asked for is not kept with the statement that found it")
  func values() throws {
    var query = AssetQuery()
    query.nameContains = "a text that only this peer asks for"
    #expect(try store.assets.count(query) == 0)
    #expect(try store.assets.fetch(query, limit: 1).assets.isEmpty)
    #expect(PreparedStatements(of: store.connection.pointer).holding("only this peer") == 0)
  }

  @Test("there are no more statements for asking in many ways than for asking in some")
  func ways() throws {
    let before = PreparedStatements(of: store.connection.pointer).count
    for query in queries {
      _ = try store.assets.count(query)
      _ = try store.assets.fetch(query, limit: 1)
    }
    #expect(PreparedStatements(of: store.connection.pointer).count <= before + 32)
  }
}
