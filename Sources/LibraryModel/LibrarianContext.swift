/// What the parts of a ``Librarian`` share: the time, what the caller must do, and the changes of the batch.
package final class LibrarianContext {
  /// What the caller must do now.
  package var duties = Duties()
  /// Whether that is anything: nearly always nothing, which is asked after each name, and they would be copied for that.
  package var hasDuties: Bool { !duties.isEmpty }
  /// Whether changes go into the journal. Not during the first scan of an empty library: what is found
  /// then is the state that the journal begins with.
  package var publishes = true
  /// Whether a file with a single link is taken to be new without asking the index. True only while an
  /// empty library is scanned and nothing in it was renamed meanwhile.
  package var expectsNewFiles = false
  /// The time, in microseconds of a steady clock, for ids that return.
  package var now: UInt64 = 0
  /// How much was taken in of what the kernel told, in any unit.
  package var told: UInt64 = 0
  /// What the clock shows, in nanoseconds since 1970: when what comes arrives (S101). 0 where that is not known.
  package var time: Int64 = 0
  /// When it began to listen, nanoseconds since 1970: see ``WriterEvidence/since``.
  var since: Int64 = 0
  /// For how long what has gone is known when it turns up where nobody listens: until all of that was compared.
  package var memory: UInt64 = 0
  /// Whether a name was renamed, and where to is still to be told.
  package var isHalfMoved: (Location) -> Bool = { _ in false }
  /// Told of each change of an asset; it has this.
  weak var keyPhotos: KeyPhotos?
  /// The same.
  weak var customOrder: CustomOrder?
  private let journal: any JournalIndex
  /// The changes of the batch, in the order of the journal.
  private var changes: [PlacedChange] = []

  init(_ journal: any JournalIndex) {
    self.journal = journal
  }

  /// An asset has changed.
  func publish(_ before: Asset?, _ after: Asset?, content: Bool) throws {
    try customOrder?.changed(before, after)
    guard publishes, let change = Change.asset(before: before, after: after, content: content) else { return }
    try publish(change)
    try keyPhotos?.changed(before, after)
  }

  /// An asset is new: nearly all that there is to tell while a library grows, and nothing of it need be compared.
  func publish(inserted asset: Asset) throws {
    guard publishes else { return }
    try publish(Change(inserted: asset))
    try keyPhotos?.came(asset)
  }

  /// Writes a change into the journal.
  func publish(_ change: Change) throws {
    guard publishes else { return }
    changes.append(PlacedChange(place: try journal.append(change), entry: .change(change)))
  }

  /// Tells followers of albums that one has changed by nothing that its directory says.
  ///
  /// - Parameters:
  ///   - album: as it is; nil where it has gone, and nobody is told.
  ///   - alsoCreator: whether it is told to a limited app as well.
  func tell(of album: Album?, alsoCreator: Bool) throws {
    guard let album else { return }
    let parent = album.parent.map { [$0] } ?? []
    try publish(
      Change(
        .album(album.id), .changed(content: false), albumsBefore: parent, albumsAfter: parent,
        snapshot: .album(name: album.name, root: album.root), isOfAlbumsAlone: !alsoCreator))
  }

  /// Makes entries part of the batch that were written beside what is compared.
  package func add(_ entries: [PlacedChange]) {
    changes += entries
  }

  /// Takes the changes of the batch.
  func takeChanges() -> [PlacedChange] {
    defer { changes.removeAll(keepingCapacity: changes.count <= 4096) }
    return changes
  }
}
