/// The places of a text, which are filled in: names in braces, such as `{app}`.
package enum Places {
  /// The most bytes of a name. What is longer is text: to compare it would take time that grows with the square of its
  /// combining marks.
  static let mostNameBytes = 64

  /// The names, in order.
  package static func names(in text: String) -> [String] {
    var names: [String] = []
    _ = fill(text) { name in
      names.append(name)
      return nil
    }
    return names
  }

  /// Fills them in, in one pass: what is filled in is not looked at again, whatever an app calls itself.
  ///
  /// - Parameter value: for a name; nil leaves the place as it is.
  package static func fill(_ text: String, _ value: (String) -> String?) -> String {
    var filled = ""
    var rest = text[...]
    while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
      let end = rest.utf8[open...].firstIndex(of: UInt8(ascii: "}"))
    {
      filled += rest[..<open]
      let name = String(rest[rest.utf8.index(after: open)..<end])
      let known = name.utf8.count <= mostNameBytes ? value(name) : nil
      filled += known ?? "{\(name)}"
      // Not by characters: a brace and an accent that follows it are one.
      rest = rest[rest.utf8.index(after: end)...]
    }
    return filled + rest
  }
}
