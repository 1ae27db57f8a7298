internal import Authorization
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Logging
internal import Storage

/// Keeps the journal's word on what limited apps see in line with the registry's (S22).
///
/// The registry decides; the journal remembers how it came to that, so that a token tells what was selected
/// since (S26). The difference between the two is written whenever a decision or selection has changed, and
/// at the start: a crash between the two files leaves nothing but such a difference.
@EventLoopActor
final class ViewJournal {
  private let decisions: Decisions
  private let contents: LibraryContents
  private let journal: JournalWriter
  private let store: any LibraryReading
  private let log: Logger
  /// Those whose change could not be written, and why. Their subscriptions end, and what they fetch is not
  /// what the journal tells of: they are told to fetch anew when writing works again.
  private var failures: [ViewerKey: any Error] = [:]
  /// Apps that see by the journal what the registry says, but for what that has told since (``Authorization/SelectionNews``), and how
  /// many of the ids that it names are none here.
  private var inLine: [RecordKey: Int] = [:]
  /// What an app that asks for its status was told last, and what that was counted of.
  private var counts: [RecordKey: (seen: SeenCount, place: Place)] = [:]
  /// Those of which that could not be counted, and the log was told.
  private var uncounted: Set<RecordKey> = []

  init(decisions: Decisions, monitor: LibraryMonitor, store: any LibraryReading, log: Logger) {
    self.decisions = decisions
    contents = monitor.contents
    journal = monitor.edits.journal
    self.store = store
    self.log = log
  }

  /// Brings all that are known in line: at the start, and when policies have changed.
  func update() {
    // All of each is compared.
    inLine = [:]
    let known = (try? store.viewers.viewers().keys.map(RecordKey.init)) ?? []
    for key in Set(known).union(decisions.all.keys).sorted() { update(key) }
  }

  /// A decision or selection has changed.
  func update(_ key: RecordKey) {
    let news = decisions.takeSelectionNews(of: key)
    if decisions.status(of: key).status != .limited {
      counts[key] = nil
      inLine[key] = nil
    }
    uncounted.remove(key)
    guard key.accessLevel == .readWrite else { return }
    let viewer = ViewerKey(key)
    do {
      if try follow(news, of: key) { return }
      guard let target = target(of: key) else { return }
      let known = try store.viewers.viewer(viewer)?.view ?? .everything
      if failures[viewer] != nil || !known.agrees(with: target) {
        try write(target, of: viewer, resets: failures[viewer] != nil)
        failures[viewer] = nil
      }
      inLine[key] = target.count.map { selectedCount(of: key) - $0 }
    } catch {
      inLine[key] = nil
      // Said once: the app's calls try again.
      if failures[viewer] == nil {
        log.error("What \(key.appID) may see has changed and cannot be written into the journal: \(error)")
      }
      failures[viewer] = error
    }
  }

  /// Brings an app in line that was, by looking at nothing but what may be another: an app may add one photo after the other to
  /// a selection of a hundred thousand.
  ///
  /// - Returns: whether it is; otherwise all of it is to be compared.
  private func follow(_ news: SelectionNews?, of key: RecordKey) throws -> Bool {
    guard let foreign = inLine[key], let viewer = try store.viewers.viewer(ViewerKey(key)),
      !viewer.view.seesEverything
    else { return false }
    var difference = SelectionDifference()
    switch news {
    case .named(let some): difference = self.difference(of: some, key, from: viewer.view)
    case .anything: return false
    case nil: break
    }
    if difference.count > 0 { try write(.changed(difference), of: ViewerKey(key), resets: false) }
    // Whatever else has become of either.
    let now = try store.viewers.viewer(ViewerKey(key))?.view ?? .everything
    return now.assets.count + now.albums.count == selectedCount(of: key) - foreign
  }

  private func difference(of some: Selection, _ key: RecordKey, from view: LibraryView) -> SelectionDifference
  {
    let selection = decisions.selection(of: key)
    var difference = SelectionDifference()
    for text in some.assets {
      guard let id = store.ids.asset(text) else { continue }
      switch (view.assets.contains(id), selection.assets.contains(text)) {
      case (false, true): difference.addedAssets.insert(id)
      case (true, false): difference.removedAssets.insert(id)
      case (true, true), (false, false): break
      }
    }
    for text in some.albums {
      guard let id = store.ids.album(text) else { continue }
      switch (view.albums.contains(id), selection.albums.contains(text)) {
      case (false, true): difference.addedAlbums.insert(id)
      case (true, false): difference.removedAlbums.insert(id)
      case (true, true), (false, false): break
      }
    }
    return difference
  }

