/// The index cannot be written at the moment; see ``LibraryMonitor/state``.
package struct LibraryUnwritable: Error, CustomStringConvertible {
  /// What the database said.
  package let cause: any Error

  /// The same, as a sentence.
  package var description: String { "\(cause)" }
}
