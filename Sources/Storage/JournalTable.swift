package import LibraryModel
internal import Linux

/// Changes after a place, or why there are none (S27).
package enum JournalPage: Sendable {
  /// The next changes, in order; empty at the end, and only there.
  case changes([PlacedChange])
  /// The journal no longer covers that place, or never had it: fetch anew.
  case expired
}

/// The rows of the journal: what has happened, in order (S26).
final class JournalTable: JournalIndex, JournalReading {
  /// The columns, in the order in which they are read and bound.
  static let columns =
    "seq, time, kind, op, id, name, detail, byteCount, created, modified, before, after, viewer, description, sidecars, flags, edit, raw"

  /// The place of the latest change.
  private(set) var place = Place.start
  /// Places that were never given out, oldest first: between, but not at, the ends.
  private var gaps: [(begin: Place, end: Place)] = []
  private var keptPlace = Place.start
  private var time: Int64 = 0
  private let connection: LibraryConnection
  private let transaction: LibraryTransaction

  init(_ connection: LibraryConnection, _ transaction: LibraryTransaction) throws(StorageError) {
    self.connection = connection
    self.transaction = transaction
    try restore()
  }

  /// Finds where the journal stands.
  func restore() throws(StorageError) {
    gaps = try connection.statement(
      """
      SELECT value, CAST(substr(name, 5) AS INTEGER) AS gapEnd FROM meta
      WHERE name >= 'gap ' AND name < 'gap!' ORDER BY gapEnd
      """
    ).all { (Place(rawValue: $0.int(0)), Place(rawValue: $0.int(1))) }
    let last = Place(rawValue: try connection.scalar("SELECT ifnull(max(seq), 0) FROM journal"))
    place = max(last, gaps.last?.end ?? .start)
    keptPlace = place
  }

  // MARK: Batches

  /// A batch begins.
  func begin() { time = RealTime.seconds }

  /// The place that the last batch left behind.
  var kept: Place { keptPlace }

  /// The batch is kept.
  func keep() { keptPlace = place }

  /// The batch is not kept.
  func rollback() { place = keptPlace }

  // MARK: Writing

  /// Writes a change into the journal.
  func append(_ change: Change) throws -> Place {
    try append(
      change.subject, change.code, change.albumsBefore, change.albumsAfter, change.snapshot, nil,
      wasHidden: change.wasHidden)
  }

  /// Writes into the journal what happened to a viewer.
  func append(_ change: ViewChange) throws -> PlacedChange {
    let place = try append(
      change.subject, change.step.code, change.holders, change.holders, change.snapshot, change.viewer)
    return PlacedChange(place: place, entry: .view(change))
  }

  /// Writes into the journal that everybody must fetch anew.
  func appendReset() throws -> PlacedChange {
    PlacedChange(place: try append(nil, JournalEntry.resetCode, [], [], nil, nil), entry: .reset)
  }

  private func append(
    _ subject: Change.Subject?, _ code: Int64, _ albumsBefore: [AlbumID], _ albumsAfter: [AlbumID],
    _ snapshot: Change.Snapshot?, _ viewer: ViewerID?, wasHidden: Bool = false
  ) throws -> Place {
    let next = Place(rawValue: place.rawValue + 1)
    try connection.waiting.add(
      JournalRow(
        place: next, time: time, subject: subject, code: code, albumsBefore: albumsBefore,
        albumsAfter: albumsAfter, snapshot: snapshot, viewer: viewer, wasHidden: wasHidden))
    place = next
    return next
  }

  /// Up to `limit` changes after a place.
  ///
  /// - Throws: `StorageError`: what was promised is not there. Nobody is moved past what was not read (S26).
  func changes(after start: Place, limit: Int) throws -> JournalPage {
    try transaction.catchUp()
    guard try covers(start) else { return .expired }
    if isEnd(start) { return .changes([]) }
    let statement = try connection.statement(
      "SELECT \(Self.columns) FROM journal WHERE seq > ? ORDER BY seq LIMIT ?")
    statement.bind(1, start.rawValue)
    statement.bind(2, Int64(limit))
    let rows = try statement.all(readChange)
    let changes = rows.compactMap { $0 }
    // What is not understood cannot be told.
    guard changes.count == rows.count else { return .expired }
    guard !changes.isEmpty else {
      throw StorageError(
        code: .corrupt, message: "the journal lacks changes after place \(start.rawValue)",
        path: connection.path,
        advice:
          "start the daemon again: a damaged index is put aside, and another made from the album directories")
    }
    return .changes(changes)
  }

