/// Names an asset for life (S39). Never reused. Internal: peers see ``OpaqueIDs``.
public struct AssetID: RawRepresentable, Hashable, Comparable, Sendable {
  /// Counts up from 1.
  public let rawValue: Int64
  /// An id as stored.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }
  /// By age.
  public static func < (left: AssetID, right: AssetID) -> Bool { left.rawValue < right.rawValue }
}

/// Names a directory of the library for life. Never reused.
///
/// Positive: an album. Negative: the directory of a root, which is no album (S47).
public struct DirectoryID: RawRepresentable, Hashable, Comparable, Sendable {
  /// Counts up from 1; the negated ``RootID`` for the directory of a root.
  public let rawValue: Int64
  /// An id as stored.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }
  /// The directory of a root.
  public init(of root: RootID) {
    rawValue = -Int64(root.rawValue)
  }
  /// Whether this is the directory of a root, and so not an album (S47).
  public var isRoot: Bool { rawValue < 0 }
  /// By age; roots first.
  public static func < (left: DirectoryID, right: DirectoryID) -> Bool { left.rawValue < right.rawValue }
}

/// An album is a directory of the library that is not a root.
public typealias AlbumID = DirectoryID

/// Names a root of the configuration, by its path, for the life of the index.
public struct RootID: RawRepresentable, Hashable, Comparable, Sendable {
  /// Counts up from 1.
  public let rawValue: Int32
  /// An id as stored.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }
  /// By age.
  public static func < (left: RootID, right: RootID) -> Bool { left.rawValue < right.rawValue }
}

/// A place in the change journal: how many changes there had been. What a ``ChangeToken`` carries.
public struct Place: RawRepresentable, Hashable, Comparable, Sendable {
  /// 0 before the first change.
  public let rawValue: Int64
  /// A place as stored.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }
  /// Before the first change.
  public static let start = Place(rawValue: 0)
  /// By time.
  public static func < (left: Place, right: Place) -> Bool { left.rawValue < right.rawValue }
}
