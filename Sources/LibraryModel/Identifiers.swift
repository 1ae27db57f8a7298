/// Names an asset for life (S39). Never reused. Internal: peers see ``OpaqueIDs``.
package struct AssetID: RawRepresentable, Hashable, Comparable, Sendable {
  /// Counts up from 1.
  package let rawValue: Int64
  /// An id as stored.
  package init(rawValue: Int64) {
    self.rawValue = rawValue
  }
  /// The same number: what the number's own type says about it, which costs less than what the protocol does.
  package static func == (left: AssetID, right: AssetID) -> Bool { left.rawValue == right.rawValue }
  /// Of the number.
  package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
  /// The same for a dictionary, which asks for nothing but this.
  package func _rawHashValue(seed: Int) -> Int { hashOfIssued(rawValue, seed) }
  /// By age.
  package static func < (left: AssetID, right: AssetID) -> Bool { left.rawValue < right.rawValue }
}

/// Names a directory of the library for life. Never reused.
///
/// Positive: an album. Negative: the directory of a root, which is no album (S47).
package struct DirectoryID: RawRepresentable, Hashable, Comparable, Sendable {
  /// Counts up from 1; the negated ``RootID`` for the directory of a root.
  package let rawValue: Int64
  /// An id as stored.
  package init(rawValue: Int64) {
    self.rawValue = rawValue
  }
  /// The directory of a root.
  package init(of root: RootID) {
    rawValue = -Int64(root.rawValue)
  }
  /// Whether this is the directory of a root, and so not an album (S47).
  package var isRoot: Bool { rawValue < 0 }
  /// The same number.
  package static func == (left: DirectoryID, right: DirectoryID) -> Bool { left.rawValue == right.rawValue }
  /// Of the number.
  package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
  /// The same for a dictionary, which asks for nothing but this.
  package func _rawHashValue(seed: Int) -> Int { hashOfIssued(rawValue, seed) }
  /// By age; roots first.
  package static func < (left: DirectoryID, right: DirectoryID) -> Bool { left.rawValue < right.rawValue }
}

/// An album is a directory of the library that is not a root.
package typealias AlbumID = DirectoryID

/// Names a root of the configuration, by its path, for the life of the index.
package struct RootID: RawRepresentable, Hashable, Comparable, Sendable {
  /// Counts up from 1.
  package let rawValue: Int32
  /// An id as stored.
  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }
  /// The same number.
  package static func == (left: RootID, right: RootID) -> Bool { left.rawValue == right.rawValue }
  /// Of the number.
  package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
  /// The same for a dictionary, which asks for nothing but this.
  package func _rawHashValue(seed: Int) -> Int { hashOfIssued(rawValue, seed) }
  /// By age.
  package static func < (left: RootID, right: RootID) -> Bool { left.rawValue < right.rawValue }
}

/// A place in the change journal: how many changes there had been. What a ``ChangeToken`` carries.
package struct Place: RawRepresentable, Hashable, Comparable, Sendable {
  /// 0 before the first change.
  package let rawValue: Int64
  /// A place as stored.
  package init(rawValue: Int64) {
    self.rawValue = rawValue
  }
  /// Before the first change.
  package static let start = Place(rawValue: 0)
  /// The same number.
  package static func == (left: Place, right: Place) -> Bool { left.rawValue == right.rawValue }
  /// Of the number.
  package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
  /// The same for a dictionary, which asks for nothing but this.
  package func _rawHashValue(seed: Int) -> Int { hashOfIssued(rawValue, seed) }
  /// By time.
  package static func < (left: Place, right: Place) -> Bool { left.rawValue < right.rawValue }
}

/// Spreads numbers that the library gives out itself, one after the other: clients have them ciphered, and choose none so that
/// they collide, so no hasher need keep them from that, which takes 140 instructions. The upper half of a product depends on all
/// bits, and a dictionary looks at the lowest. Twice: after one multiplication what is copied from a dictionary into another, in the
/// order of the first, has too many neighbours there.
private func hashOfIssued(_ number: some FixedWidthInteger, _ seed: Int) -> Int {
  let product =
    (UInt64(truncatingIfNeeded: number) ^ UInt64(bitPattern: Int64(seed))) &* 0x9E37_79B9_7F4A_7C15
  return Int(truncatingIfNeeded: (product ^ product >> 32) &* 0xD134_2543_DE82_EF95 >> 32)
}
