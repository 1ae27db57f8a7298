import Varlink
import Yams

/// Reads the keys of one mapping strictly: what is not asked for is an error, and so is every value of
/// another type than asked for. Errors are collected; a value with an error reads as nil.
struct MappingReader {
  let file: String
  let node: Node
  private let values: [String: Node]
  private let keyNodes: [String: Node]

  /// The mapping at `node`; nil, after an error, when it is none. No `keys` at all: any key will do.
  init?(_ node: Node, file: String, what: String, keys: [String], _ errors: inout FileErrors) {
    guard case .mapping(let mapping) = node else {
      errors.append(
        .at(node, file, .wrongType, "expected \(what) as a mapping of keys to values, found \(kind(node))"))
      return nil
    }
    self.file = file
    self.node = node
    var values: [String: Node] = [:]
    var keyNodes: [String: Node] = [:]
    for (key, value) in mapping {
      guard case .scalar(let scalar) = key else {
        errors.append(.at(key, file, .wrongType, "expected a key, found \(kind(key))"))
        continue
      }
      guard keys.isEmpty || keys.contains(scalar.string) else {
        errors.append(.at(key, file, .unknownKey, unknown(scalar.string, among: keys)))
        continue
      }
      values[scalar.string] = value
      keyNodes[scalar.string] = key
    }
    self.values = values
    self.keyNodes = keyNodes
  }

  /// Whether nothing was written, not even a key that is unknown.
  var isEmpty: Bool { node.mapping?.isEmpty ?? true }

  /// The known keys that are there.
  var keys: [String] { values.keys.sorted() }

  func value(_ key: String) -> Node? { values[key] }

  /// The node to blame for a key: the key itself, else the mapping.
  func place(_ key: String) -> Node { keyNodes[key] ?? node }

  func required(_ key: String, _ errors: inout FileErrors) -> Node? {
    if let value = values[key] { return value }
    errors.append(.at(node, file, .missingKey, "the key “\(key)” is missing"))
    return nil
  }

  /// A text. What YAML takes for something else (`no`, `12`) must be quoted.
  func string(_ key: String, _ errors: inout FileErrors) -> String? {
    values[key].flatMap { text($0, key, &errors) }
  }

  /// A text that may be empty.
  func possiblyEmpty(_ key: String, _ errors: inout FileErrors) -> String? {
    if case .scalar(let scalar)? = values[key], scalar.string.isEmpty, values[key]?.tag == Tag(.str) {
      return ""
    }
    return string(key, &errors)
  }

  func bool(_ key: String, default standard: Bool, _ errors: inout FileErrors) -> Bool {
    guard let node = values[key] else { return standard }
    if case .scalar(let scalar) = node, scalar.style == .plain {
      if scalar.string == "true" { return true }
      if scalar.string == "false" { return false }
    }
    errors.append(.at(node, file, .wrongType, "expected true or false for “\(key)”, found \(kind(node))"))
    return standard
  }

  func int(
    _ key: String, default standard: Int, in range: ClosedRange<Int>, _ errors: inout FileErrors
  ) -> Int {
    guard let node = values[key] else { return standard }
    guard case .scalar(let scalar) = node, scalar.style == .plain, isNumber(scalar.string) else {
      errors.append(.at(node, file, .wrongType, "expected a whole number for “\(key)”, found \(kind(node))"))
      return standard
    }
    guard let number = Int(scalar.string), range.contains(number) else {
      errors.append(
        .at(
          node, file, .invalidValue,
          "“\(key)” is \(Quoted(scalar.string)); expected \(range.lowerBound) to \(range.upperBound)"))
      return standard
    }
    return number
  }

  /// A list of texts, each with its place.
  func strings(_ key: String, _ errors: inout FileErrors) -> [(text: String, node: Node)]? {
    guard let node = values[key] else { return nil }
    guard case .sequence(let sequence) = node else {
      errors.append(.at(node, file, .wrongType, "expected a list of texts for “\(key)”, found \(kind(node))"))
      return nil
    }
    return sequence.compactMap { item in text(item, key, &errors).map { ($0, item) } }
  }

  private func text(_ node: Node, _ key: String, _ errors: inout FileErrors) -> String? {
    guard case .scalar(let scalar) = node, node.tag == Tag(.str) else {
      let hint = node.scalar == nil ? "" : "; put it in quotes if a text is meant"
      errors.append(.at(node, file, .wrongType, "expected a text for “\(key)”, found \(kind(node))\(hint)"))
      return nil
    }
    guard !scalar.string.isEmpty, !scalar.string.unicodeScalars.contains("\0") else {
      errors.append(.at(node, file, .invalidValue, "“\(key)” is empty or holds a NUL; expected a text"))
      return nil
    }
    return scalar.string
  }
}

extension ConfigurationError {
  static func at(_ node: Node, _ file: String, _ code: Code, _ message: String) -> ConfigurationError {
    ConfigurationError(
      code: code, file: file, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1, message: message)
  }
}

private func isNumber(_ text: String) -> Bool {
  let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
  return !digits.isEmpty && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
}

/// A node's type for a person.
private func kind(_ node: Node) -> String {
  switch node {
  case .mapping: return "a mapping"
  case .sequence: return "a list"
  case .alias: return "an alias"
  case .scalar(let scalar):
    // Short values are shown as written; the rest would drown the message.
    let shown = Quoted(scalar.string, byteLimit: 40)
    switch node.tag.rawValue {
    case Tag.Name.null.rawValue: return "nothing"
    case Tag.Name.bool.rawValue: return "the truth value \(shown)"
    case Tag.Name.int.rawValue, Tag.Name.float.rawValue: return "the number \(shown)"
    default: return "“\(shown)”"
    }
  }
}

private func unknown(_ key: String, among known: [String]) -> String {
  let guess = closest(to: key, among: known).map { "; did you mean “\($0)”?" }
  return "unknown key \(quoted(key))\(guess ?? "; known here are \(known.sorted().joined(separator: ", "))")"
}

/// The known key that was probably meant: at most a third of its letters differ.
private func closest(to word: String, among known: [String]) -> String? {
  guard word.utf8.count <= 64 else { return nil }
  let best = known.map { ($0, distance(word.lowercased(), $0.lowercased())) }.min { $0.1 < $1.1 }
  return best.flatMap { $0.1 <= max(1, $0.0.count / 3) ? $0.0 : nil }
}

/// How many letters to insert, remove or change (Levenshtein).
private func distance(_ left: String, _ right: String) -> Int {
  let right = Array(right)
  var row = Array(0...right.count)
  for (i, letter) in left.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for j in right.indices {
      let changed = diagonal + (letter == right[j] ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(changed, row[j] + 1, row[j + 1] + 1)
    }
  }
  return row[right.count]
}
