/// What was read of one file: of which, by which version, and what it says (S50, S51).
package struct ReadFile: Hashable, Sendable {
  /// Which file it was, down to the time when anything about it changed last: nothing is read twice while all of that
  /// stays.
  package struct Version: Hashable, Sendable {
    /// The file.
    package let identity: FileIdentity
    /// Its length.
    package let byteCount: Int64
    /// When its content changed last, nanoseconds since 1970.
    package let modified: Int64
    /// When anything about it changed last.
    package let changed: Int64

    /// What the disk says.
    package init(_ facts: FileFacts) {
      self.init(
        identity: facts.identity, byteCount: facts.byteCount, modified: facts.modified, changed: facts.changed
      )
    }

    /// A file as it was.
    package init(identity: FileIdentity, byteCount: Int64, modified: Int64, changed: Int64) {
      self.identity = identity
      self.byteCount = byteCount
      self.modified = modified
      self.changed = changed
    }
  }

  /// Which file.
  package let version: Version
  /// What it says; nil when it cannot be read.
  package let description: FileDescription?

  /// What was read.
  package init(_ version: Version, _ description: FileDescription?) {
    self.version = version
    self.description = description
  }
}

/// What files say of themselves, for whoever only reads it.
package protocol DescriptionRows: AnyObject {
  /// How many assets are yet to be described.
  var undescribedCount: Int { get }
  /// How many files cannot be read.
  func unreadableCount() throws -> Int
  /// Up to `limit` assets that are yet to be described, the most recent first, after one of them.
  func undescribed(after last: AssetCursor?, limit: Int) throws -> [(id: AssetID, cursor: AssetCursor)]
  /// What was read of a file of an asset.
  func file(of asset: AssetID, _ resource: Link.Resource) throws -> ReadFile?
  /// What of a file is to be overwritten, so that it says no place (S56), as it was noted; nil where these very bytes were
  /// not looked through.
  func overwritings(of asset: AssetID, _ resource: Link.Resource, _ stamp: FileStamp) throws -> [UInt8]?
}

/// The same, for the one who writes it.
package protocol DescriptionIndex: DescriptionRows {
  /// Notes what was read of a file of an asset.
  ///
  /// - Parameter reader: the version of what has read it.
  func put(_ file: ReadFile, of asset: AssetID, _ resource: Link.Resource, reader: Int) throws
  /// Notes what of a file is to be overwritten, beside what it says, unless that was read of other bytes.
  func put(
    overwritings: [UInt8], of asset: AssetID, _ resource: Link.Resource, _ stamp: FileStamp) throws
  /// What another version could not read is yet to be described (S51).
  func tryAgain(unreadableByOthersThan reader: Int) throws
}
