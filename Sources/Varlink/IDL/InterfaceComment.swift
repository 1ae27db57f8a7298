/// The comment lines between two tokens of a definition.
struct InterfaceComment {
  /// All of them, without their `#`.
  private(set) var lines: [String] = []
  /// Where those begin that are about the token below: not what stands behind the token before, nor above an empty line.
  private var first = 0
  private var startsLine: Bool
  private var isEmptyLine = false

  /// - Parameter startsLine: whether no token stands before it in its line.
  init(startsLine: Bool) {
    self.startsLine = startsLine
  }

  mutating func add(_ line: String) {
    lines.append(line)
    if !startsLine { first = lines.count }
    isEmptyLine = false
  }

  mutating func endLine() {
    if isEmptyLine { first = lines.count }
    startsLine = true
    isEmptyLine = true
  }

  /// What is said about the token below, line by line; nil when nothing is.
  var text: String? {
    guard first < lines.count else { return nil }
    return lines[first...].map { line in
      let isIndented = line.hasPrefix(" ")
      return line.dropFirst(isIndented ? 1 : 0).trimmingEnd()
    }.joined(separator: "\n")
  }
}

extension Substring {
  fileprivate func trimmingEnd() -> Substring {
    var rest = self
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }
}
