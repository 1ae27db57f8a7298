import AlbumAPI
import TestSupport

@testable import AlbumClient

/// Assets as a daemon holds them: in an order that is finer than what it tells.
struct ModelLibrary {
  private struct Entry {
    var asset: Asset
    /// Which came into the library before: no id on the wire tells.
    let age: Int
    /// Nanoseconds, of which the wire has microseconds.
    var created: Int64
    var modified: Int64
  }

  private var entries: [String: Entry] = [:]
  private var count = 0

  subscript(id: String) -> Asset? { entries[id]?.asset }

  mutating func insert(_ asset: Asset, using random: inout SeededGenerator) {
    count += 1
    entries[asset.id] = Entry(
      asset: asset, age: count, created: Self.time(asset.created, using: &random),
      modified: Self.time(asset.modified, using: &random))
  }

  mutating func remove(_ id: String) { entries[id] = nil }

  /// A time changes with the content, or as the wire tells.
  mutating func update(_ asset: Asset, isOtherContent: Bool, using random: inout SeededGenerator) {
    guard var entry = entries[asset.id] else { return }
    if isOtherContent || entry.asset.created != asset.created {
      entry.created = Self.time(asset.created, using: &random)
    }
    if isOtherContent || entry.asset.modified != asset.modified {
      entry.modified = Self.time(asset.modified, using: &random)
    }
    entry.asset = asset
    entries[asset.id] = entry
  }

  func sorted(_ fetch: AssetFetch) -> [Asset] {
    let found = entries.values.filter { fetch.includes($0.asset) }.sorted { one, other in
      switch fetch.options.sortKey {
      // When they came nobody is told here.
      case .created, .added, .custom: (one.created, one.age) < (other.created, other.age)
      case .modified: (one.modified, one.age) < (other.modified, other.age)
      case .byteCount: (one.asset.byteCount, one.age) < (other.asset.byteCount, other.age)
      case .filename: (one.asset.filename, one.age) < (other.asset.filename, other.age)
      }
    }
    return (fetch.options.ascending ? found : found.reversed()).map(\.asset)
  }

  private static func time(_ time: Instant, using random: inout SeededGenerator) -> Int64 {
    time.microseconds * 1000 + .random(in: 0..<3, using: &random)
  }
}
