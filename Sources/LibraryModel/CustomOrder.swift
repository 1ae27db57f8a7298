/// An asset that was given a place in the order of an album.
package struct OrderedAsset: Hashable, Sendable {
  /// Which.
  package let id: AssetID
  /// Where: those with smaller numbers come before it.
  package let position: Int64

  /// One at a place.
  package init(id: AssetID, position: Int64) {
    self.id = id
    self.position = position
  }
}

/// The order in which people have put what is in albums, for whoever only reads it (S103).
package protocol CustomOrderRows: AnyObject {
  /// Where an asset is in an album's order; nil where it was given no place.
  func position(of asset: AssetID, in album: AlbumID) throws -> Int64?
  /// Up to `limit` that come before a position, the last of them first.
  func placed(in album: AlbumID, before position: Int64, limit: Int) throws -> [OrderedAsset]
  /// Up to `limit` that are at a position or after it, in order.
  func placed(in album: AlbumID, from position: Int64, limit: Int) throws -> [OrderedAsset]
  /// Whether anything in an album may have a place.
  func mayOrder(_ album: AlbumID) throws -> Bool
  /// What the app sees that has made an album, where that sees a part of the library.
  func limitedCreatorView(of album: AlbumID) throws -> LibraryView?
}

/// The same, for the one who writes it.
package protocol CustomOrderIndex: CustomOrderRows {
  /// Gives an asset a place in an album's order, or none.
  func setPosition(_ position: Int64?, of asset: AssetID, in album: AlbumID) throws
}

/// The order in which people have put what is in albums (docs/decisions/0121-custom-order.md).
///
/// A place is a number, with room between it and the next. Where there is none left, some around it are given others, as many as
/// it takes. What was given no place comes after all that have one; whoever is to be put before such a one, or at the end, needs
/// those before it to have places: ``place(_:in:tells:)`` gives them, in slices that change nothing of what is shown.
package final class CustomOrder {
  /// The room beside what is put at the end. So much that it is halved twenty times before there is none, and that the end is
  /// never reached.
  package static let gap: Int64 = 1 << 20
  /// So many on either side are given other places at first; then twice as many, and so on.
  static let firstWindow = 32
  /// So many of an album are looked through to find out whether a limited app sees another order; else it is told.
  static let mostCompared = 256

  private let index: (any CustomOrderIndex)?
  private let files: any FileRows
  private let directories: Directories
  private let context: LibrarianContext
  private let gap: Int64

  init(
    _ index: (any CustomOrderIndex)?, _ files: any FileRows, _ directories: Directories,
    _ context: LibrarianContext, gap: Int64 = CustomOrder.gap
  ) {
    self.gap = gap
    self.index = index
    self.files = files
    self.directories = directories
    self.context = context
  }

  /// Gives assets of an album places after all that have one; those that have one keep it.
  ///
  /// - Parameters:
  ///   - assets: in the order in which those without a place are shown, from the first of them on.
  ///   - tells: whether that may be another order than was shown: something has happened since it was read.
  package func place(_ assets: [AssetID], in album: AlbumID, tells: Bool) throws {
    guard let index else { return }
    var last = try index.placed(in: album, before: .max, limit: 1).first?.position ?? 0
    var placed: [AssetID] = []
    for id in assets where try index.position(of: id, in: album) == nil && isIn(id, album) {
      last += gap
      try index.setPosition(last, of: id, in: album)
      placed.append(id)
    }
    guard tells, !placed.isEmpty else { return }
    let view = try index.limitedCreatorView(of: album)
    try context.tell(of: directories.album(album), alsoCreator: placed.contains { try sees($0, view) })
  }

  /// Puts assets of an album before another, or at the end.
  ///
  /// - Parameters:
  ///   - assets: those that are in the album are put there, each once.
  ///   - other: none of them, with a place.
  /// - Returns: false where that has no place, or no more: then nothing was done.
  package func move(_ assets: [AssetID], in album: AlbumID, before other: AssetID?) throws -> Bool {
    guard let index else { return false }
    var end = Int64.max
    if let other {
      guard let position = try index.position(of: other, in: album), !assets.contains(other) else {
        return false
      }
      end = position
    }
    let moved = try assets.filter { try isIn($0, album) }
    let former = try moved.map { try index.position(of: $0, in: album) }
    guard !moved.isEmpty, try !isThere(moved, former, before: other, in: album) else { return true }
    let isToldToCreator = try isOtherwiseForCreator(moved, former, before: end, in: album)
    for (id, position) in zip(moved, former) where position != nil {
      try index.setPosition(nil, of: id, in: album)
    }
    let positions = try room(for: moved.count, before: other == nil ? nil : end, in: album)
    for (id, position) in zip(moved, positions) { try index.setPosition(position, of: id, in: album) }
    try context.tell(of: directories.album(album), alsoCreator: isToldToCreator)
    return true
  }

  /// An asset has changed, come or gone: what leaves an album has no place in it any more.
  func changed(_ before: Asset?, _ after: Asset?) throws {
    guard let index, let before else { return }
    for album in before.albums where try !(after?.albums.contains(album) ?? false) && index.mayOrder(album) {
      try index.setPosition(nil, of: before.id, in: album)
    }
  }

  /// Where an asset is in the orders of the albums that it is in.
  func places(of asset: Asset) throws -> [AlbumID: Int64] {
    var places: [AlbumID: Int64] = [:]
    for album in asset.albums {
      if let index, try index.mayOrder(album) { places[album] = try index.position(of: asset.id, in: album) }
    }
    return places
  }

  /// An asset is back that was gone for a moment only, as where it is saved by removing and making anew (S39): it is where it was.
  func restore(_ places: [AlbumID: Int64], of asset: Asset) throws {
    guard let index else { return }
    for (album, position) in places where asset.albums.contains(album) {
      if try index.position(of: asset.id, in: album) == nil {
        try index.setPosition(position, of: asset.id, in: album)
      }
    }
  }

  private func isIn(_ id: AssetID, _ album: AlbumID) throws -> Bool {
    try files.asset(id)?.albums.contains(album) ?? false
  }

  /// Whether assets are where they are to be put already.
  private func isThere(
    _ moved: [AssetID], _ former: [Int64?], before other: AssetID?, in album: AlbumID
  ) throws -> Bool {
    guard let index, let first = former.first ?? nil else { return false }
    let there = try index.placed(in: album, from: first, limit: moved.count + 1).map(\.id)
    return there == moved + (other.map { [$0] } ?? [])
  }
}

