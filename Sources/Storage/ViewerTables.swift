internal import LibraryModel

/// The viewers in memory, as of the end of the journal.
private struct KnownViewers {
  var viewers: [ViewerKey: Viewer] = [:]
  var hiddenAlbums: Set<AlbumID> = []
  var ownAlbums: [ViewerKey: Set<AlbumID>] = [:]
  var titles: [AlbumID: CreatedTitle] = [:]
}

/// What a limited app called an album that it created.
private struct CreatedTitle {
  /// The name that its directory got, for the sake of one that the app does not see.
  let name: FileName
  /// What it was to be.
  let title: FileName

  init(name: FileName, title: FileName) {
    self.name = name
    self.title = title
  }

  /// Nil where the two are one.
  init?(_ snapshot: Change.Snapshot, _ title: FileName?) {
    guard let title, case .album(let name, _) = snapshot, name != title else { return nil }
    self.init(name: name, title: title)
  }
}

/// What limited apps see, as of the end of the journal, and how it came to that.
///
/// Apps that were never limited are not in here: they see the whole library or none of it.
final class ViewerTables: ViewIndex, ViewerReading {
  /// Read again after a batch was taken back.
  private var known: KnownViewers?
  private let connection: LibraryConnection
  private let files: FileTable
  private let journal: JournalTable
  private let transaction: LibraryTransaction

  init(
    _ connection: LibraryConnection, _ files: FileTable, _ journal: JournalTable,
    _ transaction: LibraryTransaction
  ) {
    self.connection = connection
    self.files = files
    self.journal = journal
    self.transaction = transaction
  }

  /// The batch is not kept.
  func rollback() { known = nil }

  // MARK: Reading

  /// An app that is or was limited.
  func viewer(_ key: ViewerKey) throws -> Viewer? {
    try knownViewers().viewers[key]
  }

  /// Every app that is or was limited.
  func viewers() throws -> [ViewerKey: Viewer] {
    try knownViewers().viewers
  }

  /// The albums that an app created itself.
  func ownAlbums(of key: ViewerKey) throws -> Set<AlbumID> {
    try knownViewers().ownAlbums[key] ?? []
  }

  /// What the app sees that has made an album, where that sees a part of the library.
  func limitedCreatorView(of album: AlbumID) throws -> LibraryView? {
    let known = try knownViewers()
    for (key, albums) in known.ownAlbums where albums.contains(album) {
      if let view = known.viewers[key]?.view, !view.seesEverything { return view }
    }
    return nil
  }

  /// What an album is called for a limited app: as that called it, unless it was renamed since. That a directory of
  /// the same name was there is nothing that it may learn (S16).
  func title(of album: AlbumID, named name: FileName) throws -> FileName {
    guard let created = try knownViewers().titles[album], created.name == name else { return name }
    return created.title
  }

  /// What a viewer saw at a place: what it sees now, with what came after taken back.
  ///
  /// - Returns: `nil` when its view was another in more than the journal's steps tell: it must fetch anew.
  func view(of viewer: Viewer, at start: Place) throws -> LibraryView? {
    let statement = try connection.statement(
      "SELECT op, id FROM journal WHERE viewer = ? AND seq > ? ORDER BY seq DESC LIMIT ?")
    statement.bind(1, viewer.id.rawValue)
    statement.bind(2, start.rawValue)
    let limit = 4 * ViewTransition.limit
    statement.bind(3, Int64(limit))
    let steps = try statement.all { ViewChange.Step(code: $0.int(0), id: $0.int(1)) }
    guard steps.count < limit, viewer.view.seesEverything ? steps.isEmpty : true else { return nil }
    var view = viewer.view
    for step in steps {
      guard let step, step != .reset else { return nil }
      view.undo(step)
    }
    return view
  }

  // MARK: Changing, inside a batch

  /// Brings the view of an app in line with what the registry says, and writes how into the journal.
  ///
  /// - Parameter resets: whether it is told to fetch anew rather than the difference.
  /// - Returns: what was written.
  func setView(
    of key: ViewerKey, to target: ViewTarget, resets: Bool
  ) throws -> [PlacedChange] {
    let old = try knownViewers().viewers[key]
    switch (old?.view.seesEverything ?? true, target) {
    case (true, .everything): return []
    case (false, .everything): return try reset(key, nil)
    case (true, .selection(let assets, let albums)): return try reset(key, assets, albums)
    // Who sees everything has no selection that could be another.
    case (true, .changed): return []
    case (false, .selection(let assets, let albums)):
      guard let old else { return [] }
      let difference = SelectionDifference(from: old.view, toAssets: assets, albums: albums)
      return try change(key, old, by: difference, resets: resets)
    case (false, .changed(let difference)):
      guard let old else { return [] }
      return try change(key, old, by: difference, resets: resets)
    }
  }