  /// Behind the last change: before a gap that follows it, nothing is lacking.
  private func isEnd(_ start: Place) -> Bool {
    start == place || gaps.contains { $0.begin == start && $0.end == place }
  }

  /// The place of the oldest change that is kept; nil when there is none.
  func firstPlace() throws -> Place? {
    let first = try connection.scalar("SELECT ifnull(min(seq), 0) FROM journal")
    return first > 0 ? Place(rawValue: first) : nil
  }

  /// Whether everything after a place is still in the journal.
  func covers(_ start: Place) throws -> Bool {
    guard start >= .start, start <= place else { return false }
    if start == place { return true }
    if gaps.contains(where: { $0.begin < start && start < $0.end }) { return false }
    // With no row left, all that is missing lies behind the place itself.
    let first = Place(rawValue: try connection.scalar("SELECT ifnull(min(seq), 0) FROM journal") - 1)
    if first.rawValue < 0 { return gaps.last.map { $0.begin == start && $0.end == place } ?? false }
    return start >= first || gaps.contains { $0.begin == start && $0.end == first }
  }

  /// Removes up to `limit` of the oldest changes that need not be kept; call again until it returns false.
  ///
  /// - Parameters:
  ///   - changes: how many are kept at most.
  ///   - days: for how long they are kept at most.
  /// - Returns: whether there is more to remove; nil when nothing was removed.
  func trim(keepChanges changes: Int64, keepDays days: Int64, limit: Int64) throws -> (
    end: Int64, hasMore: Bool
  )? {
    let first = try connection.scalar("SELECT ifnull(min(seq), 0) FROM journal")
    // The newest stays: it says where the journal stands.
    let last = min(place.rawValue - 1, first + limit - 1)
    guard first > 0, first <= last else { return nil }
    let byCount = place(before: max(1, changes))
    // Times grow with the places, but for a clock that was set back: then a little more is kept.
    let statement = try connection.statement(
      "SELECT ifnull(max(seq), 0) FROM journal WHERE seq <= ? AND time < ?")
    statement.bind(1, last)
    statement.bind(2, RealTime.seconds - days * 86400)
    let byTime = try statement.first { $0.int(0) } ?? 0
    let end = min(last, max(byCount, byTime))
    guard end >= first else { return nil }
    let removal = try connection.statement("DELETE FROM journal WHERE seq <= ?")
    removal.bind(1, end)
    try removal.run()
    return (end, end == last)
  }

  /// The place that has `changes` changes after it; below the start if there are not so many.
  private func place(before changes: Int64) -> Int64 {
    var rest = changes
    var position = place
    for gap in gaps.reversed() {
      let behind = position.rawValue - gap.end.rawValue
      if rest <= behind { break }
      rest -= behind
      position = gap.begin
    }
    return position.rawValue - rest
  }

  /// Goes on far beyond: power loss may have taken back places that were given out (`PowerLoss.swift`).
  func leaveGap(of gap: Int64) throws(StorageError) {
    let end = Place(rawValue: place.rawValue + gap)
    let first = try connection.scalar("SELECT ifnull(min(seq), 0) FROM journal")
    // Gaps before all that is left say nothing any more.
    for old in gaps where old.end.rawValue < first - 1 {
      let removal = try connection.statement("DELETE FROM meta WHERE name = ?")
      removal.bind(1, "gap \(old.end.rawValue)")
      try removal.run()
    }
    let note = try connection.statement("INSERT INTO meta VALUES (?, ?)")
    note.bind(1, "gap \(end.rawValue)")
    note.bind(2, place.rawValue)
    try note.run()
    gaps.append((place, end))
    place = end
  }

  private func readAlbums(_ bytes: UnsafeRawBufferPointer) -> [AlbumID] {
    stride(from: 0, to: bytes.count & ~7, by: 8).map { start in
      var value: UInt64 = 0
      for offset in (0..<8).reversed() { value = value << 8 | UInt64(bytes[start + offset]) }
      return AlbumID(rawValue: Int64(bitPattern: value))
    }
  }