// What a limited app sees of it: the order of what it sees, and nothing of what is between (S16).
extension CustomOrder {
  private func sees(_ id: AssetID, _ view: LibraryView?) throws -> Bool {
    guard let view, let asset = try files.asset(id) else { return false }
    return view.sees(asset)
  }

  /// Whether the limited app that has made an album sees another order of it when these are put there.
  ///
  /// - Parameter former: where they are.
  private func isOtherwiseForCreator(
    _ moved: [AssetID], _ former: [Int64?], before end: Int64, in album: AlbumID
  ) throws -> Bool {
    guard let index, let view = try index.limitedCreatorView(of: album) else { return false }
    let seen = try zip(moved, former).filter { try sees($0.0, view) }.map(\.1)
    if seen.isEmpty { return false }
    let positions = seen.compactMap(\.self)
    guard positions.count == seen.count, positions == positions.sorted() else { return true }
    let (from, to) = (min(positions[0], end), max(positions[positions.count - 1], end))
    let between = try index.placed(in: album, from: from, limit: Self.mostCompared + 1)
    for one in between where one.position < to && !moved.contains(one.id) {
      if try sees(one.id, view) { return true }
    }
    return between.count > Self.mostCompared && between[Self.mostCompared].position < to
  }
}

// Room between places.
extension CustomOrder {
  /// So many places right before one, or at the end.
  private func room(for count: Int, before end: Int64?, in album: AlbumID) throws -> [Int64] {
    guard let index else { return [] }
    let last = try index.placed(in: album, before: end ?? .max, limit: 1).first?.position
    if let free = positions(count, after: last, before: end, step: 1) { return free }
    var side = Self.firstWindow
    while true {
      let before = try index.placed(in: album, before: end ?? .max, limit: side + 1)
      let after = try end.map { try index.placed(in: album, from: $0, limit: side + 1) } ?? []
      let (left, right) = (before.prefix(side).reversed().map(\.id), after.prefix(side).map(\.id))
      let all = positions(
        left.count + count + right.count, after: before.count > side ? before[side].position : nil,
        before: after.count > side ? after[side].position : nil, step: max(1, gap >> 12))
      guard let all else {
        // Of a whole album there always is.
        side *= 2
        continue
      }
      for (id, position) in zip(left, all) { try index.setPosition(position, of: id, in: album) }
      for (id, position) in zip(right, all.suffix(right.count)) {
        try index.setPosition(position, of: id, in: album)
      }
      return Array(all[left.count..<left.count + count])
    }
  }

  /// So many places between two, as far from each other as can be; nil where they would be nearer than that.
  private func positions(
    _ count: Int, after low: Int64?, before high: Int64?, step smallest: Int64
  ) -> [Int64]? {
    let numbers = 1...Int64(count)
    guard let high else { return numbers.map { (low ?? 0) + $0 * gap } }
    guard let low else { return numbers.map { high - (Int64(count) + 1 - $0) * gap } }
    let step = (high - low) / (Int64(count) + 1)
    return step < smallest ? nil : numbers.map { low + $0 * step }
  }
}