  /// Costs what has changed, however much is selected.
  private func change(
    _ key: ViewerKey, _ old: Viewer, by difference: SelectionDifference, resets: Bool
  ) throws -> [PlacedChange] {
    guard difference.count > 0 else { return [] }
    if !resets, difference.count <= ViewTransition.limit {
      var transition = ViewTransition(old, files: files)
      try transition.select(difference)
      if !transition.isTooLong { return try write(transition, key) }
    }
    return try reset(
      key, old.view.assets.union(difference.addedAssets).subtracting(difference.removedAssets),
      old.view.albums.union(difference.addedAlbums).subtracting(difference.removedAlbums))
  }

  /// Notes that an app created an album (S19).
  ///
  /// - Parameter title: what the app is told that it is called, as long as its directory has the name that it has
  ///   now; that name when nil.
  /// - Returns: what was written into the journal.
  func noteCreated(
    _ album: AlbumID, by key: ViewerKey, parent: AlbumID?, snapshot: Change.Snapshot, title: FileName?
  ) throws -> [PlacedChange] {
    let table = try knownViewers()
    guard table.ownAlbums[key]?.contains(album) != true else { return [] }
    let created = CreatedTitle(snapshot, title)
    let statement = try connection.statement(
      created == nil
        ? "INSERT OR REPLACE INTO ownAlbum (uid, app, album) VALUES (?, ?, ?)"
        : "INSERT OR REPLACE INTO ownAlbum (uid, app, album, name, title) VALUES (?, ?, ?, ?, ?)")
    statement.bind(1, Int64(key.uid))
    statement.bind(2, key.app)
    statement.bind(3, album.rawValue)
    if let created {
      statement.bind(4, created.name)
      statement.bind(5, created.title)
    }
    try statement.run()
    known?.titles[album] = created
    known?.ownAlbums[key, default: []].insert(album)
    guard let viewer = table.viewers[key], !viewer.view.seesEverything else { return [] }
    var transition = ViewTransition(viewer, files: files)
    transition.create(album, parent: parent, snapshot: snapshot)
    return try write(transition, key)
  }

  /// Notes what the app that created an album is told that it is called, as long as its directory has a name.
  func noteTitle(of album: AlbumID, name: FileName, _ title: FileName) throws {
    let created = name == title ? nil : CreatedTitle(name: name, title: title)
    let statement = try connection.statement(
      created == nil
        ? "UPDATE ownAlbum SET name = NULL, title = NULL WHERE album = ?"
        : "UPDATE ownAlbum SET name = ?2, title = ?3 WHERE album = ?1")
    statement.bind(1, album.rawValue)
    if let created {
      statement.bind(2, created.name)
      statement.bind(3, created.title)
    }
    try statement.run()
    known?.titles[album] = created
  }

  /// Notes whether an album is a shared one.
  func noteShared(
    _ album: AlbumID, _ isShared: Bool, parent: AlbumID?, snapshot: Change.Snapshot
  ) throws -> [PlacedChange] {
    let table = try knownViewers()
    guard table.hiddenAlbums.contains(album) != isShared else { return [] }
    let note = try connection.statement(
      isShared
        ? "INSERT OR REPLACE INTO hiddenAlbum (album) VALUES (?)" : "DELETE FROM hiddenAlbum WHERE album = ?")
    note.bind(1, album.rawValue)
    try note.run()
    if isShared {
      known?.hiddenAlbums.insert(album)
    } else {
      known?.hiddenAlbums.remove(album)
    }
    var written: [PlacedChange] = []
    let limited = table.viewers.filter { !$0.value.view.seesEverything }.sorted { $0.value.id < $1.value.id }
    for (key, viewer) in limited {
      var transition = ViewTransition(viewer, files: files)
      try transition.hide(album, isShared, parent: parent, snapshot: snapshot)
      written +=
        transition.isTooLong
        ? try reset(key, viewer.view.assets, viewer.view.albums)
        : try write(transition, key)
    }
    return written
  }

  /// What was noted of an album last.
  func isNotedShared(_ album: AlbumID) throws -> Bool { try knownViewers().hiddenAlbums.contains(album) }

  /// Notes that an album has left the library. What it was is kept, for the journal tells of it.
  func noteGone(_ album: AlbumID) throws {
    for table in ["hiddenAlbum", "ownAlbum"] {
      let note = try connection.statement("UPDATE \(table) SET gone = ? WHERE album = ?")
      note.bind(1, journal.place.rawValue)
      note.bind(2, album.rawValue)
      try note.run()
    }
  }

  /// Forgets albums that left the library before all that the journal tells of.
  func forgetGoneAlbums(before seq: Int64) throws {
    for table in ["hiddenAlbum", "ownAlbum"] {
      // One that returned is a directory again.
      let removal = try connection.statement(
        "DELETE FROM \(table) WHERE gone < ? AND album NOT IN (SELECT id FROM directory)")
      removal.bind(1, seq)
      try removal.run()
      if removal.changeCount > 0 { known = nil }
    }
  }

