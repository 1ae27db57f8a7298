/// A key of a terminal in raw mode.
package enum Key: Hashable, Sendable {
  /// A letter, digit or sign.
  case character(Character)
  /// Return.
  case enter
  /// Escape by itself.
  case escape
  /// Rubs out the character before.
  case backspace
  /// Arrow up.
  case up
  /// Arrow down.
  case down
  /// Arrow left.
  case left
  /// Arrow right.
  case right
  /// A page up.
  case pageUp
  /// A page down.
  case pageDown
  /// The beginning.
  case home
  /// The end.
  case end
  /// The tabulator.
  case tab

  /// The keys in what one read(2) returned: a terminal sends the bytes of a key together.
  ///
  /// What is no key that means anything here is left out.
  package static func keys(in bytes: [UInt8]) -> [Key] {
    var keys: [Key] = []
    var rest = Array(String(decoding: bytes, as: UTF8.self))[...]
    while let character = rest.popFirst() {
      switch character {
      case "\u{1B}": keys += sequence(&rest)
      case "\r", "\n", "\r\n": keys.append(.enter)
      case "\u{7F}", "\u{8}": keys.append(.backspace)
      case "\t": keys.append(.tab)
      case _ where character.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }):
        keys.append(.character(character))
      default: break
      }
    }
    return keys
  }

  /// Whether the bytes end inside of what may be a sequence, or with an Escape that may begin one: the rest of it
  /// comes at once, or not at all.
  package static func isUnfinished(_ bytes: [UInt8]) -> Bool {
    guard let escape = bytes.lastIndex(of: 0x1B) else { return false }
    let rest = bytes[(escape + 1)...]
    guard let first = rest.first else { return true }
    guard first == UInt8(ascii: "[") || first == UInt8(ascii: "O") else { return false }
    return rest.dropFirst().allSatisfy { $0 < 0x40 }
  }

  /// ECMA-48: CSI, parameters, a final byte. Escape alone is the key.
  private static func sequence(_ rest: inout ArraySlice<Character>) -> [Key] {
    guard rest.first == "[" || rest.first == "O" else { return [.escape] }
    rest.removeFirst()
    var parameters = ""
    while let next = rest.popFirst() {
      guard next.isASCII, let value = next.asciiValue, value >= 0x40 else {
        parameters.append(next)
        continue
      }
      return switch (next, parameters) {
      case ("A", _): [.up]
      case ("B", _): [.down]
      case ("C", ""): [.right]
      case ("D", ""): [.left]
      case ("H", ""), ("~", "1"), ("~", "7"): [.home]
      case ("F", ""), ("~", "4"), ("~", "8"): [.end]
      case ("~", "5"): [.pageUp]
      case ("~", "6"): [.pageDown]
      default: []
      }
    }
    return []
  }
}
