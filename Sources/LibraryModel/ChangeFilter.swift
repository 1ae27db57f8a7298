/// What a subscription is about (S24), and what its caller may see (S16).
///
/// Two subscriptions with equal filters are told the same, so that a delivery is encoded once for both.
package struct ChangeFilter: Hashable, Sendable {
  /// What it is about.
  package enum Subject: Hashable, Sendable {
    /// Assets of these albums, smart ones among them, and these assets; all assets when albums and assets are `nil`.
    case assets(albums: Set<AlbumID>?, ids: Set<AssetID>?, smart: SmartAlbums = [])
    /// The list of albums.
    case albums
  }

  /// What it is about.
  package let subject: Subject
  /// Whose view it is, when it can change; `nil` for the whole library.
  package let viewer: ViewerID?
  /// What the caller may see, as of its place in the journal.
  package private(set) var view: LibraryView

  /// Whether the caller is told where pictures were taken (S57).
  package let seesLocation: Bool
  /// Whether the caller is told of hidden assets; never one that sees a part of the library (S91).
  package let includesHidden: Bool

  /// Assets of which a change was left out, because where they were then is not seen by now, and whether their content had
  /// changed: who sees them elsewhere by now is told when they come there.
  private var withheld: [Change.Subject: Bool] = [:]

  /// A filter.
  package init(
    _ subject: Subject, view: LibraryView, viewer: ViewerID? = nil, seesLocation: Bool = false,
    includesHidden: Bool = false
  ) {
    self.includesHidden = includesHidden && view.seesEverything
    self.seesLocation = seesLocation
    self.subject = subject
    self.view = view
    self.viewer = viewer
  }

  /// What an entry is to whoever looks through the filter.
  package enum Effect: Hashable, Sendable {
    /// Nothing.
    case none
    /// It is seen now and was not before.
    case inserted(Change)
    /// It was seen before and is not now.
    case removed(Change.Subject)
    /// It is seen and changed.
    case changed(Change)
    /// It is seen, in other albums than before.
    case moved(Change)
    /// It was to be seen then and is not to be seen now, or nobody was told of it: what followed cannot be told
    /// without it.
    case lost

    /// What it is told of.
    package var subject: Change.Subject? {
      switch self {
      case .none, .lost: nil
      case .inserted(let change), .changed(let change), .moved(let change): change.subject
      case .removed(let subject): subject
      }
    }
  }

  /// What the next entry is to whoever looks through this.
  ///
  /// - Parameter now: what the caller may see by now, where that can differ. Its authorization counts as it
  ///   is when it is told (S29), and so does what is hidden (S91), so that what it may not see any more is not told from
  ///   earlier times either:
  ///   a change is left out, since word that the asset has gone follows, or that it is where it is seen by now; something
  ///   new is ``Effect/lost``.
  package func effect(of entry: JournalEntry, now: ViewByNow? = nil) -> Effect {
    let effect = effectThen(of: entry)
    guard let now else { return effect }
    switch effect {
    case .inserted(let change): return covers(change, now) ? effect : .lost
    case .changed(let change): return covers(change, now) ? .changed(withWithheld(change)) : .none
    case .moved(let change): return covers(change, now) ? .moved(withWithheld(change)) : .none
    case .none:
      guard case .change(let change) = entry, withheld[change.subject] != nil, change.operation != .removed,
        coversAfterwards(change, view), covers(change, now)
      else { return .none }
      return .changed(withWithheld(change))
    case .removed, .lost: return effect
    }
  }

  /// Goes on past an entry.
  package mutating func pass(_ entry: JournalEntry, now: ViewByNow? = nil) {
    if let now { note(entry, now) }
    if case .view(let change) = entry, change.viewer == viewer { view.apply(change.step) }
  }

  /// What it was to who saw it when it happened.
  private func effectThen(of entry: JournalEntry) -> Effect {
    switch entry {
    case .change(let change): effect(of: change)
    case .view(let change): change.viewer == viewer ? effect(of: change) : .none
    case .reset: .lost
    }
  }

  private mutating func note(_ entry: JournalEntry, _ now: ViewByNow) {
    switch effect(of: entry, now: now) {
    case .inserted(let change), .changed(let change), .moved(let change): withheld[change.subject] = nil
    case .removed(let subject): withheld[subject] = nil
    case .none:
      switch effectThen(of: entry) {
      case .changed(let change), .moved(let change):
        let isOther = change.operation.changesContent
        withheld[change.subject] = isOther || withheld[change.subject] ?? false
      case .none, .inserted, .removed, .lost: break
      }
    case .lost: break
    }
  }

  private func withWithheld(_ change: Change) -> Change {
    guard let isOther = withheld[change.subject] else { return change }
    var change = change
    switch change.operation {
    case .changed(let content): change.operation = .changed(content: content || isOther)
    case .moved(let content): change.operation = .moved(content: content || isOther)
    case .inserted, .removed: break
    }
    return change
  }

  private func effect(of change: Change) -> Effect {
    let before =
      change.operation != .inserted && shows(hidden: change.wasHidden)
      && covers(change.subject, in: change.albumsBefore, change.smartBefore, view)
    let after = change.operation != .removed && coversAfterwards(change, view)
    switch (before, after) {
    case (false, false): return .none
    case (false, true): return .inserted(change)
    case (true, false): return .removed(change.subject)
    case (true, true): return lasting(change)
    }
  }

  private func lasting(_ change: Change) -> Effect {
    let isElsewhere = change.albumsBefore.filter(view.sees) == change.albumsAfter.filter(view.sees)
    // What happens in albums that a limited app does not see is none of its affair (S16).
    if isElsewhere, change.isOfAlbumsAlone, !view.seesEverything { return .none }
    return switch change.operation {
    // Seen before and after what says it is new or gone cannot be.
    case .inserted, .removed: .none
    case .changed: .changed(change)
    case .moved: isElsewhere ? .changed(change) : .moved(change)
    }
  }

  private func effect(of change: ViewChange) -> Effect {
    switch (subject, change.step) {
    case (.assets, .asset(let id, let isSelected)):
      let isSeenOtherwise = view.selectsAny(of: change.holders) || view.hidesAny(of: change.holders)
      return isSeenOtherwise ? .none : sight(id, isSelected, change)
    case (.assets, .sight(let id, let isSeen)): return sight(id, isSeen, change)
    case (.albums, .created(let id)):
      return view.hiddenAlbums.contains(id) ? .none : change.insertion.map(Effect.inserted) ?? .none
    case (.albums, .hidden(let id, let isHidden)):
      guard view.knows(id) else { return .none }
      return isHidden ? .removed(.album(id)) : change.insertion.map(Effect.inserted) ?? .none
    case (.assets, .album), (.assets, .created), (.assets, .hidden), (.albums, .asset), (.albums, .album),
      (.albums, .sight), (_, .reset):
      return .none
    }
  }

  /// An asset came into sight or went out of it.
  private func sight(_ id: AssetID, _ isSeen: Bool, _ change: ViewChange) -> Effect {
    guard let snapshot = change.snapshot, shows(hidden: snapshot.isHidden),
      isWanted(id, change.holders, SmartAlbums(snapshot), view)
    else { return .none }
    return isSeen ? change.insertion.map(Effect.inserted) ?? .none : .removed(.asset(id))
  }

  private func shows(hidden isHidden: Bool) -> Bool { includesHidden || !isHidden }

  private func covers(_ change: Change, _ now: ViewByNow) -> Bool {
    if case .asset(let id) = change.subject, !includesHidden, now.hides(id) { return false }
    return coversAfterwards(change, now.view)
  }

  private func coversAfterwards(_ change: Change, _ view: LibraryView) -> Bool {
    shows(hidden: change.snapshot?.isHidden ?? false)
      && covers(change.subject, in: change.albumsAfter, change.smartAfter, view)
  }

  private func covers(
    _ subject: Change.Subject, in albums: [AlbumID], _ smart: SmartAlbums, _ view: LibraryView
  ) -> Bool {
    switch (self.subject, subject) {
    case (.albums, .album(let id)): view.sees(id)
    case (.assets, .asset(let id)): isWanted(id, albums, smart, view) && view.sees(id, in: albums)
    case (.albums, .asset), (.assets, .album): false
    }
  }

  /// An album that the caller may not know has nothing in it (S16).
  private func isWanted(
    _ id: AssetID, _ albums: [AlbumID], _ smart: SmartAlbums, _ view: LibraryView
  ) -> Bool {
    guard case .assets(let wantedAlbums, let ids, let wantedSmart) = subject else { return false }
    if wantedAlbums == nil && ids == nil { return true }
    return ids?.contains(id) ?? false || !smart.isDisjoint(with: wantedSmart)
      || wantedAlbums.map { wanted in albums.contains { wanted.contains($0) && view.knows($0) } } ?? false
  }
}
