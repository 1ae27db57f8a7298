/// What a peer sent, as a line of a log or a message may quote it: the beginning of it, without anything that ends a
/// line, moves a cursor or turns the direction of writing.
public struct Quoted: CustomStringConvertible, Sendable {
  /// Bytes that are quoted where nothing else is said.
  public static let byteLimit = 64

  /// The text to show; `…` at its end where there was more.
  public let description: String

  /// Quotes bytes, which need not be UTF-8.
  public init(_ bytes: some Collection<UInt8>, byteLimit: Int = Quoted.byteLimit) {
    var text = ""
    // Cut between two characters of UTF-8: a byte that goes on with one begins with the bits 10.
    var beginning = Array(bytes.prefix(byteLimit))
    if bytes.dropFirst(beginning.count).first.map({ $0 & 0xC0 == 0x80 }) ?? false {
      while let last = beginning.popLast(), last & 0xC0 == 0x80 {}
    }
    for scalar in String(decoding: beginning, as: UTF8.self).unicodeScalars {
      if Self.isHarmless(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    description = bytes.count > beginning.count ? text + "…" : text
  }

  /// Quotes a text.
  public init(_ text: some StringProtocol, byteLimit: Int = Quoted.byteLimit) {
    self.init(text.utf8, byteLimit: byteLimit)
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    // Format characters are those that turn the direction, join, and hide.
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }
}
