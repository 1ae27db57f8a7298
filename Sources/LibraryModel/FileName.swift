internal import Glibc

/// A name in a directory: bytes, as Linux has them, with no encoding promised (race 16).
package struct FileName: Hashable, Comparable, Sendable {
  /// The bytes, without `/` and NUL.
  package let bytes: [UInt8]

  /// A name of these bytes.
  package init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  /// A name of these bytes, copied.
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = Array(bytes)
  }

  /// The name's UTF-8.
  package init(_ string: String) {
    bytes = Array(string.utf8)
  }

  /// Whether it starts with a dot, and so hides (S40).
  package var isHidden: Bool { bytes.first == UInt8(ascii: ".") }

  /// The bytes before the last dot; all of them without one.
  package var stem: ArraySlice<UInt8> { bytes[..<(bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.count)] }

  /// What follows the last dot; nothing without one.
  package var ending: String { String(decoding: bytes[stem.endIndex...].dropFirst(), as: UTF8.self) }

  /// This name's extension after another name's stem.
  package func withStem(of other: FileName) -> FileName { FileName(other.stem + bytes[stem.endIndex...]) }

  /// Whether it is the name of a movie that can belong to a photo: `.mov` or `.mp4`, in either case.
  package var isPairableMovie: Bool {
    guard bytes.count > 4, bytes[bytes.count - 4] == UInt8(ascii: ".") else { return false }
    let ending = (bytes[bytes.count - 3] | 0x20, bytes[bytes.count - 2] | 0x20, bytes[bytes.count - 1] | 0x20)
    return ending == (UInt8(ascii: "m"), UInt8(ascii: "o"), UInt8(ascii: "v"))
      || ending == (UInt8(ascii: "m"), UInt8(ascii: "p"), UInt8(ascii: "4"))
  }

  /// Order of the bytes, which is the index's.
  package static func < (left: FileName, right: FileName) -> Bool {
    left.bytes.withUnsafeBytes { left in
      right.bytes.withUnsafeBytes { right in compare(left, right) < 0 }
    }
  }

  /// Equal bytes.
  package static func == (left: FileName, right: FileName) -> Bool {
    left.bytes.withUnsafeBytes { left in
      right.bytes.withUnsafeBytes { right in compare(left, right) == 0 }
    }
  }

  /// Feeds all bytes at once; an array would feed them one by one.
  package func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }

  /// memcmp(3), then the length: how SQLite orders blobs.
  package static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let count = min(left.count, right.count)
    if count > 0, let leftBase = left.baseAddress, let rightBase = right.baseAddress {
      let order = memcmp(leftBase, rightBase, count)
      if order != 0 { return Int(order) }
    }
    return left.count - right.count
  }
}

extension FileName: CustomStringConvertible {
  /// The text if the bytes are UTF-8, else the percent-encoded form.
  package var description: String { display.text }

  /// What a peer is told: the name as text, and whether that text is percent-encoded.
  ///
  /// Only names that are not UTF-8 are encoded; in those `%` is encoded as well, so nothing is lost.
  package var display: (text: String, isEncoded: Bool) {
    if let text = try? UTF8Span(validating: bytes.span) { return (String(copying: text), false) }
    var text = ""
    text.reserveCapacity(bytes.count * 3)
    for byte in bytes {
      if (0x20..<0x7f).contains(byte), byte != UInt8(ascii: "%") {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text +=
          "%" + String(byte >> 4, radix: 16, uppercase: true) + String(byte & 15, radix: 16, uppercase: true)
      }
    }
    return (text, true)
  }
}

/// The value of one hexadecimal digit.
func hexadecimalValue(_ digit: UInt8) -> UInt8? {
  switch digit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
  default: nil
  }
}

/// A name in a directory of the library.
package struct Location: Hashable, Comparable, Sendable {
  /// The directory.
  package var directory: DirectoryID
  /// The name in it.
  package var name: FileName

  /// A name in a directory.
  package init(_ directory: DirectoryID, _ name: FileName) {
    self.directory = directory
    self.name = name
  }

  /// By directory, then by name.
  package static func < (left: Location, right: Location) -> Bool {
    left.directory == right.directory ? left.name < right.name : left.directory < right.directory
  }
}
