public import LibraryModel

/// The names under which a new file is tried, one after another: `IMG_1.jpg`, `IMG_1 (2).jpg`, … (S30).
public struct NumberedNames: Sequence, IteratorProtocol, Sendable {
  private let stem: [UInt8]
  private let suffix: [UInt8]
  private var number = 0

  /// The longest name that Linux file systems take, in bytes.
  public static let longest = 255

  /// Names after a suggestion.
  ///
  /// - Throws: ``LibraryFileError``, `invalidName`: empty, `.` or `..`, hidden, with a slash or a NUL, or
  ///   with no room for a number.
  public init(_ suggestion: FileName) throws(LibraryFileError) {
    let bytes = suggestion.bytes
    // " (99999)"
    let room = 8
    guard !bytes.isEmpty, !suggestion.isHidden, !bytes.contains(0), !bytes.contains(UInt8(ascii: "/")),
      bytes.count + room <= NumberedNames.longest
    else { throw LibraryFileError(.invalidName, subject: suggestion.description) }
    let dot = bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.count
    stem = Array(bytes[..<dot])
    suffix = Array(bytes[dot...])
  }

  /// The next name; `nil` after 99,999.
  public mutating func next() -> FileName? {
    number += 1
    guard number < 100_000 else { return nil }
    return number == 1 ? FileName(stem + suffix) : FileName(stem + Array(" (\(number))".utf8) + suffix)
  }
}
