package import LibraryModel

/// Finds and counts assets, for whoever only reads.
package final class AssetQueries {
  let connection: LibraryConnection
  let files: FileTable
  private let journal: JournalTable
  let transaction: LibraryTransaction

  init(
    _ connection: LibraryConnection, _ files: FileTable, _ journal: JournalTable,
    _ transaction: LibraryTransaction
  ) {
    self.connection = connection
    self.files = files
    self.journal = journal
    self.transaction = transaction
  }

  /// One page of the assets that match, beginning after `cursor`.
  ///
  /// Keyset pages: a page begins after the last asset of the page before it, so it costs the same however
  /// far along it is. The orders `age`, `created` and `modified` have indexes; `filename` and `byteCount`
  /// read all that match for every page, so ask for large ones.
  ///
  /// - Parameter matching: how many match in all, where that is known. Few that are sought by name are sorted when they
  ///   are found: in the order of an index, one asset after the other would be looked up to find them.
  package func fetch(
    _ query: AssetQuery, after cursor: AssetCursor? = nil, limit: Int, matching: Int? = nil
  ) throws -> AssetPage {
    try transaction.catchUp()
    var (conditions, arguments) = try filter(query)
    let areFew = query.nameContains != nil && (matching ?? .max) < Self.few
    // The sign keeps SQLite from using the index (https://sqlite.org/optoverview.html#uplus).
    let column = (areFew ? "+" : "") + query.order.column
    let sign = query.descending ? "<" : ">"
    if let cursor {
      switch cursor.key {
      case .number(let number):
        if query.order == .age {
          conditions.append("id \(sign) ?")
        } else {
          conditions.append("(\(column), id) \(sign) (?, ?)")
          arguments.append(.number(number))
        }
      case .name(let name):
        conditions.append("(\(column), id) \(sign) (?, ?)")
        arguments.append(.name(name))
      }
      arguments.append(.number(cursor.id.rawValue))
    }
    let direction = query.descending ? "DESC" : "ASC"
    let order = query.order == .age ? "id \(direction)" : "\(column) \(direction), id \(direction)"
    let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
    let statement = try connection.query(
      "SELECT \(FileTable.assetColumns) FROM asset \(condition) ORDER BY \(order) LIMIT ?")
    // One more than the page holds tells whether another follows: none is ever empty.
    arguments.append(.number(Int64(limit) + 1))
    bind(arguments, to: statement)
    let found = try statement.all(files.readAsset)
    let assets = try found.prefix(limit).map { asset, linkCount in
      linkCount > 1 ? try files.withAllLinks(asset) : asset
    }
    let next = found.count > limit ? assets.last.map { AssetCursor($0, query.order) } : nil
    return AssetPage(assets: assets, next: next, place: journal.place)
  }

  /// So many are sorted faster than they are found by an index of the time: some pages of them.
  private static let few = 5000

  /// How many assets match.
  package func count(_ query: AssetQuery) throws -> Int {
    if query.isUnfiltered { return files.assetCount }
    let (conditions, arguments) = try filter(query)
    let statement = try connection.query(
      "SELECT count(*) FROM asset WHERE " + conditions.joined(separator: " AND "))
    bind(arguments, to: statement)
    return Int(try statement.first { $0.int(0) } ?? 0)
  }

  /// How many assets of an album a view shows. It costs what is in the album, however much is selected.
  package func count(in album: AlbumID, seenBy view: LibraryView) throws -> Int {
    if view.hidesAny(of: [album]) { return 0 }
    let statement = try connection.statement(
      "SELECT DISTINCT asset.id, linkCount FROM link JOIN asset ON asset.id = link.asset WHERE link.directory = ?"
    )
    statement.bind(1, album.rawValue)
    return try statement.all { (id: AssetID(rawValue: $0.int(0)), linkCount: $0.int(1)) }.count {
      // Most are in no other album.
      let albums = $0.linkCount > 1 ? try files.asset($0.id)?.albums ?? [] : [album]
      return view.sees($0.id, in: albums)
    }
  }

  enum Argument {
    case number(Int64)
    case fraction(Double)
    case name(FileName)
    case text(String)
  }

  func bind(_ arguments: [Argument], to statement: LibraryStatement) {
    for (index, argument) in arguments.enumerated() {
      switch argument {
      case .number(let number): statement.bind(CInt(index + 1), number)
      case .fraction(let number): statement.bind(CInt(index + 1), number)
      case .name(let name): statement.bind(CInt(index + 1), name)
      case .text(let text): statement.bind(CInt(index + 1), text)
      }
    }
  }

  func filter(_ query: AssetQuery) throws -> ([String], [Argument]) {
    var conditions: [String] = []
    var arguments: [Argument] = []
    let inAlbums = "SELECT asset FROM link WHERE directory IN (SELECT value FROM json_each(?))"
    for membership in query.memberships {
      // One IN, so that a small selection is looked up instead of sought in the whole library.
      conditions.append("id IN (SELECT value FROM json_each(?) UNION \(inAlbums))")
      arguments.append(.text(json(membership.ids.lazy.map(\.rawValue))))
      arguments.append(.text(json(membership.albums.lazy.map(\.rawValue))))
    }
    if !query.excludedAlbums.isEmpty {
      conditions.append("id NOT IN (\(inAlbums))")
      arguments.append(.text(json(query.excludedAlbums.lazy.map(\.rawValue))))
    }
    if !query.mediaTypes.isEmpty {
      conditions.append("mediaType IN (SELECT value FROM json_each(?))")
      arguments.append(.text(json(query.mediaTypes.lazy.map { Int64($0.rawValue) }.sorted())))
    }
    if let time = query.createdAfter {
      conditions.append("created >= ?")
      arguments.append(.number(time))
    }
    if let time = query.createdBefore {
      conditions.append("created < ?")
      arguments.append(.number(time))
    }
    if !query.subtypes.isEmpty {
      conditions.append(
        "id IN (SELECT asset FROM description WHERE resource = 0 AND subtypes <> 0 AND subtypes & ? <> 0)")
      arguments.append(.number(Int64(query.subtypes.rawValue)))
    }
    if let box = query.boundingBox {
      let lies = box.west <= box.east ? "longitude BETWEEN ? AND ?" : "(longitude >= ? OR longitude <= ?)"
      conditions.append(
        "id IN (SELECT asset FROM description WHERE resource = 0 AND latitude BETWEEN ? AND ? AND \(lies))")
      arguments += [box.south, box.north, box.west, box.east].map { .fraction($0) }
    }
    if let text = query.nameContains {
      conditions.append("instr(lower(CAST(name AS TEXT)), lower(?)) > 0")
      arguments.append(.text(text))
    }
    return (conditions, arguments)
  }

  private func json(_ numbers: some Sequence<Int64>) -> String {
    "[" + numbers.map { String($0) }.joined(separator: ",") + "]"
  }
}

extension AssetQuery.Order {
  fileprivate var column: String {
    switch self {
    case .age: "id"
    case .created: "created"
    case .modified: "modified"
    case .filename: "name"
    case .byteCount: "byteCount"
    }
  }
}

extension AssetCursor {
  fileprivate init(_ asset: Asset, _ order: AssetQuery.Order) {
    let key: Key =
      switch order {
      case .age: .number(0)
      case .created: .number(asset.created)
      case .modified: .number(asset.modified)
      case .filename: .name(asset.filename)
      case .byteCount: .number(asset.byteCount)
      }
    self.init(key: key, id: asset.id)
  }
}
