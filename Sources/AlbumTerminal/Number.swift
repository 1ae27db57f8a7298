/// A number of things in English, for what is English in every language: `1 scan`, `2 directories`.
package struct Number: Hashable, Sendable, CustomStringConvertible {
  /// The number, and what they are.
  package let description: String

  /// - Parameters:
  ///   - one: what one is called.
  ///   - others: what any other number is called; with an s when left out.
  package init(_ count: Int, _ one: String, _ others: String? = nil) {
    description = "\(count) \(count == 1 ? one : others ?? one + "s")"
  }
}
