package import LibraryModel

/// Of which file, as it is now, and how: what a preview is kept under. Another content is another key.
package struct PreviewKey: Hashable, Sendable {
  /// Which file.
  package let identity: FileIdentity
  /// Its length in bytes.
  package let byteCount: Int64
  /// When its content changed last, nanoseconds since 1970.
  package let modified: Int64
  /// When anything about it changed last: nobody can set that.
  package let changed: Int64
  /// The most pixels of the longer side.
  package let pixels: Int
  /// Whether the square in the middle was cut out.
  package let isSquare: Bool

  /// A key.
  package init(
    identity: FileIdentity, byteCount: Int64, modified: Int64, changed: Int64, pixels: Int, isSquare: Bool
  ) {
    self.identity = identity
    self.byteCount = byteCount
    self.modified = modified
    self.changed = changed
    self.pixels = pixels
    self.isSquare = isSquare
  }

  /// The same in a file: of one length, numbers in little-endian order.
  var bytes: [UInt8] {
    let words: [UInt64] = [
      UInt64(truncatingIfNeeded: identity.volume.rawValue), identity.inode,
      UInt64(bitPattern: identity.birthTime), UInt64(bitPattern: byteCount), UInt64(bitPattern: modified),
      UInt64(bitPattern: changed), UInt64(truncatingIfNeeded: pixels), isSquare ? 1 : 0,
    ]
    return words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) } }
  }
}
