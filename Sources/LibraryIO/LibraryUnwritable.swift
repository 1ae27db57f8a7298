/// The index cannot be written at the moment; see ``LibraryMonitor/state``.
package struct LibraryUnwritable: Error, Hashable, CustomStringConvertible {
  /// What the database said.
  package let reason: String

  /// The same.
  package var description: String { reason }
}
