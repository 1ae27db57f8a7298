internal import AlbumAPI

/// How a list differs after a change, as places: what moved is removed at its old one and inserted at its new one.
struct PlacesChanged: Hashable, Sendable {
  /// Places in the old list, ascending.
  var removed: [Int] = []
  /// Places in the new list, ascending.
  var inserted: [Int] = []
  /// Places in the new list, ascending, of what was in the old one and is different.
  var changed: [Int] = []

  /// Whether it is the same list.
  var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && changed.isEmpty }
}

extension AssetFetch {
  /// What an asset is sorted by; nil in the order of names, and in that of an album.
  func key(of asset: Asset) -> Int64? {
    switch options.sortKey {
    case .created: asset.created.microseconds
    case .modified: asset.modified.microseconds
    case .byteCount: asset.byteCount
    case .filename, .custom: nil
    case .added: asset.added?.microseconds
    }
  }
}

extension IdentifierList {
  /// What a change makes of it, without a look at any asset that did not change.
  ///
  /// - Parameters:
  ///   - shown: how many of it are counted. Where it has more, those that the change leaves are inserted; where it has fewer, the
  ///     places without any are removed.
  ///   - known: assets that are in memory, as they were.
  /// - Returns: nil where only the daemon knows: in the order of names, where what comes is to be put; and what a limit lets in.
  func applying(
    _ changes: ObjectChanges<Asset>, to fetch: AssetFetch, shown: Int, known: (String) -> Asset?
  ) -> (list: IdentifierList, places: PlacesChanged)? {
    let latest = changes.latest
    let places = places(of: latest.keys)
    var removed: [Int] = []
    var inPlace: [Int] = []
    var arrivals: [(id: String, key: Int64)] = []
    for (id, asset) in latest {
      var old = (places[id] ?? [])[...]
      if let asset, fetch.includes(asset) {
        if let first = old.first, !changes.contentChanged.contains(id) || keys == nil,
          staysAt(first, asset, fetch, known(id))
        {
          inPlace.append(old.removeFirst())
        } else {
          guard let key = fetch.key(of: asset) else { return nil }
          arrivals.append((id, key))
        }
      }
      removed += old
    }
    if fetch.limit != nil, !removed.isEmpty || !arrivals.isEmpty { return nil }
    // Among themselves in an order that is always the same.
    let ascending = fetch.ascending
    arrivals.sort {
      $0.key == $1.key ? $0.id < $1.id : ascending ? $0.key < $1.key : $0.key > $1.key
    }
    return merging(removed.sorted(), inPlace.sorted(), arrivals, ascending: ascending, shown: shown)
  }

  /// Whether it is sorted by the same as it was. Of other content, times may only seem equal: they are finer than on the wire.
  private func staysAt(_ place: Int, _ asset: Asset, _ fetch: AssetFetch, _ known: Asset?) -> Bool {
    guard let keys else { return known.map { $0.nameBytes == asset.nameBytes } ?? false }
    return keys[place] == fetch.key(of: asset)
  }

  private func merging(
    _ removed: [Int], _ inPlace: [Int], _ arrivals: [(id: String, key: Int64)], ascending: Bool, shown: Int
  ) -> (list: IdentifierList, places: PlacesChanged) {
    var list = IdentifierList(hasKeys: keys != nil)
    list.reserve(count - removed.count + arrivals.count)
    var change = PlacesChanged()
    change.removed = removed.filter { $0 < shown } + (count < shown ? Array(count..<shown) : [])
    // Each old place where something happens, in order: what comes before it stays as it is.
    var (gone, same, new) = (removed[...], inPlace[...], arrivals[...])
    var place = 0
    while place < count || !new.isEmpty {
      let arrival = new.first.map { max(place, self.place(before: $0.key, ascending)) } ?? count
      let next = min(arrival, gone.first ?? count, same.first ?? count, place < shown ? shown : count, count)
      if place < next {
        if place >= shown { change.inserted += list.count..<list.count + next - place }
        list.append(self, place..<next)
        place = next
      }
      if gone.first == place {
        gone.removeFirst()
        place += 1
      } else if let first = new.first, arrival == place {
        change.inserted.append(list.count)
        list.append(first.id, key: first.key)
        new.removeFirst()
      } else if same.first == place {
        same.removeFirst()
        if place < shown { change.changed.append(list.count) } else { change.inserted.append(list.count) }
        list.append(self, place..<place + 1)
        place += 1
      }
    }
    return (list, change)
  }

  /// The first place whose key what is the youngest of equal ones comes before.
  private func place(before key: Int64, _ ascending: Bool) -> Int {
    guard let keys else { return count }
    return keys.partitioningIndex { ascending ? $0 > key : $0 <= key }
  }
}

extension [Int64] {
  /// The first index for which it holds, in a list for whose end alone it does.
  func partitioningIndex(_ holds: (Int64) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
