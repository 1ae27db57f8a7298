extension FetchResult {
  /// What a change makes of a result.
  enum Consequence {
    /// Nothing.
    case none
    /// Another list.
    case details(FetchResultChangeDetails<Object>)
    /// Something that only a new fetch tells: changes were lost, or the fetch has a limit and what comes
    /// up from beyond it is unknown here.
    case fetchAnew
  }

  /// What a change makes of this result. A change that is in it already makes nothing of it.
  func consequence(of changes: ObjectChanges<Object>, token: PersistentChangeToken) -> Consequence {
    guard changes.hasIncrementalChanges else { return .fetchAnew }
    if changes.isEmpty { return .none }
    let merge = Merge(self, changes)
    if isFull, merge.objects.count < fetch.limit ?? .max { return .fetchAnew }
    let after = FetchResult(fetch, sorted: merge.objects, token: token)
    // What the limit cuts off is not there any more.
    let destinations = merge.destinations.map { $0.flatMap { $0 < after.count ? $0 : nil } }
    let difference = ListDifference(
      destinations: destinations, count: after.count, changed: merge.changed.filter { $0 < after.count })
    if difference.isEmpty { return .none }
    return .details(
      FetchResultChangeDetails(
        before: self, after: after, difference: difference, contentChanged: changes.contentChanged))
  }
}

/// A list and the changed objects, in order.
private struct Merge<Object: PhotoObject> {
  /// The new list.
  private(set) var objects: [Object] = []
  /// For each place of the old list, the object's place in the new one.
  private(set) var destinations: [Int?]
  /// The places in the new list of objects that were in the old one, and are different now.
  private(set) var changed: Set<Int> = []

  init(_ old: FetchResult<Object>, _ changes: ObjectChanges<Object>) {
    let fetch = old.fetch
    let touched = changes.latest
    var arrivals = touched.values.compactMap { $0 }.filter(fetch.includes).sorted(by: fetch.areInOrder)[...]
    if old.isFull, let last = old.last {
      // Beyond the last one there may be others, of which nothing is known here.
      arrivals = arrivals.prefix { !fetch.areInOrder(last, $0) }
    }
    destinations = Array(repeating: nil, count: old.count)
    objects.reserveCapacity(old.count + arrivals.count)
    var placeOfArrival: [String: Int] = [:]
    func take(_ arrival: Object) {
      placeOfArrival[arrival.localIdentifier] = objects.count
      objects.append(arrival)
    }
    for (index, object) in old.objects.enumerated() where touched[object.localIdentifier] == nil {
      while let next = arrivals.first, fetch.areInOrder(next, object) { take(arrivals.removeFirst()) }
      destinations[index] = objects.count
      objects.append(object)
    }
    for arrival in arrivals { take(arrival) }
    for (index, object) in old.objects.enumerated() where destinations[index] == nil {
      guard let place = placeOfArrival[object.localIdentifier] else { continue }
      destinations[index] = place
      if objects[place] != object || changes.contentChanged.contains(object.localIdentifier) {
        changed.insert(place)
      }
    }
  }
}