  private func readChange(_ row: LibraryStatement) -> PlacedChange? {
    let isAsset = row.int(2) == 0
    let subject: Change.Subject =
      isAsset ? .asset(AssetID(rawValue: row.int(4))) : .album(AlbumID(rawValue: row.int(4)))
    var snapshot: Change.Snapshot?
    if !row.isNull(5) {
      snapshot =
        isAsset
        ? .asset(
          name: row.name(5), mediaType: MediaType(rawValue: UInt8(truncatingIfNeeded: row.int(6))) ?? .image,
          byteCount: row.int(7), created: row.int(8), modified: row.int(9), description: row.description(13),
          sidecars: Int(row.int(14)),
          flags: AssetFlags(rawValue: UInt8(truncatingIfNeeded: row.int(15))).told,
          edit: EditState(rawValue: UInt8(truncatingIfNeeded: row.int(16))) ?? .none, hasRaw: row.int(17) != 0
        )
        : .album(name: row.name(5), root: RootID(rawValue: Int32(truncatingIfNeeded: row.int(6))))
    }
    let place = Place(rawValue: row.int(0))
    let before = readAlbums(row.bytes(10))
    if !row.isNull(12) {
      guard let step = ViewChange.Step(code: row.int(3), id: row.int(4)) else { return nil }
      let change = ViewChange(
        ViewerID(rawValue: row.int(12)), step, holders: before, snapshot: snapshot)
      return PlacedChange(place: place, entry: .view(change))
    }
    if row.int(3) == JournalEntry.resetCode { return PlacedChange(place: place, entry: .reset) }
    guard let operation = Change.Operation(code: row.int(3)) else { return nil }
    let change = Change(
      subject, operation, albumsBefore: before,
      albumsAfter: row.isNull(11) ? before : readAlbums(row.bytes(11)), snapshot: snapshot,
      isOfAlbumsAlone: Change.isOfAlbumsAlone(code: row.int(3)),
      smartBefore: Change.smartBefore(code: row.int(3)), wasHidden: row.int(15) & JournalRow.wasHidden != 0)
    return PlacedChange(place: place, entry: .change(change))
  }
}

/// What is written of one entry.
struct JournalRow {
  let place: Place
  let time: Int64
  /// nil where everybody must fetch anew.
  let subject: Change.Subject?
  let code: Int64
  let albumsBefore: [AlbumID]
  let albumsAfter: [AlbumID]
  let snapshot: Change.Snapshot?
  let viewer: ViewerID?
  let wasHidden: Bool

  /// What the column of flags has besides those of the snapshot.
  fileprivate static let wasHidden: Int64 = 8

  fileprivate var flags: Int64? {
    var flags: Int64 = wasHidden ? Self.wasHidden : 0
    if case .asset(_, _, _, _, _, _, _, let now, _, _) = snapshot { flags |= Int64(now.told.rawValue) }
    return flags == 0 ? nil : flags
  }
}

extension BoundValues {
  /// Binds the columns of an entry to the parameters after a number.
  func bind(_ row: JournalRow, after start: CInt) {
    bind(start + 1, row.place.rawValue)
    bind(start + 2, row.time)
    switch row.subject {
    case .asset(let id):
      bind(start + 3, Int64(0))
      bind(start + 5, id.rawValue)
    case .album(let id):
      bind(start + 3, Int64(1))
      bind(start + 5, id.rawValue)
    case nil:
      bind(start + 3, Int64(2))
      bind(start + 5, Int64(0))
    }
    bind(start + 4, row.code)
    switch row.snapshot {
    case .asset(
      let name, let mediaType, let byteCount, let created, let modified, let description, let sidecars, _,
      let edit, let hasRaw):
      bind(start + 6, name)
      bind(start + 7, Int64(mediaType.rawValue))
      bind(start + 8, byteCount)
      bind(start + 9, created)
      bind(start + 10, modified)
      bind(start + 14, description)
      if sidecars > 0 { bind(start + 15, Int64(sidecars)) } else { bindNull(start + 15) }
      if edit != .none { bind(start + 17, Int64(edit.rawValue)) } else { bindNull(start + 17) }
      if hasRaw { bind(start + 18, Int64(1)) } else { bindNull(start + 18) }
    case .album(let name, let root):
      bind(start + 6, name)
      bind(start + 7, Int64(root.rawValue))
      for index in [8, 9, 10, 14, 15, 17, 18] { bindNull(start + CInt(index)) }
    case nil:
      for index in [6, 7, 8, 9, 10, 14, 15, 17, 18] { bindNull(start + CInt(index)) }
    }
    bind(start + 11, row.albumsBefore)
    // Most changes leave the albums as they are: NULL says so.
    if row.albumsAfter == row.albumsBefore { bindNull(start + 12) } else { bind(start + 12, row.albumsAfter) }
    bind(start + 13, row.viewer?.rawValue)
    bind(start + 16, row.flags)
  }

