package import Varlink

/// Swift for interfaces: the text of each definition, and a type for each of its messages, types and errors.
package struct SwiftGenerator {
  private let interfaces: [String: InterfaceDescription]
  private let hints: SwiftHints

  /// Interfaces whose types may stand in for each other's, and what their definitions do not say.
  package init(_ interfaces: [InterfaceDescription], hints: SwiftHints = SwiftHints()) {
    self.interfaces = Dictionary(interfaces.map { ($0.name, $0) }) { first, _ in first }
    self.hints = hints
  }

  /// The source file of each interface, by the interface's name.
  ///
  /// - Throws: ``SwiftHintError`` when a hint does not fit the interfaces, or is about nothing in them.
  package func sources() throws(SwiftHintError) -> [String: String] {
    var sources: [String: String] = [:]
    var used: Set<String> = []
    var names: [String: String] = [:]
    for (name, interface) in interfaces.sorted(by: { $0.key < $1.key }) {
      var writer = InterfaceWriter(interface, among: interfaces, hints: hints)
      if let other = names.updateValue(name, forKey: writer.swiftName) {
        throw SwiftHintError(
          place: name, reason: "its Swift name is that of \(other) too: give it another one")
      }
      sources[name] = try writer.write()
      used.formUnion(writer.usedHints)
    }
    if let place = hints.places.subtracting(used).min() {
      throw SwiftHintError(place: place, reason: "no hint can be given about this, or there is no such thing")
    }
    return sources
  }
}
