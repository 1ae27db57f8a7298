/// A key file as GLib reads one (GKeyFile): groups in brackets, `key=value`, comments; lines end at a line feed alone.
///
/// Bytes, not text: what looks like the end of a line to Unicode is part of a value to those who write such files, and
/// a mark that joins the bracket before it hides no group. It is stricter than GLib in what nobody writes: a group or
/// a key that stands twice, of which GLib takes the last, is refused, and so is what is not UTF-8.
package struct KeyFile: Hashable, Sendable {
  /// Why a file is none.
  package struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, quoting nothing.
    package let description: String
  }

  /// Bytes of a file.
  package static let longest = 65536

  private var groups: [[UInt8]: [[UInt8]: [UInt8]]] = [:]
  private var first: [UInt8]?
  private var current: [UInt8]?

  /// Reads a whole file.
  package init(_ bytes: [UInt8]) throws(Malformed) {
    guard bytes.count <= Self.longest else {
      throw Malformed(description: "it has over \(Self.longest) bytes")
    }
    guard !bytes.contains(0) else { throw Malformed(description: "it has a NUL") }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Malformed(description: "it is not UTF-8")
    }
    var rest = bytes[...]
    while let end = rest.firstIndex(of: .lineFeed) {
      let line = rest[..<end]
      try read(line.last == .carriageReturn ? line.dropLast() : line)
      rest = rest[(end + 1)...]
    }
    // GLib takes a carriage return away before a line feed only.
    try read(rest)
  }

  /// The value of a key, as it stands there: escapes are not resolved.
  package func value(_ key: String, in group: String) -> [UInt8]? {
    groups[Array(group.utf8)]?[Array(key.utf8)]
  }

  private mutating func read(_ line: ArraySlice<UInt8>) throws(Malformed) {
    let line = line.drop { $0.isKeyFileSpace }
    guard let start = line.first, start != UInt8(ascii: "#") else { return }
    if let name = groupName(line) {
      try begin(name)
    } else if let sign = line.firstIndex(of: UInt8(ascii: "=")), sign > line.startIndex {
      let value = line[(sign + 1)...].drop { $0.isKeyFileSpace }
      try add(Array(line[..<sign].droppingTrailingSpace), Array(value))
    } else {
      throw Malformed(description: "a line is neither a group nor a key nor a comment")
    }
  }

  /// What is between a bracket that begins the line and the next one that closes, if but blanks follow.
  private func groupName(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard line.first == UInt8(ascii: "["), let end = line.firstIndex(of: UInt8(ascii: "]")),
      line[(end + 1)...].allSatisfy({ $0 == .space || $0 == .tab })
    else { return nil }
    return line[(line.startIndex + 1)..<end]
  }

  private mutating func begin(_ name: ArraySlice<UInt8>) throws(Malformed) {
    guard !name.isEmpty, name.allSatisfy({ $0 >= .space && $0 != .delete && $0 != UInt8(ascii: "[") }) else {
      throw Malformed(description: "a group has no valid name")
    }
    let name = Array(name)
    guard groups[name] == nil else { throw Malformed(description: "a group stands twice") }
    groups[name] = [:]
    if first == nil { first = name }
    current = name
  }

  private mutating func add(_ key: [UInt8], _ value: [UInt8]) throws(Malformed) {
    guard let current else { throw Malformed(description: "a key stands before every group") }
    guard Self.isKey(key) else { throw Malformed(description: "a key has no valid name") }
    if current == first, key == Array("Encoding".utf8) {
      guard String(decoding: value, as: UTF8.self).lowercased() == "utf-8" else {
        throw Malformed(description: "its encoding is another than UTF-8")
      }
    }
    guard groups[current]?.updateValue(value, forKey: key) == nil else {
      throw Malformed(description: "a key stands twice")
    }
  }

  /// A name without brackets that neither begins nor ends with a blank, and perhaps a locale in brackets after it.
  private static func isKey(_ key: [UInt8]) -> Bool {
    let name = key.prefix { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") }
    guard let first = name.first, first != .space, name.last != .space else { return false }
    if name.count == key.count { return true }
    guard key[name.endIndex] == UInt8(ascii: "["), key.last == UInt8(ascii: "]") else { return false }
    let locale = String(decoding: key[(name.endIndex + 1)..<(key.endIndex - 1)], as: UTF8.self)
    return key.endIndex - 1 > name.endIndex
      && locale.unicodeScalars.allSatisfy { $0.isAlphanumeric || "-_.@".unicodeScalars.contains($0) }
  }
}

extension UInt8 {
  fileprivate static let lineFeed = UInt8(ascii: "\n")
  fileprivate static let carriageReturn = UInt8(ascii: "\r")
  fileprivate static let space = UInt8(ascii: " ")
  fileprivate static let tab = UInt8(ascii: "\t")
  fileprivate static let delete: UInt8 = 0x7f

  /// GLib's white space: not the vertical tab.
  fileprivate var isKeyFileSpace: Bool {
    self == .space || self == .tab || self == .carriageReturn || self == .lineFeed || self == 0x0c
  }
}

extension ArraySlice<UInt8> {
  fileprivate var droppingTrailingSpace: ArraySlice {
    self[..<((lastIndex { !$0.isKeyFileSpace } ?? startIndex - 1) + 1)]
  }
}

extension Unicode.Scalar {
  /// As g_unichar_isalnum has it.
  fileprivate var isAlphanumeric: Bool {
    switch properties.generalCategory {
    case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber:
      true
    case .nonspacingMark, .spacingMark, .enclosingMark, .connectorPunctuation, .dashPunctuation,
      .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation,
      .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol, .spaceSeparator, .lineSeparator,
      .paragraphSeparator, .control, .format, .surrogate, .privateUse, .unassigned:
      false
    @unknown default: false
    }
  }
}
