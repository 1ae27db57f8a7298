internal import AlbumAPI
internal import EventLoop
internal import LibraryModel
internal import Storage
internal import Varlink

/// Makes the messages of subscriptions from changes.
@EventLoopActor
struct DeliveryEncoder {
  /// Changes in one delivery at most: batches of this size cost a fraction of single ones, and one message
  /// still fits a socket's buffer.
  nonisolated static let limit = 256

  /// One message and what it covers.
  struct Delivery {
    /// The place before its changes, and the filter as of there: where a subscriber goes on that did not get
    /// it.
    let previous: (place: Place, filter: ChangeFilter)
    /// With its NUL.
    let message: [UInt8]
  }

  /// What entries come to.
  struct Deliveries {
    var messages: [Delivery] = []
    /// Whether they end where something cannot be told: the subscriber must fetch anew.
    var isLost = false
  }

  private let renderer: LibraryRenderer

  init(renderer: LibraryRenderer) {
    self.renderer = renderer
  }

  /// A delivery without changes: the start of a stream, or word that some were lost.
  func empty(at place: Place, for filter: ChangeFilter, hasIncrementalChanges: Bool = true) -> [UInt8] {
    var writer = JSONWriter()
    let token = renderer.token(place, in: filter.view, location: filter.seesLocation)
    begin(&writer, token, hasIncrementalChanges)
    let lists: [StaticString] = ["inserted", "removed", "changed", "moved"]
    for name in lists {
      writer.name(name)
      writer.beginArray()
      writer.end()
    }
    return end(writer)
  }

  /// The deliveries of entries to one filter, which goes on past them; none when nothing concerns it.
  ///
  /// - Parameters:
  ///   - now: see ``ChangeFilter/effect(of:now:)``.
  ///   - creator: see ``LibraryRenderer/album(_:in:creator:)``.
  func deliveries(
    of entries: [PlacedChange], through filter: inout ChangeFilter, now: ViewByNow?, creator: ViewerKey?
  ) -> Deliveries {
    var rest = entries[...]
    var deliveries = Deliveries()
    while let first = rest.first {
      let previous = (Place(rawValue: first.place.rawValue - 1), filter)
      let details = ChangeDetails(taking: &rest, through: &filter, now: now, limit: Self.limit)
      if !details.isEmpty {
        deliveries.messages.append(
          Delivery(
            previous: previous,
            message: message(
              details,
              Eyes(
                view: filter.view, now: now?.view ?? filter.view, seesLocation: filter.seesLocation,
                creator: creator))))
      }
      if details.isLost {
        deliveries.isLost = true
        return deliveries
      }
    }
    return deliveries
  }

  /// Who is told.
  private struct Eyes {
    let view: LibraryView
    /// What it sees by now: what is told as it is, rather than as it was, is told by that.
    let now: LibraryView
    let seesLocation: Bool
    let creator: ViewerKey?
  }

  private func message(_ details: ChangeDetails, _ eyes: Eyes) -> [UInt8] {
    var writer = JSONWriter()
    begin(&writer, renderer.token(details.place, location: eyes.seesLocation), true)
    list("inserted", details.inserted, &writer) { change, writer in item(change, eyes, &writer) }
    list("removed", details.removed, &writer) { subject, writer in write(subject, &writer) }
    list("changed", details.changed, &writer) { change, writer in
      writer.beginObject()
      writer.name("id")
      write(change.subject, &writer)
      writer.name("contentChanged")
      writer.bool(change.operation.changesContent)
      namedItem(change, eyes, &writer)
      writer.end()
    }
    list("moved", details.moved, &writer) { change, writer in
      writer.beginObject()
      writer.name("id")
      write(change.subject, &writer)
      if case .asset = change.subject {
        writer.name("contentChanged")
        writer.bool(change.operation.changesContent)
      }
      writer.name("from")
      renderer.write(change.albumsBefore, in: eyes.view, to: &writer)
      writer.name("to")
      renderer.write(change.albumsAfter, in: eyes.view, to: &writer)
      namedItem(change, eyes, &writer)
      writer.end()
    }
    return end(writer)
  }

  private func list<Item>(
    _ name: StaticString, _ items: [Item], _ writer: inout JSONWriter,
    _ write: (Item, inout JSONWriter) -> Void
  ) {
    writer.name(name)
    writer.beginArray()
    for item in items {
      writer.element()
      write(item, &writer)
    }
    writer.end()
  }

  /// The public id of what a change is about.
  private func write(_ subject: Change.Subject, _ writer: inout JSONWriter) {
    switch subject {
    case .asset(let id): renderer.write(id, to: &writer)
    case .album(let id): writer.string(renderer.id(id))
    }
  }

  private func namedItem(_ change: Change, _ eyes: Eyes, _ writer: inout JSONWriter) {
    switch change.subject {
    case .asset: writer.name("asset")
    case .album: writer.name("album")
    }
    item(change, eyes, &writer)
  }

  private func item(_ change: Change, _ eyes: Eyes, _ writer: inout JSONWriter) {
    if renderer.writeAsset(change, in: eyes.view, location: eyes.seesLocation, to: &writer) { return }
    if let album = renderer.album(change, in: eyes.view, now: eyes.now, creator: eyes.creator) {
      album.write(to: &writer)
    } else {
      writer.null()
    }
  }

  private func begin(_ writer: inout JSONWriter, _ token: String, _ hasIncrementalChanges: Bool) {
    writer.beginObject()
    writer.name("parameters")
    writer.beginObject()
    writer.name("token")
    writer.string(token)
    writer.name("hasIncrementalChanges")
    writer.bool(hasIncrementalChanges)
  }

  private func end(_ writer: consuming JSONWriter) -> [UInt8] {
    writer.end()
    writer.name("continues")
    writer.bool(true)
    return writer.finish(terminator: 0)
  }
}
