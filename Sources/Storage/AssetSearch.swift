internal import LibraryModel

/// Finds and counts assets on one connection, by statements of a peer's choosing.
final class AssetSearch {
  private let query: (String) throws(StorageError) -> LibraryStatement
  private let volumes: () -> VolumeNumbers

  /// - Parameters:
  ///   - query: makes a statement, or has it already.
  ///   - volumes: on which each directory is.
  init(
    volumes: @escaping () -> VolumeNumbers,
    query: @escaping (String) throws(StorageError) -> LibraryStatement
  ) {
    self.query = query
    self.volumes = volumes
  }

  /// One page of the assets that match, and where the next begins: ``AssetQueries/fetch(_:after:limit:matching:)``.
  ///
  /// - Parameter offset: how many of those after the cursor are left out.
  func page(
    _ query: AssetQuery, after cursor: AssetCursor?, limit: Int, matching: Int?, offset: Int = 0
  ) throws(StorageError) -> (assets: [Asset], next: AssetCursor?) {
    let statement = try statement(
      FileTable.assetColumns, query, after: cursor, limit: limit, matching: matching, offset: offset)
    let volumes = volumes()
    let found = try statement.all { $0.asset(on: volumes) }
    var assets: [Asset] = []
    assets.reserveCapacity(min(found.count, limit))
    var extraLinks: LibraryStatement?
    for (asset, linkCount) in found.prefix(limit) {
      if linkCount > 1, extraLinks == nil { extraLinks = try self.query(FileTable.extraLinksOfAsset) }
      assets.append(linkCount > 1 ? try extraLinks?.addExtraLinks(to: asset) ?? asset : asset)
    }
    guard found.count > limit, let last = assets.last else { return (assets, nil) }
    return (
      assets,
      query.order == .custom ? try customCursor(after: last.id, query) : AssetCursor(last, query.order)
    )
  }

