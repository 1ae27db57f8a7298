internal import Glibc

// What peers send is bytes. Swift compares and hashes text by canonical equivalence: two different names may be equal,
// and finding that out takes time that grows with the square of their combining marks.

extension String {
  /// Whether two texts are the same bytes.
  func isSame(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let same = utf8.withContiguousStorageIfAvailable { mine in
      other.utf8.withContiguousStorageIfAvailable { theirs in
        guard let one = mine.baseAddress, let other = theirs.baseAddress else { return true }
        return memcmp(one, other, mine.count) == 0
      }
    }
    // Only text from elsewhere than Swift is not in one piece.
    return (same ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// Mixes the bytes into a hash.
  func hashBytes(into hasher: inout Hasher) {
    if utf8.withContiguousStorageIfAvailable({ hasher.combine(bytes: UnsafeRawBufferPointer($0)) }) == nil {
      for byte in utf8 { hasher.combine(byte) }
    }
  }
}

/// A text that is a key by its bytes.
package struct ByteKey: Hashable, Sendable {
  let text: String

  /// The bytes of this text.
  package init(_ text: String) {
    self.text = text
  }

  package static func == (one: ByteKey, other: ByteKey) -> Bool { one.text.isSame(as: other.text) }
  package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}
