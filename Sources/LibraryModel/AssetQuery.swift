/// Which assets a page shows, and in which order.
package struct AssetQuery: Hashable, Sendable {
  /// Assets that are named, or in one of the albums: a limited app's selection (S17), or a filter.
  package struct Membership: Hashable, Sendable {
    /// These.
    package var ids: [AssetID]
    /// And what is in these.
    package var albums: [AlbumID]

    /// The union of both.
    package init(ids: [AssetID] = [], albums: [AlbumID] = []) {
      self.ids = ids
      self.albums = albums
    }
  }

  /// The order of a page. Equal ones are ordered by age in the library.
  package enum Order: UInt8, Hashable, Sendable {
    /// By age in the library.
    case age
    /// By ``Asset/created``.
    case created
    /// By ``Asset/modified``.
    case modified
    /// By the bytes of the file name.
    case filename
    /// By length.
    case byteCount
    /// By ``Asset/arrived``.
    case added
    /// As people have put what is in ``AssetQuery/orderedAlbum`` (S103); what has no place in that by ``Asset/created``, after all
    /// others.
    case custom
  }

  /// An asset must be in each of these.
  package var memberships: [Membership] = []
  /// An asset with a link in any of these is left out (S19).
  package var excludedAlbums: [AlbumID] = []
  /// Only these kinds; all when empty.
  package var mediaTypes: Set<MediaType> = []
  /// Created at or after, nanoseconds since 1970.
  package var createdAfter: Int64?
  /// Created before, nanoseconds since 1970.
  package var createdBefore: Int64?
  /// Any of these; all when empty.
  package var subtypes: PictureSubtypes = []
  /// Taken in here.
  package var boundingBox: BoundingBox?
  /// Any of these; all when empty.
  package var contentHashes: [ContentHash] = []
  /// The file name contains this, in either case of ASCII letters.
  package var nameContains: String?
  /// This holds.
  package var filter: AssetFilter?
  /// Only favourites, or only others (S90).
  package var isFavorite: Bool?
  /// Hidden ones as well (S91).
  package var includesHidden = false
  /// Only hidden ones, where they are included.
  package var onlyHidden = false
  /// The order.
  package var order = Order.age
  /// The other way round.
  package var descending = false
  /// Whose order ``Order/custom`` is.
  package var orderedAlbum: AlbumID?

  /// Everything, oldest in the library first.
  package init() {}

  /// Whether it shows every asset, but for hidden ones.
  package var isUnfiltered: Bool {
    memberships.isEmpty && excludedAlbums.isEmpty && mediaTypes.isEmpty && createdAfter == nil
      && createdBefore == nil && nameContains == nil && subtypes.isEmpty && boundingBox == nil
      && filter == nil && contentHashes.isEmpty && isFavorite == nil && !onlyHidden
  }

  /// Whether its pages, and how many match, are found without a look at more than some assets, however large the library: all of it
  /// in the order of an index, or a few that are named.
  package var isShort: Bool {
    if isUnfiltered { return order == .age || order == .created || order == .modified || order == .added }
    // What albums hold, and what descriptions say, is looked up for all of them before the first is found.
    return order != .custom && !memberships.isEmpty && memberships.allSatisfy(\.albums.isEmpty)
      && memberships.reduce(0) { $0 + $1.ids.count } <= Self.fewNamed
      && excludedAlbums.isEmpty && subtypes.isEmpty && boundingBox == nil && filter == nil
      && contentHashes.isEmpty
  }

  /// So many that are named are looked up in two milliseconds.
  package static let fewNamed = 1000
}

/// A part of the earth between two parallels and two meridians (S59).
package struct BoundingBox: Hashable, Sendable {
  /// Degrees north.
  package let south, north: Double
  /// Degrees east; one that lies over the antimeridian has its west east of its east.
  package let west, east: Double

  /// A part; nil where it is none of the earth.
  package init?(south: Double, west: Double, north: Double, east: Double) {
    guard (-90...90).contains(south), (-90...90).contains(north), south <= north,
      (-180...180).contains(west), (-180...180).contains(east)
    else { return nil }
    (self.south, self.west, self.north, self.east) = (south, west, north, east)
  }
}

/// Where a page ended: the next begins after it, whatever was added or removed meanwhile.
package struct AssetCursor: Hashable, Sendable {
  /// What the last asset was ordered by.
  package enum Key: Hashable, Sendable {
    /// A time or a length; 0 in the order of age.
    case number(Int64)
    /// A file name.
    case name(FileName)
    /// A place in an album's order, the last possible of what has none, and when it was created.
    case place(Int64, created: Int64)
  }

  /// What it was ordered by.
  package var key: Key
  /// Which it was.
  package var id: AssetID

  /// A cursor.
  package init(key: Key, id: AssetID) {
    self.key = key
    self.id = id
  }

  /// Before all that was created then or later; of a page from the newest on, all that was created then or before.
  package init(from created: Int64, descending: Bool) {
    self.init(key: .number(created), id: AssetID(rawValue: descending ? .max : .min))
  }
}

extension OpaqueIDs {
  /// A cursor as a peer sees it: the internal id in it is hidden like any other.
  package func encode(_ cursor: AssetCursor) -> String {
    switch cursor.key {
    case .number(let number): encode(cursor.id) + "n" + HexadecimalDigits(UInt64(bitPattern: number)).text
    case .name(let name):
      encode(cursor.id) + "f" + name.bytes.map { HexadecimalDigits(UInt64($0)).text.suffix(2) }.joined()
    case .place(let position, let created):
      encode(cursor.id) + "p" + encodePosition(position, of: cursor.id)
        + HexadecimalDigits(UInt64(bitPattern: created)).text
    }
  }

  /// A cursor that a peer gives back; `nil` for what was made up.
  package func cursor(_ text: String) -> AssetCursor? {
    guard text.utf8.count > 16, let id = asset(String(text.prefix(16))) else { return nil }
    let rest = text.utf8.dropFirst(17)
    let digits = rest.compactMap(hexadecimalValue)
    guard digits.count == rest.count, digits.count.isMultiple(of: 2) else { return nil }
    let bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
    switch text.utf8.dropFirst(16).first {
    case UInt8(ascii: "n") where bytes.count == 8:
      return AssetCursor(
        key: .number(Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })), id: id)
    case UInt8(ascii: "f"): return AssetCursor(key: .name(FileName(bytes)), id: id)
    case UInt8(ascii: "p") where bytes.count == 24:
      let position = position(salt: number(0..<8), number(8..<16), of: id)
      return AssetCursor(key: .place(position, created: Int64(bitPattern: number(16..<24))), id: id)
    default: return nil
    }
  }
}

/// One page of assets, and the state of the library that it shows (S27).
package struct AssetPage: Sendable {
  /// The assets.
  package var assets: [Asset]
  /// Where the next page begins; `nil` when this is the last.
  package var next: AssetCursor?
  /// The place in the journal whose state this is: a subscription from here misses nothing.
  package var place: Place

  /// A page.
  package init(assets: [Asset], next: AssetCursor?, place: Place) {
    self.assets = assets
    self.next = next
    self.place = place
  }
}
