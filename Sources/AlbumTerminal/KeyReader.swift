/// Keys and answers in what a terminal sends.
///
/// An answer is no key, also where it comes in pieces. Only while one is expected is anything looked for but keys: what a
/// person types may begin as an answer does.
package struct KeyReader: Sendable {
  /// What a terminal sent.
  package enum Input: Hashable, Sendable {
    case key(Key)
    case answer(TerminalAnswer)
  }

  /// The beginning of an answer whose rest is to come.
  private var beginning: [UInt8] = []

  /// The most bytes of an answer; what is longer is none.
  static let longestAnswer = 256

  package init() {}

  /// Reads what one read(2) returned.
  ///
  /// - Parameter expectsAnswers: whether the terminal was asked and may still answer.
  package mutating func read(_ bytes: [UInt8], expectsAnswers: Bool) -> [Input] {
    // The beginning of what does not come any more is no key either.
    guard expectsAnswers else {
      beginning = []
      return Key.keys(in: bytes).map(Input.key)
    }
    let all = beginning + bytes
    beginning = []
    var input: [Input] = []
    var (keys, place) = (0, 0)
    while place < all.count {
      let found = all[place] == 0x1B ? Self.match(all[place...]) : .none
      guard found != .none else {
        place += 1
        continue
      }
      input += Key.keys(in: Array(all[keys..<place])).map(Input.key)
      if case .whole(let answer, let length) = found {
        if let answer { input.append(.answer(answer)) }
        place += length
      } else {
        beginning = Array(all[place...])
        place = all.count
      }
      keys = place
    }
    return input + Key.keys(in: Array(all[keys...])).map(Input.key)
  }

  /// Whether the rest of what was read should be waited for a little: it comes at once, or not at all.
  package func isUnfinished(_ bytes: [UInt8], expectsAnswers: Bool) -> Bool {
    if Key.isUnfinished(bytes) { return true }
    guard expectsAnswers, let escape = bytes.lastIndex(of: 0x1B) else { return false }
    if case .begun = Self.match(bytes[escape...]) { return true }
    return false
  }

  private enum Match: Hashable {
    /// It is an answer; nil where it says nothing.
    case whole(TerminalAnswer?, length: Int)
    /// It may become one.
    case begun
    case none
  }

  /// - Parameter bytes: from an Escape on.
  private static func match(_ bytes: ArraySlice<UInt8>) -> Match {
    let content = bytes.dropFirst(2)
    let found: Match
    switch bytes.dropFirst().first {
    case UInt8(ascii: "_"): found = matchCommand(content)
    case UInt8(ascii: "["): found = matchControl(content)
    // Escape alone is the key.
    default: return .none
    }
    // What is too long is no answer, nor is it keys.
    if case .begun = found, bytes.count > longestAnswer { return .whole(nil, length: bytes.count) }
    return found
  }

  /// An application program command (ECMA-48, 8.3.2), of which kitty's begin with `G`; ended by Escape and a backslash.
  private static func matchCommand(_ content: ArraySlice<UInt8>) -> Match {
    guard let first = content.first else { return .begun }
    guard first == UInt8(ascii: "G") else { return .none }
    guard let end = content.firstIndex(of: 0x1B), end + 1 < content.endIndex else { return .begun }
    guard content[end + 1] == UInt8(ascii: "\\") else { return .none }
    let text = String(decoding: content[(content.startIndex + 1)..<end], as: UTF8.self)
    let parts = text.split(separator: ";", maxSplits: 1)
    let isOurs = parts.first?.split(separator: ",").contains("i=\(KittyGraphics.questionID)") ?? false
    let length = end + 2 - content.startIndex + 2
    return .whole(isOurs ? .kitty(parts.dropFirst().first == "OK") : nil, length: length)
  }

  /// A control sequence (ECMA-48, 5.4) with numbers.
  private static func matchControl(_ content: ArraySlice<UInt8>) -> Match {
    let isPrivate = content.first == UInt8(ascii: "?")
    let rest = isPrivate ? content.dropFirst() : content
    let numbers = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: ";") ~= $0 && $0 != UInt8(ascii: ":") }
    guard let last = rest.dropFirst(numbers.count).first else { return .begun }
    let values = numbers.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
    let length = 2 + (isPrivate ? 1 : 0) + numbers.count + 1
    switch (last, isPrivate) {
    case (UInt8(ascii: "c"), true): return .whole(.attributes(values), length: length)
    case (UInt8(ascii: "t"), false):
      let isCell = values.count == 3 && values[0] == 6
      return .whole(isCell ? .cell(width: values[2], height: values[1]) : nil, length: length)
    case (UInt8(ascii: "S"), true):
      let isRegisters = values.count >= 3 && values[0] == 1 && values[1] == 0
      return .whole(isRegisters ? .registers(values[2]) : nil, length: length)
    default: return .none
    }
  }
}
