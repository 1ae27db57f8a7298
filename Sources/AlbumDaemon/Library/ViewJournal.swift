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
  let contents: LibraryContents
  private let journal: JournalWriter
  let store: any LibraryReading
  let log: Logger
  /// Those whose change could not be written, and why. Their subscriptions end, and what they fetch is not
  /// what the journal tells of: they are told to fetch anew when writing works again.
  private var failures: [ViewerKey: any Error] = [:]
  /// Apps that see by the journal what the registry says, but for what that has told since (``Authorization/SelectionNews``), and how
  /// many of the ids that it names are none here.
  private var inLine: [RecordKey: Int] = [:]
  /// What was counted for apps that ask for their status (``selectionCount(of:_:)``).
  var counts: [RecordKey: Counted] = [:]
  /// Those of which that could not be counted, and the log was told.
  var uncounted: Set<RecordKey> = []

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
  func journaledViewer(of key: RecordKey) -> Viewer? {
    guard failures[ViewerKey(key)] == nil, !decisions.isUntold(key),
      let viewer = try? store.viewers.viewer(ViewerKey(key)), !viewer.view.seesEverything
    else { return nil }
    return viewer
  }

  func viewByRegistry(ofLimited key: RecordKey) -> LibraryView {
    let selection = selection(of: key)
    return LibraryView(
      assets: selection.assets, albums: selection.albums,
      hiddenAlbums: Set(contents.albums.lazy.filter(\.isShared).map(\.id)),
      ownAlbums: ownAlbums(of: key))
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
