/// Which previews leave when there are too many.
enum PreviewEviction {
  /// A file of the cache.
  struct Entry: Hashable, Sendable {
    let name: String
    let byteCount: Int64
    /// When it was last used, seconds since 1970.
    let used: Int64
  }

  /// The least used, until a tenth of what may be kept is free: so that not every new one looks through all.
  static func leaving(_ entries: [Entry], limit: Int64) -> [Entry] {
    var total = entries.reduce(0) { $0 + $1.byteCount }
    guard total > limit else { return [] }
    let target = limit / 10 * 9
    return entries.sorted { ($0.used, $0.name) < ($1.used, $1.name) }.prefix { entry in
      guard total > target else { return false }
      total -= entry.byteCount
      return true
    }
  }
}
