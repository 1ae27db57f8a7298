/// The little of the desktop entry format that `.flatpak-info` uses: groups in brackets, `key=value`.
struct KeyFile {
  private var values: [String: [String: String]] = [:]

  init(_ text: String) {
    var group = ""
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("["), line.hasSuffix("]") {
        group = String(line.dropFirst().dropLast())
      } else if let sign = line.firstIndex(of: "="), !line.hasPrefix("#") {
        values[group, default: [:]][String(line[..<sign])] = String(line[line.index(after: sign)...])
      }
    }
  }

  /// The key's value in the first of these groups that has it.
  func value(_ key: String, in groups: [String]) -> String? {
    for group in groups {
      if let value = values[group]?[key], !value.isEmpty { return value }
    }
    return nil
  }
}