  private func write(_ target: ViewTarget, of viewer: ViewerKey, resets: Bool) throws {
    // What it sees of its albums' key photos may be otherwise from here on (S102).
    let keyed = try store.viewers.ownAlbums(of: viewer).filter { try store.keyPhotos.keyAsset(of: $0) != nil }
    try journal.changeViews(withKeysOf: keyed) { try $0.setView(of: viewer, to: target, resets: resets) }
  }

  private func selectedCount(of key: RecordKey) -> Int {
    let selection = decisions.selection(of: key)
    return selection.assets.count + selection.albums.count
  }

  /// What an app sees that may read, and its name in the journal when that can change.
  ///
  /// - Throws: why its subscriptions cannot be served. Other calls can, by their views.
  func viewer(of key: RecordKey) throws -> Viewer? {
    if let failure = failures[ViewerKey(key)] { throw failure }
    return try store.viewers.viewer(ViewerKey(key))
  }

  /// What these viewers see.
  func views(of viewers: Set<ViewerID>) -> [ViewerID: LibraryView] {
    let known = (try? store.viewers.viewers()) ?? [:]
    return Dictionary(
      known.values.lazy.filter { viewers.contains($0.id) }.map { ($0.id, $0.view) },
      uniquingKeysWith: { first, _ in first })
  }

  /// What an app sees that may see everything.
  func fullView(of key: RecordKey) -> LibraryView {
    tryAgain(key)
    return LibraryView(ownAlbums: ownAlbums(of: key))
  }

  /// What could not be written is tried again only by who is concerned, and only when it is; and what nobody was told
  /// of yet counts for its next call (S29).
  private func tryAgain(_ key: RecordKey) {
    if failures[ViewerKey(key)] != nil || decisions.isUntold(key) { update(key) }
  }

  /// What a limited app sees.
  func limitedView(of key: RecordKey) -> LibraryView {
    tryAgain(key)
    return journaledViewer(of: key)?.view ?? viewByRegistry(ofLimited: key)
  }

  /// A limited app as the journal has it, where that is in line. Who only asks writes nothing (S5).
  private func journaledViewer(of key: RecordKey) -> Viewer? {
    guard failures[ViewerKey(key)] == nil, !decisions.isUntold(key),
      let viewer = try? store.viewers.viewer(ViewerKey(key)), !viewer.view.seesEverything
    else { return nil }
    return viewer
  }

  private func viewByRegistry(ofLimited key: RecordKey) -> LibraryView {
    let selection = selection(of: key)
    return LibraryView(
      assets: selection.assets, albums: selection.albums,
      hiddenAlbums: Set(contents.albums.lazy.filter(\.isShared).map(\.id)),
      ownAlbums: ownAlbums(of: key))
  }

  /// How much of what is selected for an app it sees: of what is hidden from it or has gone, it is not told that it
  /// is selected (S16, S19).
  ///
  /// - Returns: `nil` for an app that is not limited, and when it cannot be counted, which the log says.
  func selectionCount(of key: RecordKey, _ status: AuthorizationStatus) -> Int? {
    guard status == .limited else { return nil }
    do {
      var seen = try seen(of: key)
      let albums = seen.albums ?? countAlbums(seen.view)
      seen.albums = albums
      counts[key] = (seen, store.place)
      uncounted.remove(key)
      return seen.assets + albums
    } catch {
      counts[key] = nil
      // Said once: the app may ask as often as it likes.
      if uncounted.insert(key).inserted {
        log.error("How much \(key.appID) may see could not be counted: \(error)")
      }
      return nil
    }
  }

  /// The same as of now: by what has happened since it was counted, or counted anew.
  private func seen(of key: RecordKey) throws -> SeenCount {
    let viewer = journaledViewer(of: key)
    let view = viewer?.view ?? viewByRegistry(ofLimited: key)
    if let (seen, place) = counts[key] {
      if place == store.place, seen.view == view { return seen }
      if let viewer, seen.viewer == viewer.id, let seen = caughtUp(seen, from: place, to: view) {
        return seen
      }
    }
    var query = AssetQuery()
    query.memberships = [.init(ids: view.assets.sorted())]
    query.excludedAlbums = view.hiddenAlbums.sorted()
    return SeenCount(of: viewer?.id, view, assets: try store.assets.count(query))
  }

