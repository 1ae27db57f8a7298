internal import CSQLite

/// The account that SQLite keeps of its memory.
enum MemoryStatistics {
  /// Turns it off, for the process and once, before SQLite is first used: nobody asks for it, and each allocation takes a
  /// lock for it, which is a tenth of what a row costs.
  static func turnOff() { _ = off }

  private static let off: Void = sqlite_keep_no_memory_statistics()
}
