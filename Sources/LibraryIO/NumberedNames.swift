internal import Glibc
package import LibraryModel
internal import Linux

/// The names under which something new is tried, one after another: `IMG_1.jpg`, `IMG_1 (2).jpg`, … (S30).
package struct NumberedNames: Sequence, IteratorProtocol, Sendable {
  private let stem: [UInt8]
  private let suffix: [UInt8]
  private var number = 0

  /// The longest name that Linux file systems take, in bytes.
  package static let longest = 255

  /// Names after a suggestion.
  ///
  /// - Throws: ``LibraryFileError``, `invalidName`: empty, `.` or `..`, hidden, with a slash or a control character,
  ///   or with no room for a number.
  package init(_ suggestion: FileName) throws(LibraryFileError) {
    // " (99999)"
    let room = 8
    guard suggestion.bytes.count + room <= NumberedNames.longest, !suggestion.hasControls else {
      throw LibraryFileError(.invalidName, subject: suggestion.description)
    }
    try self.init(present: suggestion)
  }

  /// Names after one that a file has already. A long one is cut where a number needs the room.
  ///
  /// - Throws: ``LibraryFileError``, `invalidName`: it can be no file's.
  package init(present name: FileName) throws(LibraryFileError) {
    try NumberedNames.check(name)
    let dot = name.bytes.lastIndex(of: UInt8(ascii: ".")) ?? name.bytes.count
    stem = Array(name.bytes[..<dot])
    suffix = Array(name.bytes[dot...])
  }

  /// Names after the title of an album: the number comes last, and a dot in it begins no extension.
  ///
  /// - Throws: ``LibraryFileError``, `invalidName`: empty, hidden, with a slash or a control character, longer than
  ///   255 bytes, or no album's.
  package init(title: FileName) throws(LibraryFileError) {
    try NumberedNames.check(title)
    guard title.countsAsAlbum, !title.hasControls else {
      throw LibraryFileError(.invalidName, subject: title.description)
    }
    stem = title.bytes
    suffix = []
  }

  private static func check(_ name: FileName) throws(LibraryFileError) {
    let bytes = name.bytes
    guard !bytes.isEmpty, !name.isHidden, !bytes.contains(0), !bytes.contains(UInt8(ascii: "/")),
      bytes.count <= longest
    else { throw LibraryFileError(.invalidName, subject: name.description) }
  }

  /// What they come after.
  var suggestion: FileName { name(1) }

  /// The greatest number that a name gets.
  private static let last = 99_999

  /// The next name; `nil` after 99,999.
  package mutating func next() -> FileName? {
    number += 1
    return number <= Self.last ? name(number) : nil
  }

  private func name(_ number: Int) -> FileName {
    if number == 1 { return FileName(stem + suffix) }
    let end = Array(" (\(number))".utf8) + suffix
    return FileName(stem.prefix(whole: NumberedNames.longest - end.count) + end)
  }

  /// A name that is free: the first, or the one after a taken one, found in steps that double. The thousandth
  /// file of a name costs twenty looks, not a thousand.
  ///
  /// - Returns: `nil` when the last is taken.
  func free(_ isFree: (FileName) throws -> Bool) rethrows -> FileName? {
    if try isFree(name(1)) { return name(1) }
    var (taken, free) = (1, 2)
    while try !isFree(name(free)) {
      guard free < Self.last else { return nil }
      (taken, free) = (free, Swift.min(free * 2, Self.last))
    }
    while free - taken > 1 {
      let middle = (taken + free) / 2
      if try isFree(name(middle)) { free = middle } else { taken = middle }
    }
    return name(free)
  }

  /// Gives `put` one name after the other until one is free.
  ///
  /// - Parameter call: the system call behind it, which answers EEXIST to a name that is taken.
  func claim(
    _ call: StaticString, _ subject: String, _ put: (UnsafePointer<CChar>, FileName) -> CInt
  ) throws(LibraryFileError) -> FileName {
    for name in self {
      if withName(name, { put($0, name) }) == 0 { return name }
      if errno != EEXIST { throw LibraryFileError(call, subject) }
    }
    throw LibraryFileError(.invalidName, subject: subject, cause: SystemError(call, code: EEXIST))
  }
}

extension FileName {
  /// Whether a control character is in it (C0, DEL, and C1 in UTF-8): nobody names a photo so but to do something to
  /// the terminal, the list or the script of who reads it. What is in the library under such a name stays (race 16).
  fileprivate var hasControls: Bool {
    bytes.contains { $0 < 0x20 || $0 == 0x7F }
      || zip(bytes, bytes.dropFirst()).contains { $0 == 0xC2 && (0x80..<0xA0).contains($1) }
  }
}

extension [UInt8] {
  /// The first `count` bytes, or fewer so that no UTF-8 sequence is cut.
  fileprivate func prefix(whole count: Int) -> [UInt8] {
    guard self.count > count else { return self }
    var end = Swift.max(0, count)
    while end > 0, self[end] & 0xC0 == 0x80 { end -= 1 }
    return Array(prefix(end))
  }
}
