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
    if fetch.isFetchedAnew { return .fetchAnew }
    guard let merge = Merge(self, changes), !leavesOpen(merge.objects) else { return .fetchAnew }
    let after = FetchResult(fetch, sorted: merge.objects, token: token)
    // What the limit cuts off is not there any more.
    let destinations = merge.destinations.map { $0.flatMap { $0 < after.count ? $0 : nil } }
    let difference = ListDifference(
      destinations: destinations, count: after.count, changed: merge.changed.filter { $0 < after.count })
    if let difference, difference.isEmpty { return .none }
    return .details(
      FetchResultChangeDetails(
        before: self, after: after, difference: difference, contentChanged: changes.contentChanged))
  }

  /// Whether a limit makes something unknown of what a change made of the list: what comes up from beyond it, or
  /// which of two equal ones it cuts off.
  private func leavesOpen(_ objects: [Object]) -> Bool {
    guard let limit = fetch.limit else { return false }
    if isFull, objects.count < limit { return true }
    return objects.count > limit && !fetch.areInOrder(objects[limit - 1], objects[limit])
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

  /// - Returns: nil where only the daemon knows whether an object is within the limit: it is as far as the last.
  init?(_ old: FetchResult<Object>, _ changes: ObjectChanges<Object>) {
    let fetch = old.fetch
    var touched = changes.latest
    var arrivals: [Object] = []
    var inPlace: [Int: Object] = [:]
    // What is sorted by what it was before keeps its place among equal ones. Of other content, it may only seem
    // equal: times are finer than those on the wire.
    for (index, object) in old.objects.enumerated() {
      guard case .some(.some(let new)) = touched[object.localIdentifier], fetch.includes(new),
        !fetch.areInOrder(object, new), !fetch.areInOrder(new, object),
        !changes.contentChanged.contains(object.localIdentifier)
      else { continue }
      inPlace[index] = new
      touched.removeValue(forKey: object.localIdentifier)
    }
    for case let object? in touched.values where fetch.includes(object) { arrivals.append(object) }
    if old.isFull, let last = old.last {
      // Beyond the last one there may be others, of which nothing is known here.
      arrivals.removeAll { fetch.areInOrder(last, $0) }
      if !arrivals.allSatisfy({ fetch.areInOrder($0, last) }) { return nil }
    }
    // Among themselves in an order that is always the same.
    arrivals.sort { one, other in
      fetch.areInOrder(one, other)
        || !fetch.areInOrder(other, one) && one.localIdentifier < other.localIdentifier
    }
    destinations = Array(repeating: nil, count: old.count)
    objects.reserveCapacity(old.count + arrivals.count)
    var placeOfArrival: [String: Int] = [:]
    var rest = arrivals[...]
    for (index, object) in old.objects.enumerated() where touched[object.localIdentifier] == nil {
      while let next = rest.first, fetch.isNew(next, before: object) {
        placeOfArrival[next.localIdentifier] = objects.count
        objects.append(rest.removeFirst())
      }
      destinations[index] = objects.count
      if let new = inPlace[index], new != object { changed.insert(objects.count) }
      objects.append(inPlace[index] ?? object)
    }
    for arrival in rest {
      placeOfArrival[arrival.localIdentifier] = objects.count
      objects.append(arrival)
    }
    for (index, object) in old.objects.enumerated() where destinations[index] == nil {
      guard let place = placeOfArrival[object.localIdentifier] else { continue }
      destinations[index] = place
      if objects[place] != object || changes.contentChanged.contains(object.localIdentifier) {
        changed.insert(place)
      }
    }
  }
}

extension PhotoFetch {
  /// Whether something that came goes before what is there. It is the youngest of equal ones.
  fileprivate func isNew(_ arrival: Object, before object: Object) -> Bool {
    ascending ? areInOrder(arrival, object) : !areInOrder(object, arrival)
  }
}
