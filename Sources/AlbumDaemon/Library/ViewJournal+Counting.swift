internal import Authorization
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Logging
internal import Storage

/// How much of what is selected for an app it sees, as far as it is known in this turn of the loop.
enum SelectionCount: Equatable {
  /// So much; nil for an app that is not limited, and when it cannot be counted, which the log says.
  case counted(Int?)
  /// Some of it was looked at, as much as one turn is for: it goes on where it is asked for again.
  case underway
}

/// How much of what is selected for apps they see: counted once, some in a turn, and from then on by what the journal tells.
extension ViewJournal {
  /// What was counted, as of a place in the journal.
  struct Counted {
    var seen: SeenCount
    var place: Place
  }

  /// So many entries of the journal are read in one turn.
  private static var entriesAtOnce: Int { 1000 }
  /// So many assets are looked at in one turn where some albums are hidden: each by itself, as whatever is in these albums would be
  /// looked up to find which are not.
  private static var lookedAtOnce: Int { 200 }

  /// How much of what is selected for an app it sees: of what is hidden from it or has gone, it is not told that it
  /// is selected (S16, S19).
  func selectionCount(of key: RecordKey, _ status: AuthorizationStatus) -> SelectionCount {
    guard status == .limited else { return .counted(nil) }
    do {
      var counted = try goOn(key)
      defer { counts[key] = counted }
      guard counted.seen.isWhole, counted.place == store.place else { return .underway }
      let albums = counted.seen.albums ?? countAlbums(counted.seen.view)
      counted.seen.albums = albums
      uncounted.remove(key)
      return .counted(counted.seen.assets + albums)
    } catch {
      // Said once: the app may ask as often as it likes.
      if uncounted.insert(key).inserted {
        log.error("How much \(key.appID) may see could not be counted: \(error)")
      }
      return .counted(nil)
    }
  }

  /// Takes what was counted of an app, and goes on, as far as one turn is for: by what has happened since, or anew.
  private func goOn(_ key: RecordKey) throws -> Counted {
    let viewer = journaledViewer(of: key)
    let view = viewer?.view ?? viewByRegistry(ofLimited: key)
    let known = counts.removeValue(forKey: key)
    if let known, known.seen.isWhole, known.place == store.place, known.seen.view == view { return known }
    guard let viewer else {
      // Nothing tells what becomes of it: all of it is counted each time.
      return Counted(seen: SeenCount(of: nil, view, assets: try count(view)), place: store.place)
    }
    if var known, known.seen.viewer == viewer.id, try goOn(&known, in: view) { return known }
    var begun = Counted(seen: SeenCount(beginning: viewer.id, view), place: store.place)
    _ = try goOn(&begun, in: view)
    return begun
  }

  /// - Parameter view: what the app sees at the end of the journal.
  /// - Returns: false where the journal does not tell, or that takes longer than to count anew.
  private func goOn(_ counted: inout Counted, in view: LibraryView) throws -> Bool {
    let distance = store.place.rawValue - counted.place.rawValue
    if distance == 0, counted.seen.isWhole { return false }
    if distance != 0 {
      // To read an entry takes as long as to count some assets.
      guard distance > 0, distance <= view.assets.count / 4,
        case .changes(let entries)? = try? store.journal.changes(
          after: counted.place, limit: Self.entriesAtOnce),
        let last = entries.last, last.place == store.place || entries.count == Self.entriesAtOnce,
        entries.allSatisfy({ counted.seen.pass($0.entry) })
      else { return false }
      counted.place = last.place
      guard counted.place == store.place else { return true }
    }
    let most = view.hiddenAlbums.isEmpty ? AssetQuery.fewNamed : Self.lookedAtOnce
    try counted.seen.countNext(most, in: view) { try count($0, in: view) }
    guard counted.seen.isWhole else { return true }
    // By the journal both are the same. Its own set is let go, so that there are not two of them.
    guard counted.seen.view.assets.count == view.assets.count else { return false }
    counted.seen = SeenCount(
      of: counted.seen.viewer, view, assets: counted.seen.assets, albums: counted.seen.albums)
    return true
  }

  /// How many of some assets that are selected are seen.
  private func count(_ assets: [AssetID], in view: LibraryView) throws -> Int {
    guard view.hiddenAlbums.isEmpty else {
      return try assets.count { id in try store.files.asset(id).map { view.sees($0) } ?? false }
    }
    var query = AssetQuery()
    query.memberships = [.init(ids: assets.sorted())]
    return try store.assets.count(query)
  }

  /// How many of all of them.
  private func count(_ view: LibraryView) throws -> Int {
    var query = AssetQuery()
    query.memberships = [.init(ids: view.assets.sorted())]
    query.excludedAlbums = view.hiddenAlbums.sorted()
    return try store.assets.count(query)
  }

  private func countAlbums(_ view: LibraryView) -> Int {
    view.albums.count { !view.hidesAny(of: [$0]) && contents.album($0) != nil }
  }

  /// Whether that may be another after these: not by what happens to what is not selected.
  func mayCount(_ key: RecordKey, otherwiseAfter entries: [PlacedChange]) -> Bool {
    guard let seen = counts[key]?.seen, seen.isWhole else { return true }
    return entries.contains { placed in
      switch placed.change?.subject {
      case .asset(let id): seen.view.assets.contains(id)
      case .album(let id): seen.view.albums.contains(id)
      // Something is hidden, or not any more.
      case nil: true
      }
    }
  }
}