  private func write(_ transition: ViewTransition, _ key: ViewerKey) throws -> [PlacedChange] {
    var written: [PlacedChange] = []
    for entry in transition.entries {
      let (table, column, id, isMember): (String, String, Int64, Bool)
      switch entry.step {
      case .asset(let asset, let isSelected):
        (table, column, id, isMember) = ("viewerAsset", "asset", asset.rawValue, isSelected)
      case .album(let album, let isSelected):
        (table, column, id, isMember) = ("viewerAlbum", "album", album.rawValue, isSelected)
      case .sight, .created, .hidden, .reset:
        written.append(try journal.append(entry))
        continue
      }
      let change = try connection.statement(
        isMember
          ? "INSERT INTO \(table) (viewer, \(column)) VALUES (?, ?)"
          : "DELETE FROM \(table) WHERE viewer = ? AND \(column) = ?")
      change.bind(1, entry.viewer.rawValue)
      change.bind(2, id)
      try change.run()
      written.append(try journal.append(entry))
    }
    known?.viewers[key]?.view = transition.view
    return written
  }

  /// - Parameter assets: nil for who sees everything.
  private func reset(
    _ key: ViewerKey, _ assets: Set<AssetID>?, _ albums: Set<AlbumID> = []
  ) throws -> [PlacedChange] {
    let isLimited = assets != nil
    let assets = assets ?? []
    let id = try putViewer(key, isLimited: isLimited)
    for (table, column, members) in [
      ("viewerAsset", "asset", assets.map(\.rawValue)), ("viewerAlbum", "album", albums.map(\.rawValue)),
    ] {
      let removal = try connection.statement("DELETE FROM \(table) WHERE viewer = ?")
      removal.bind(1, id.rawValue)
      try removal.run()
      let insertion = try connection.statement("INSERT INTO \(table) (viewer, \(column)) VALUES (?, ?)")
      for member in members {
        insertion.bind(1, id.rawValue)
        insertion.bind(2, member)
        try insertion.run()
      }
    }
    let table = try knownViewers()
    known?.viewers[key] = Viewer(
      id: id,
      view: isLimited
        ? LibraryView(
          assets: assets, albums: albums, hiddenAlbums: table.hiddenAlbums,
          ownAlbums: table.ownAlbums[key] ?? [])
        : .everything)
    return [try journal.append(ViewChange(id, .reset))]
  }

  private func putViewer(_ key: ViewerKey, isLimited: Bool) throws -> ViewerID {
    let known = try knownViewers().viewers[key]?.id.rawValue
    let id = try known ?? connection.scalar("SELECT ifnull(max(id), 0) + 1 FROM viewer")
    let put = try connection.statement(
      "INSERT OR REPLACE INTO viewer (id, uid, app, seesEverything) VALUES (?, ?, ?, ?)")
    put.bind(1, id)
    put.bind(2, Int64(key.uid))
    put.bind(3, key.app)
    put.bind(4, Int64(isLimited ? 0 : 1))
    try put.run()
    return ViewerID(rawValue: id)
  }

  // MARK: The tables

  private func knownViewers() throws -> KnownViewers {
    if let known { return known }
    let table = try readViewers()
    // Batches that are yet to be done again may hold other views.
    if !transaction.mustDoAgain { known = table }
    return table
  }

  private func readViewers() throws -> KnownViewers {
    var table = KnownViewers()
    table.hiddenAlbums = Set(
      try connection.statement("SELECT album FROM hiddenAlbum").all { AlbumID(rawValue: $0.int(0)) })
    for (key, album) in try connection.statement("SELECT uid, app, album FROM ownAlbum").all({
      (readKey($0, 0), AlbumID(rawValue: $0.int(2)))
    }) {
      table.ownAlbums[key, default: []].insert(album)
    }
    for (album, created) in try connection.statement(
      "SELECT album, name, title FROM ownAlbum WHERE name IS NOT NULL AND title IS NOT NULL"
    ).all({ (AlbumID(rawValue: $0.int(0)), CreatedTitle(name: $0.name(1), title: $0.name(2))) }) {
      table.titles[album] = created
    }
    let assets = try members("SELECT viewer, asset FROM viewerAsset")
    let albums = try members("SELECT viewer, album FROM viewerAlbum")
    for (id, key, seesEverything) in try connection.statement(
      "SELECT id, uid, app, seesEverything FROM viewer"
    ).all({
      ($0.int(0), readKey($0, 1), $0.int(3) != 0)
    }) {
      let view =
        seesEverything
        ? LibraryView.everything
        : LibraryView(
          assets: Set((assets[id] ?? []).map(AssetID.init)),
          albums: Set((albums[id] ?? []).map(AlbumID.init)),
          hiddenAlbums: table.hiddenAlbums, ownAlbums: table.ownAlbums[key] ?? [])
      table.viewers[key] = Viewer(id: ViewerID(rawValue: id), view: view)
    }
    return table
  }

  private func members(_ sql: String) throws -> [Int64: [Int64]] {
    Dictionary(grouping: try connection.statement(sql).all { ($0.int(0), $0.int(1)) }) { $0.0 }
      .mapValues { $0.map(\.1) }
  }

  private func readKey(_ row: LibraryStatement, _ column: CInt) -> ViewerKey {
    ViewerKey(
      uid: UInt32(truncatingIfNeeded: row.int(column)),
      app: String(decoding: row.bytes(column + 1), as: UTF8.self))
  }
}