  /// Finds some columns of a page's assets, and of one more.
  func statement(
    _ columns: String, _ query: AssetQuery, after cursor: AssetCursor?, limit: Int, matching: Int?,
    offset: Int
  ) throws(StorageError) -> LibraryStatement {
    var (conditions, arguments) = filter(query)
    // Of a hash there are few.
    let areFew =
      (query.nameContains != nil || query.onlyHidden || query.filter?.namesBurst == true)
      && (matching ?? .max) < Self.few
      || !query.contentHashes.isEmpty
    // The sign keeps SQLite from using the index (https://sqlite.org/optoverview.html#uplus).
    let column = (areFew ? "+" : "") + query.order.column
    let sign = query.descending ? "<" : ">"
    if let cursor, query.order == .custom {
      conditions.append(customCondition(cursor, query, &arguments))
    } else if let cursor {
      switch cursor.key {
      case .number(let number), .place(_, created: let number):
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
    let age = (query.contentHashes.isEmpty ? "" : "+") + "id"
    let order =
      switch query.order {
      case .age: "\(age) \(direction)"
      case .custom: customOrder(query, &arguments)
      case .created, .modified, .filename, .byteCount, .added: "\(column) \(direction), id \(direction)"
      }
    let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
    let statement = try self.query(
      "SELECT \(columns) FROM asset \(condition) ORDER BY \(order) LIMIT ?"
        + (offset > 0 ? " OFFSET ?" : ""))
    // One more than the page holds tells whether another follows: none is ever empty.
    arguments.append(.number(Int64(limit) + 1))
    if offset > 0 { arguments.append(.number(Int64(offset))) }
    bind(arguments, to: statement)
    return statement
  }

  /// So many are sorted faster than they are found by an index of the time: some pages of them.
  private static let few = 5000

  /// A statement that is no peer's choosing.
  func prepare(_ sql: String) throws(StorageError) -> LibraryStatement { try query(sql) }

  /// How many assets match.
  func count(_ query: AssetQuery) throws(StorageError) -> Int {
    let (condition, arguments) = condition(query)
    // Counted without a look at each.
    let counted =
      query.isUnfiltered && !query.includesHidden
      ? "SELECT (SELECT count(*) FROM asset) - (SELECT count(*) FROM asset WHERE flags & 2 <> 0)"
      : "SELECT count(*) FROM asset \(condition)"
    let statement = try self.query(counted)
    bind(arguments, to: statement)
    return Int(try statement.first { $0.int(0) } ?? 0)
  }

  /// Reads ids, and when they were created, of all that match, in whatever order they are found.
  func each(_ query: AssetQuery, _ body: (AssetID, _ created: Int64) -> Void) throws(StorageError) {
    let (condition, arguments) = condition(query)
    let statement = try self.query("SELECT id, created FROM asset \(condition)")
    bind(arguments, to: statement)
    try statement.each { body(AssetID(rawValue: $0.int(0)), $0.int(1)) }
  }

  private func condition(_ query: AssetQuery) -> (String, [Argument]) {
    let (conditions, arguments) = filter(query)
    return (conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND "), arguments)
  }

  /// What a parameter stands for.
  enum Argument {
    case number(Int64)
    case fraction(Double)
    case name(FileName)
    case bytes([UInt8])
    case text(String)
  }

  private func bind(_ arguments: [Argument], to statement: LibraryStatement) {
    for (index, argument) in arguments.enumerated() {
      switch argument {
      case .number(let number): statement.bind(CInt(index + 1), number)
      case .fraction(let number): statement.bind(CInt(index + 1), number)
      case .name(let name): statement.bind(CInt(index + 1), name)
      case .bytes(let bytes): statement.bind(CInt(index + 1), bytes)
      case .text(let text): statement.bind(CInt(index + 1), text)
      }
    }
  }

  /// Of these kinds; those with RAW beside them are RAW as well (S99).
  private static func have(_ subtypes: PictureSubtypes) -> String {
    let orRaw = subtypes.contains(.raw) ? " UNION ALL SELECT id FROM asset WHERE raw <> 0" : ""
    return
      "id IN (SELECT asset FROM description WHERE resource = 0 AND subtypes <> 0 AND subtypes & ? <> 0\(orRaw))"
  }

  private func filter(_ query: AssetQuery) -> ([String], [Argument]) {
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
    // Who sees a part has what it sees looked at: how many others there are of a kind, or at a place, must not count (S16).
    if !query.subtypes.isEmpty, !query.memberships.isEmpty {
      conditions.append(AssetFilter.subtypes(query.subtypes).condition(&arguments))
    } else if !query.subtypes.isEmpty {
      conditions.append(Self.have(query.subtypes))
      arguments.append(.number(Int64(query.subtypes.rawValue)))
    }
    if let box = query.boundingBox {
      let lies = box.west <= box.east ? "longitude BETWEEN ? AND ?" : "(longitude >= ? OR longitude <= ?)"
      conditions.append(
        query.memberships.isEmpty
          ? "id IN (SELECT asset FROM description WHERE resource = 0 AND latitude BETWEEN ? AND ? AND \(lies))"
          : "EXISTS (SELECT 1 FROM description WHERE asset = asset.id AND resource = 0 AND +latitude BETWEEN ? AND ? AND \(lies))"
      )
      arguments += [box.south, box.north, box.west, box.east].map { .fraction($0) }
    }
    if !query.contentHashes.isEmpty {
      let size = ContentHash.byteCount
      // Who names assets, or sees some, has those looked at: it must not take longer for others that have the hash (S16).
      let column = query.memberships.isEmpty ? "hash" : "+hash"
      conditions.append("\(column) IN (SELECT substr(?, value, \(size)) FROM json_each(?))")
      arguments.append(.bytes(query.contentHashes.flatMap(\.bytes)))
      arguments.append(.text(json(query.contentHashes.indices.lazy.map { Int64($0 * size + 1) })))
    }
    if let isFavorite = query.isFavorite {
      conditions.append(isFavorite ? "flags & 1 <> 0" : "flags & 1 = 0")
    }
    if !query.includesHidden { conditions.append("flags & 2 = 0") }
    // By their index; but who sees a part must not wait for as many as others have hidden (S16).
    if query.onlyHidden { conditions.append("\(query.memberships.isEmpty ? "" : "+")flags & 2 <> 0") }
    if let text = query.nameContains {
      conditions.append("instr(lower(CAST(name AS TEXT)), lower(?)) > 0")
      arguments.append(.text(text))
    }
    if let filter = query.filter {
      // Who sees a part is found by that: how many others there are of a kind must not count (S16).
      if let subtypes = filter.impliedSubtypes, query.subtypes.isEmpty, query.memberships.isEmpty {
        conditions.append(Self.have(subtypes))
        arguments.append(.number(Int64(subtypes.rawValue)))
      }
      conditions.append(filter.condition(&arguments))
    }
    return (conditions, arguments)
  }

  private func json(_ numbers: some Sequence<Int64>) -> String {
    "[" + numbers.map { String($0) }.joined(separator: ",") + "]"
  }
}

extension AssetQuery.Order {
  var column: String {
    switch self {
    case .age: "id"
    case .created: "created"
    case .modified: "modified"
    case .filename: "name"
    case .byteCount: "byteCount"
    case .added: "arrived"
    // What has no place is sorted by that.
    case .custom: "created"
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
      case .added: .number(asset.arrived)
      case .custom: .place(.max, created: asset.created)
      }
    self.init(key: key, id: asset.id)
  }
}
