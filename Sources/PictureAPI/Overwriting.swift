/// Bytes of a file that are to be overwritten, so that it says no place.
package struct Overwriting: Hashable, Sendable {
  /// With what.
  package enum Filling: Hashable, Sendable {
    case zeros
    /// Spaces.
    case blanks
    /// These, as many as there are to overwrite: a type, an entry of a table, a checksum.
    case bytes([UInt8])
  }

  /// Where in the file.
  package let range: Range<Int>
  /// With what it is filled.
  package let filling: Filling

  /// What a byte of the range becomes.
  package func byte(at place: Int) -> UInt8 {
    switch filling {
    case .zeros: 0
    case .blanks: UInt8(ascii: " ")
    case .bytes(let bytes): bytes[place - range.lowerBound]
    }
  }
}

extension Overwriting {
  /// A range and what it is filled with.
  package init(_ range: Range<Int>, _ filling: Filling) {
    self.range = range
    self.filling = filling
  }
}
