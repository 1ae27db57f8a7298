import Varlink

extension InterfaceDescription {
  /// Whether a named type is the same in another interface, with every type that it mentions; whatever the comments say.
  func isAlike(_ other: InterfaceDescription, type name: String) -> Bool {
    var seen: Set<String> = []
    return isAlike(other, name, &seen)
  }

  private func isAlike(_ other: InterfaceDescription, _ name: String, _ seen: inout Set<String>) -> Bool {
    guard seen.insert(name).inserted else { return true }
    guard let mine = types[name], mine == other.types[name] else { return false }
    return mine.references.allSatisfy { isAlike(other, $0, &seen) }
  }
}
