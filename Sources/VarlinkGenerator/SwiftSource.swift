/// Swift text as it is written, line by line.
struct SwiftSource {
  private(set) var text = ""
  private var depth = 0
  /// Whether a scope was opened and nothing was written in it.
  private var isFresh = true

  private static let width = 110

  mutating func line(_ line: String) {
    text += String(repeating: "  ", count: depth) + line + "\n"
    isFresh = false
  }

  /// As it is, whatever the depth.
  mutating func verbatim(_ text: String) {
    self.text += text
    isFresh = false
  }

  /// An empty line, but for the first thing in a scope.
  mutating func gap() {
    if !isFresh { text += "\n" }
  }

  mutating func open(_ head: String) {
    line(head + " {")
    depth += 1
    isFresh = true
  }

  mutating func close() {
    depth -= 1
    line("}")
  }

  /// The documentation of what follows.
  mutating func document(_ comment: String?) {
    guard let comment else { return }
    for part in comment.split(separator: "\n", omittingEmptySubsequences: false) {
      line(part.isEmpty ? "///" : "/// \(part)")
    }
  }

  /// Opens `head(parameter, ...) {`, in as many lines as that needs.
  mutating func open(_ head: String, parameters: [String]) {
    let whole = "\(head)(\(parameters.joined(separator: ", ")))"
    guard depth * 2 + whole.utf8.count + 2 > Self.width else { return open(whole) }
    line("\(head)(")
    depth += 1
    for (index, parameter) in parameters.enumerated() {
      line(index + 1 < parameters.count ? "\(parameter)," : parameter)
    }
    depth -= 1
    open(")")
  }
}