  /// Goes on to the end of the journal.
  ///
  /// - Parameter view: what the app sees there.
  /// - Returns: nil where that does not tell, or takes longer than to count.
  private func caughtUp(_ seen: SeenCount, from place: Place, to view: LibraryView) -> SeenCount? {
    let distance = store.place.rawValue - place.rawValue
    // To read an entry takes as long as to count some assets.
    guard distance > 0, distance <= view.assets.count / 4,
      case .changes(let entries)? = try? store.journal.changes(after: place, limit: Int(distance)),
      entries.last?.place == store.place
    else { return nil }
    var seen = seen
    guard entries.allSatisfy({ seen.pass($0.entry) }) else { return nil }
    // By the journal both are the same. Its own set is let go, so that there are not two of them.
    guard seen.view.assets.count == view.assets.count else { return nil }
    return SeenCount(of: seen.viewer, view, assets: seen.assets, albums: seen.albums)
  }

  private func countAlbums(_ view: LibraryView) -> Int {
    view.albums.count { !view.hidesAny(of: [$0]) && contents.album($0) != nil }
  }

  /// Whether that may be another after these: not by what happens to what is not selected.
  func mayCount(_ key: RecordKey, otherwiseAfter entries: [PlacedChange]) -> Bool {
    guard let view = counts[key]?.seen.view else { return true }
    return entries.contains { placed in
      switch placed.change?.subject {
      case .asset(let id): view.assets.contains(id)
      case .album(let id): view.albums.contains(id)
      // Something is hidden, or not any more.
      case nil: true
      }
    }
  }

  /// The albums that an app created.
  func ownAlbums(of key: RecordKey) -> Set<AlbumID> {
    (try? store.viewers.ownAlbums(of: ViewerKey(key))) ?? []
  }

  /// Notes that an app created an album: from now on it sees it, also when it is limited (S19). Called inside a
  /// batch.
  ///
  /// - Parameter title: what it is told that the album is called; its name when nil.
  func noteCreated(
    _ album: Album, as title: FileName?, by app: PeerIdentity, in index: any ViewIndex
  ) throws -> [PlacedChange] {
    try index.noteCreated(
      album.id, by: ViewerKey(app.key), parent: album.parent,
      snapshot: .album(name: album.name, root: album.root), title: title)
  }

  /// What the registry says; `nil` for an app that may not read: what it saw last is kept, for when its access
  /// returns.
  private func target(of key: RecordKey) -> ViewTarget? {
    switch decisions.status(of: key).status {
    case .authorized: return .everything
    case .limited:
      let selection = selection(of: key)
      return .selection(assets: selection.assets, albums: selection.albums)
    case .notDetermined, .denied, .restricted: return nil
    }
  }

  private func selection(of key: RecordKey) -> (assets: Set<AssetID>, albums: Set<AlbumID>) {
    let selection = decisions.selection(of: key)
    return (
      Set(selection.assets.compactMap(store.ids.asset)), Set(selection.albums.compactMap(store.ids.album))
    )
  }
}

extension ViewerKey {
  /// The journal's name of an app: it knows nothing of authorization.
  init(_ app: AppKey) {
    self.init(uid: app.uid, app: app.appID)
  }

  /// The app that a record is about.
  fileprivate init(_ key: RecordKey) { self.init(key.app) }
}

extension RecordKey {
  fileprivate init(_ key: ViewerKey) {
    self.init(uid: key.uid, appID: key.app, accessLevel: .readWrite)
  }
}

extension LibraryView {
  fileprivate func agrees(with target: ViewTarget) -> Bool {
    switch target {
    case .everything: seesEverything
    case .selection(let assets, let albums):
      !seesEverything && self.assets == assets && self.albums == albums
    case .changed(let difference): !seesEverything && difference.count == 0
    }
  }
}

extension ViewTarget {
  /// How much is selected, where all of that is said.
  fileprivate var count: Int? {
    switch self {
    case .selection(let assets, let albums): assets.count + albums.count
    case .everything, .changed: nil
    }
  }
}
