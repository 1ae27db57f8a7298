/// Whether a file is whole, and whether it was written to (S40): the disk's word comes before that of events.
package final class WriterEvidence {
  /// How long nobody must have written to a file of which the disk cannot tell whether it has a writer, and no event
  /// either. In nanoseconds.
  package static let quiet: Int64 = 2_000_000_000
  /// The same of one that was made: by open(2), whose close(2) will be told, or by link(2), and its first name has gone.
  package static let quietOnceMade: Int64 = 30_000_000_000

  /// When the librarian began to listen, nanoseconds since 1970: what has not changed since was not written to.
  package var since: Int64 {
    get { context.since }
    set { context.since = newValue }
  }
  private var noticed = RecentValues<FileIdentity, Int64>(capacity: 1 << 13)
  private let index: any FileIndex
  private let lookup: Lookup
  private let context: LibrarianContext

  init(_ index: any FileIndex, _ lookup: Lookup, _ context: LibrarianContext) {
    self.index = index
    self.lookup = lookup
    self.context = context
  }

  /// Tells of a file that is as long and as old as the index has it, if it was written to, and its writer has set its
  /// time back.
  func compare(_ row: Link, _ facts: FileFacts, _ evidence: EventReducer.Evidence) throws {
    let before = noticed[facts.identity]
    guard notice(facts) else { return }
    if evidence == .closed {
      // Whoever else still writes closes it as well.
      return try noteWritten(row)
    }
    switch lookup.completeness(of: row.location) {
    case .complete: return
    case .beingWritten, .unknown: noticed[facts.identity] = before
    }
  }

  /// What is known of the file's content is not so any more.
  private func noteWritten(_ row: Link) throws {
    guard let before = try index.asset(row.asset) else { return }
    var after = before
    switch row.resource {
    case .main:
      after.noteUnread(since: before, content: true)
      if before.edit == .adjusted {
        after.edit = .changedSince
        try index.forgetResult(of: before.id)
      }
    case .pairedVideo: after.isDescribed = false
    case .sidecar, .alternatePhoto: break
    }
    if after != before { try index.update(after) }
    try context.publish(before, after, content: true)
  }

  /// Notes when a file changed last, so that a later writer who leaves its length and time as they were is known
  /// to have written. Only what changed since ``since`` is noted, and not for ever: whoever opens a file for
  /// writing and does not write may be taken to have written then.
  ///
  /// - Returns: whether it has changed since it was looked at before.
  @discardableResult
  func notice(_ facts: FileFacts) -> Bool {
    guard facts.changed > since else { return false }
    return noticed.update(facts.identity, to: facts.changed) != facts.changed
  }

  /// The facts of a file that counts as it is, or `nil` if it is to be looked at again when its writer is
  /// done (S40).
  ///
  /// - Parameter isKnown: whether it is the file that the index has at this name, perhaps written to in place.
  func whole(
    _ location: Location, _ facts: FileFacts, isKnown: Bool, hadOther: Bool = false,
    _ evidence: EventReducer.Evidence
  ) -> FileFacts? {
    // A file with two names was linked into place.
    let isClosed = evidence == .closed && !hadOther
    if !isKnown, evidence == .renamed || isClosed || facts.linkCount > 1 { return facts }
    let completeness = lookup.completeness(of: location)
    let isWhole =
      switch completeness {
      case .complete: true
      // What was closed is another: one that had the name before, and was removed while it was open.
      case .beingWritten: false
      case .unknown(let quiet):
        isKnown || evidence == .closed
          || quiet >= (evidence == .none ? Self.quiet : Self.quietOnceMade)
      }
    // Looked at again: what was read before it was known to be whole may be of half a file.
    if isWhole, case .found(let now) = lookup.look(at: location), now.identity == facts.identity {
      return now
    }
    context.duties.incomplete.append((location, evidence, completeness == .beingWritten))
    return nil
  }

  /// What is to be told of a file that is known by another name: what it is by now, unless somebody still
  /// writes to it; then that is told when he is done (S40).
  func whole(_ facts: FileFacts, of link: Link) -> FileFacts? {
    guard !link.agrees(with: facts), case .beingWritten = lookup.completeness(of: link.location)
    else { return facts }
    context.duties.incomplete.append((link.location, .none, true))
    return nil
  }
}
