internal import Glibc
public import LibraryModel

/// Changes after a place, or why there are none (S27).
public enum JournalPage: Sendable {
  /// The next changes, in order; empty at the end.
  case changes([PlacedChange])
  /// The journal no longer covers that place, or never had it: fetch anew.
  case expired
}

extension LibraryStore {
  /// Writes a change into the journal.
  public func append(_ change: Change) throws -> Place {
    let next = Place(rawValue: place.rawValue + 1)
    let statement = hot.append
    statement.bind(1, next.rawValue)
    statement.bind(2, time)
    switch change.subject {
    case .asset(let id):
      statement.bind(3, Int64(0))
      statement.bind(5, id.rawValue)
    case .album(let id):
      statement.bind(3, Int64(1))
      statement.bind(5, id.rawValue)
    }
    statement.bind(4, change.operation.code)
    switch change.snapshot {
    case .asset(let name, let mediaType, let byteCount, let created, let modified):
      statement.bind(6, name)
      statement.bind(7, Int64(mediaType.rawValue))
      statement.bind(8, byteCount)
      statement.bind(9, created)
      statement.bind(10, modified)
    case .album(let name, let root):
      statement.bind(6, name)
      statement.bind(7, Int64(root.rawValue))
      for index in 8...10 { statement.bindNull(CInt(index)) }
    case nil:
      for index in 6...10 { statement.bindNull(CInt(index)) }
    }
    bind(11, change.albumsBefore, to: statement)
    // Most changes leave the albums as they are: NULL says so.
    if change.albumsAfter == change.albumsBefore {
      statement.bindNull(12)
    } else {
      bind(12, change.albumsAfter, to: statement)
    }
    try statement.run()
    place = next
    return next
  }

  /// Up to `limit` changes after a place.
  public func changes(after start: Place, limit: Int) throws -> JournalPage {
    guard try covers(start) else { return .expired }
    if start == place { return .changes([]) }
    let statement = try statement("SELECT * FROM journal WHERE seq > ? ORDER BY seq LIMIT ?")
    statement.bind(1, start.rawValue)
    statement.bind(2, Int64(limit))
    return .changes(try statement.all(readChange).compactMap { $0 })
  }

  /// The place of the oldest change that is kept; nil when there is none.
  public func firstPlace() throws -> Place? {
    let first = try scalar("SELECT ifnull(min(seq), 0) FROM journal")
    return first > 0 ? Place(rawValue: first) : nil
  }

  /// Whether everything after a place is still in the journal.
  public func covers(_ start: Place) throws -> Bool {
    guard start >= .start, start <= place else { return false }
    if start == place { return true }
    if gaps.contains(where: { $0.begin < start && start < $0.end }) { return false }
    // With no row left, all that is missing lies behind the place itself.
    let first = Place(rawValue: try scalar("SELECT ifnull(min(seq), 0) FROM journal") - 1)
    if first.rawValue < 0 { return gaps.last.map { $0.begin == start && $0.end == place } ?? false }
    return start >= first || gaps.contains { $0.begin == start && $0.end == first }
  }

  /// Removes up to `limit` of the oldest changes that need not be kept; call again until it returns false.
  ///
  /// - Parameters:
  ///   - changes: how many are kept at most.
  ///   - days: for how long they are kept at most.
  /// - Returns: whether there is more to remove.
  public func trimJournal(keepChanges changes: Int64, keepDays days: Int64, limit: Int64 = 1000) throws
    -> Bool
  {
    var clock = timespec()
    clock_gettime(CLOCK_REALTIME, &clock)
    let first = try scalar("SELECT ifnull(min(seq), 0) FROM journal")
    // The newest stays: it says where the journal stands.
    let last = min(place.rawValue - 1, first + limit - 1)
    guard first > 0, first <= last else { return false }
    let byCount = place(before: max(1, changes))
    // Times grow with the places, but for a clock that was set back: then a little more is kept.
    let statement = try statement("SELECT ifnull(max(seq), 0) FROM journal WHERE seq <= ? AND time < ?")
    statement.bind(1, last)
    statement.bind(2, Int64(clock.tv_sec) - days * 86400)
    let byTime = try statement.first { $0.int(0) } ?? 0
    let end = min(last, max(byCount, byTime))
    guard end >= first else { return false }
    let removal = try self.statement("DELETE FROM journal WHERE seq <= ?")
    removal.bind(1, end)
    try removal.run()
    return end == last
  }

  private func bind(_ index: CInt, _ albums: [AlbumID], to statement: LibraryStatement) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(albums.count * 8)
    for album in albums {
      var value = UInt64(bitPattern: album.rawValue)
      for _ in 0..<8 {
        bytes.append(UInt8(truncatingIfNeeded: value))
        value >>= 8
      }
    }
    statement.bind(index, bytes)
  }

  private func readAlbums(_ bytes: UnsafeRawBufferPointer) -> [AlbumID] {
    stride(from: 0, to: bytes.count & ~7, by: 8).map { start in
      var value: UInt64 = 0
      for offset in (0..<8).reversed() { value = value << 8 | UInt64(bytes[start + offset]) }
      return AlbumID(rawValue: Int64(bitPattern: value))
    }
  }

  private func readChange(_ row: LibraryStatement) -> PlacedChange? {
    guard let operation = Change.Operation(code: row.int(3)) else { return nil }
    let isAsset = row.int(2) == 0
    var snapshot: Change.Snapshot?
    if !row.isNull(5) {
      snapshot =
        isAsset
        ? .asset(
          name: row.name(5), mediaType: MediaType(rawValue: UInt8(truncatingIfNeeded: row.int(6))) ?? .image,
          byteCount: row.int(7), created: row.int(8), modified: row.int(9))
        : .album(name: row.name(5), root: RootID(rawValue: Int32(truncatingIfNeeded: row.int(6))))
    }
    let before = readAlbums(row.bytes(10))
    let change = Change(
      isAsset ? .asset(AssetID(rawValue: row.int(4))) : .album(AlbumID(rawValue: row.int(4))), operation,
      albumsBefore: before, albumsAfter: row.isNull(11) ? before : readAlbums(row.bytes(11)),
      snapshot: snapshot)
    return PlacedChange(place: Place(rawValue: row.int(0)), change: change)
  }
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

  fileprivate init?(code: Int64) {
    switch code {
    case 1: self = .inserted
    case 2: self = .removed
    case 3, 4: self = .changed(content: code == 4)
    case 5, 6: self = .moved(content: code == 6)
    default: return nil
    }
  }
}
