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

  @Test("a value that is left bound is the one that was bound last, whatever kind it is")
  func boundAgain() throws {
    let statement = try store.connection.prepareApart("SELECT typeof(?1), ?1, typeof(?2)")
    let bindings: [(type: String, bind: (LibraryStatement) -> Void)] = [
      ("integer 5", { $0.bind(1, Int64(5)) }), ("integer -1", { $0.bind(1, Int64(-1)) }),
      ("null 0", { $0.bindNull(1) }), ("blob 0", { $0.bind(1, [1, 2]) }), ("text 0", { $0.bind(1, "x") }),
      ("real 2", { $0.bind(1, Double?.some(2.5)) }), ("integer 0", { $0.bind(1, Int64(0)) }),
    ]
    for first in bindings {
      for second in bindings {
        for binding in [first, second, first, first] {
          binding.bind(statement)
          statement.bindNull(2)
          let found = try statement.first { ($0.name(0).description, $0.int(1), $0.name(2).description) }
          #expect(found.map { "\($0.0) \($0.1)" } == binding.type && found?.2 == "null")
        }
      }
    }
  }

  @Test("a parameter that a statement does not have is none")
  func noParameter() throws {
    let statement = try store.connection.prepareApart("SELECT ?1")
    for index in [CInt(-1), 0, 2, 1 << 20] {
      statement.bind(index, Int64(7))
      statement.bindNull(index)
      statement.bind(index, [1])
    }
    statement.bind(1, Int64(3))
    #expect(try statement.first { $0.int(0) } == 3)
  }
}