  private func bind(_ index: CInt, _ albums: [AlbumID]) {
    // Nearly always one, or none.
    if albums.count <= 1 {
      let only = (albums.first?.rawValue ?? 0).littleEndian
      return withUnsafeBytes(of: only) { bytes in
        bind(index, UnsafeRawBufferPointer(rebasing: bytes[..<(albums.count * 8)]))
      }
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(albums.count * 8)
    for album in albums { bytes.append(littleEndian: album.rawValue) }
    bind(index, bytes)
  }
}

extension JournalEntry {
  fileprivate static let resetCode: Int64 = 25
}

extension Change {
  /// How the journal has the operation; with the smart albums before it, where those are not as usual, in the bits from the
  /// ninth on: one more than their number, as before there were any those were zero.
  fileprivate var code: Int64 {
    let isUsual = operation == .inserted || smartBefore == Self.usualSmartBefore(snapshot)
    return operationCode | (isUsual ? 0 : Int64(smartBefore.rawValue) + 1) << 8
  }

  private var operationCode: Int64 {
    switch operation {
    case .changed(content: false) where isOfAlbumsAlone: Self.changedAlone
    case .moved(content: false) where isOfAlbumsAlone: Self.movedAlone
    case .inserted, .removed, .changed, .moved: operation.code
    }
  }

  fileprivate static func isOfAlbumsAlone(code: Int64) -> Bool {
    code & 0xFF == changedAlone || code & 0xFF == movedAlone
  }

  /// nil where they were as usual.
  fileprivate static func smartBefore(code: Int64) -> SmartAlbums? {
    code >> 8 == 0 ? nil : SmartAlbums(rawValue: UInt16(truncatingIfNeeded: (code >> 8) - 1))
  }

  fileprivate static let changedAlone: Int64 = 7
  fileprivate static let movedAlone: Int64 = 8
}

extension Change.Operation {
  fileprivate var code: Int64 {
    switch self {
    case .inserted: 1
    case .removed: 2
    case .changed(let content): content ? 4 : 3
    case .moved(let content): content ? 6 : 5
    }
  }

  fileprivate init?(code stored: Int64) {
    let code = stored & 0xFF
    switch code {
    case 1: self = .inserted
    case 2: self = .removed
    case 3, 4, Change.changedAlone: self = .changed(content: code == 4)
    case 5, 6, Change.movedAlone: self = .moved(content: code == 6)
    default: return nil
    }
  }
}

extension ViewChange.Step {
  fileprivate var code: Int64 {
    switch self {
    case .asset(_, let isSelected): isSelected ? 17 : 16
    case .album(_, let isSelected): isSelected ? 19 : 18
    case .sight(_, let isSeen): isSeen ? 21 : 20
    case .hidden(_, let isHidden): isHidden ? 23 : 22
    case .created: 24
    case .reset: JournalEntry.resetCode
    }
  }

  /// A step as the journal has it.
  init?(code: Int64, id: Int64) {
    switch code {
    case 16, 17: self = .asset(AssetID(rawValue: id), isSelected: code == 17)
    case 18, 19: self = .album(AlbumID(rawValue: id), isSelected: code == 19)
    case 20, 21: self = .sight(AssetID(rawValue: id), isSeen: code == 21)
    case 22, 23: self = .hidden(AlbumID(rawValue: id), isHidden: code == 23)
    case 24: self = .created(AlbumID(rawValue: id))
    case JournalEntry.resetCode: self = .reset
    default: return nil
    }
  }
}
