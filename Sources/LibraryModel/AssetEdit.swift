/// Whether what an asset was before it was edited is kept, and whether what was done to it is known (S94).
package enum EditState: UInt8, Hashable, Sendable {
  /// It was never edited so that it could be undone.
  case none = 0
  /// The original is kept. Another program has changed the asset since: the adjustment that is known describes something
  /// else.
  case changedSince = 1
  /// The original is kept, and the adjustment that led from it to what the asset is now.
  case adjusted = 2

  /// Whether the original is kept.
  package var hasOriginal: Bool { self != .none }
}

/// Which content a file has, as far as its file system says.
package struct ContentStamp: Hashable, Sendable {
  /// Which file it is.
  package let identity: FileIdentity
  /// Its length in bytes.
  package let byteCount: Int64
  /// When its content changed last. Nanoseconds since 1970.
  package let modified: Int64

  /// A stamp.
  package init(identity: FileIdentity, byteCount: Int64, modified: Int64) {
    self.identity = identity
    self.byteCount = byteCount
    self.modified = modified
  }

  /// That of a file as it is.
  package init(_ facts: FileFacts) {
    self.init(identity: facts.identity, byteCount: facts.byteCount, modified: facts.modified)
  }

  /// That of an asset's file.
  package init(_ asset: Asset) {
    self.init(identity: asset.identity, byteCount: asset.byteCount, modified: asset.modified)
  }

  /// Whether what is found later is the same content of the same file, where its number may be another by now: FAT and exFAT
  /// number files anew with every mount. Then its birth, length and times say so (docs/decisions/0133-kept-by-name.md).
  package func isSame(as found: ContentStamp) -> Bool {
    if found == self { return true }
    guard found.identity != identity, found.identity.volume == identity.volume, found.byteCount == byteCount
    else { return false }
    let shift = found.modified.subtractingReportingOverflow(modified)
    let birthShift = found.identity.birthTime.subtractingReportingOverflow(identity.birthTime)
    // FAT keeps what clocks show: in another zone, or in summer, all its times are others by as much.
    return !shift.overflow && shift.partialValue.isMultiple(of: Self.zoneStep)
      && shift.partialValue.magnitude <= Self.mostBetweenZones.magnitude
      && (!birthShift.overflow && birthShift.partialValue == shift.partialValue
        || identity.birthTime == 0 && found.identity.birthTime == 0)
  }

  /// What zones differ by is a multiple of this: a quarter of an hour. Nanoseconds.
  private static let zoneStep: Int64 = 900_000_000_000
  /// The most that two differ by: 26 hours. Nanoseconds.
  private static let mostBetweenZones: Int64 = 26 * 3_600_000_000_000
}

/// What was done to an asset, in a program's own words: opaque bytes, and who understands them.
package struct Adjustment: Hashable, Sendable {
  /// Whose format the data is in, such as `org.example.Editor`.
  package let formatIdentifier: String
  /// Which version of it.
  package let formatVersion: String
  /// What was done.
  package let data: [UInt8]
  /// Whether who wrote it could learn where the photo was taken, or who wrote what was done to it before: then the data may
  /// tell it, and nobody learns it who may not (S95).
  package let mayTellPlace: Bool

  /// The most bytes of a format's name.
  package static let longestIdentifier = 255
  /// The most bytes of a version.
  package static let longestVersion = 64
  /// The most bytes of data: twice as many, as base64, are more than a message may have.
  package static let mostBytes = 1 << 19

  /// One that was written before.
  package init(formatIdentifier: String, formatVersion: String, data: [UInt8], mayTellPlace: Bool) {
    self.formatIdentifier = formatIdentifier
    self.formatVersion = formatVersion
    self.data = data
    self.mayTellPlace = mayTellPlace
  }

  /// Whether a text can name a format: as an app's id, not too long, without what controls a terminal.
  package static func isIdentifier(_ text: String) -> Bool { isWord(text, atMost: longestIdentifier) }

  /// Whether a text can name a version.
  package static func isVersion(_ text: String) -> Bool { isWord(text, atMost: longestVersion) }

  private static func isWord(_ text: String, atMost limit: Int) -> Bool {
    (1...limit).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

/// An asset that was edited, with what it was before (S94). The file of that rests in the hidden directory of its file
/// system, as one that was deleted does, under the name with the number 0.
package struct AssetEdit: Hashable, Sendable {
  /// The asset.
  package let asset: AssetID
  /// Under which name the original rests.
  package let key: HiddenKey
  /// The root that it is beneath.
  package let root: RootID
  /// The directory that holds the hidden one.
  package let place: DirectoryID
  /// What the asset was, by one name: where it was then.
  package let original: Original
  /// What the adjustment has led to.
  package var content: ContentStamp

  /// What an asset was before it was edited.
  package struct Original: Hashable, Sendable {
    /// Which file it is.
    package let stamp: ContentStamp
    /// When it came to be. Nanoseconds since 1970.
    package let created: Int64
    /// What it is.
    package let mediaType: MediaType
    /// Where it was.
    package let location: Location

    /// An original.
    package init(stamp: ContentStamp, created: Int64, mediaType: MediaType, location: Location) {
      self.stamp = stamp
      self.created = created
      self.mediaType = mediaType
      self.location = location
    }

    /// An asset as it is before it is edited.
    package init(_ asset: Asset) {
      self.init(
        stamp: ContentStamp(asset), created: asset.fileCreated, mediaType: asset.mediaType,
        location: asset.primary)
    }
  }

  /// An edit.
  package init(
    asset: AssetID, key: HiddenKey, root: RootID, place: DirectoryID, original: Original,
    content: ContentStamp
  ) {
    self.asset = asset
    self.key = key
    self.root = root
    self.place = place
    self.original = original
    self.content = content
  }

  /// What that makes of an asset whose file has this content.
  package func state(of present: ContentStamp) -> EditState {
    content.isSame(as: present) ? .adjusted : .changedSince
  }

  /// The original as something that was deleted, of its own: it can be restored beside what became of it.
  ///
  /// - Parameters:
  ///   - id: the one that it gets.
  ///   - location: where it is restored to; where it was when nil.
  ///   - time: seconds since 1970.
  package func deleted(as id: AssetID, from location: Location? = nil, by app: String?, at time: Int64)
    -> DeletedAsset
  {
    let asset = Asset(
      id: id, mediaType: original.mediaType, identity: original.stamp.identity,
      byteCount: original.stamp.byteCount, created: original.created, modified: original.stamp.modified,
      primary: location ?? original.location)
    return DeletedAsset(
      key: key, state: .deleted, asset: asset, root: root, place: place, deleted: time, app: app)
  }
}

/// What was edited, for whoever only reads it.
package protocol EditRows: AnyObject {
  /// What an asset was, if that is kept.
  func edit(of asset: AssetID) throws -> AssetEdit?
  /// Which asset's original rests under that name.
  func asset(ofOriginal key: HiddenKey) throws -> AssetID?
  /// What was done to it, whatever happened since; also what is going to be, by the id of what was written down about
  /// that.
  func adjustment(of asset: AssetID) throws -> Adjustment?
  /// Whether there is one, without reading it.
  func hasAdjustment(of asset: AssetID) throws -> Bool
  /// Up to `limit` edits after one, in the order of their assets; `isLost` of those whose assets are neither there nor
  /// deleted.
  func edits(after asset: AssetID?, limit: Int) throws -> [(edit: AssetEdit, isLost: Bool)]
}

/// The same, for the one who writes it.
package protocol EditIndex: EditRows {
  /// Adds or changes one.
  func put(_ edit: AssetEdit) throws
  /// Notes what is done to an asset, or is going to be.
  func put(_ adjustment: Adjustment, of asset: AssetID) throws
  /// What was going to be done is done: it is that of the asset, instead of any before, and may tell a place where that might.
  func moveAdjustment(of record: AssetID, to asset: AssetID) throws
  /// Forgets what an asset was, and what was done to it.
  func remove(_ asset: AssetID) throws
}
