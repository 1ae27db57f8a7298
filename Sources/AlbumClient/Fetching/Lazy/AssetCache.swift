internal import AlbumAPI
internal import Synchronization

/// The assets of lazy results that are in memory: those that were looked at last, and no more than so many.
final class AssetCache: Sendable {
  /// An asset, or that there is none of its id any more.
  fileprivate struct Entry {
    let asset: Asset?
    /// When it was looked at last, as a count.
    var used: Int
  }

  fileprivate typealias Loading = Task<Result<[String: Asset], AlbumError>, Never>

  fileprivate struct State {
    var entries: [String: Entry] = [:]
    var clock = 0
    /// What is being read, by id.
    var loading: [String: Loading] = [:]
    /// What changed while something was being read: that may be older.
    var changed: Set<String> = []
  }

  private let source: any AssetSource
  private let includeHidden: Bool
  private let capacity: Int
  private let state = Mutex(State())

  /// - Parameter capacity: the most assets.
  init(_ source: any AssetSource, includeHidden: Bool, capacity: Int) {
    self.source = source
    self.includeHidden = includeHidden
    self.capacity = capacity
  }

  /// How many are in memory.
  var count: Int { state.withLock { $0.entries.count } }

  /// One that is in memory; nil where it is not, and where it is known to be gone.
  func asset(_ identifier: String) -> Asset? { state.withLock { $0.use(identifier)?.asset } }

  /// Puts what was read, or told, into memory.
  func put(_ assets: [Asset]) {
    state.withLock { state in
      for asset in assets { state.put(asset.id, asset) }
      state.evict(to: capacity)
    }
  }

  /// Some by their ids, read as far as they are not in memory; nil in place of one that is gone.
  ///
  /// - Parameter identifiers: at most 1000.
  func assets(_ identifiers: [String]) async throws(AlbumError) -> [Asset?] {
    var found: [String: Asset] = [:]
    let loadings: Set<Loading> = state.withLock { state in
      var (missing, loadings): ([String], Set<Loading>) = ([], [])
      for identifier in identifiers {
        if let entry = state.use(identifier) {
          found[identifier] = entry.asset
        } else if let loading = state.loading[identifier] {
          loadings.insert(loading)
        } else {
          missing.append(identifier)
        }
      }
      guard !missing.isEmpty else { return loadings }
      let loading = load(missing)
      for identifier in missing { state.loading[identifier] = loading }
      return loadings.union([loading])
    }
    for loading in loadings { found.merge(try await loading.value.get()) { _, new in new } }
    return identifiers.map { found[$0] }
  }

  private func load(_ identifiers: [String]) -> Loading {
    Task { [self] in
      let result: Result<[Asset], AlbumError>
      do throws(AlbumError) {
        result = .success(try await source.assets(identifiers, includeHidden: includeHidden))
      } catch { result = .failure(error) }
      return state.withLock { state in
        for identifier in identifiers { state.loading[identifier] = nil }
        defer { state.changed.subtract(identifiers) }
        return result.map { assets in
          var found = Dictionary(assets.map { ($0.id, $0) }) { _, last in last }
          for identifier in identifiers {
            if state.changed.contains(identifier) {
              // What was told of it since may be newer.
              if let entry = state.entries[identifier] { found[identifier] = entry.asset }
            } else {
              state.put(identifier, found[identifier])
            }
          }
          state.evict(to: capacity)
          return found
        }
      }
    }
  }

  /// What is in memory, or on its way, is as a change says from now on.
  func apply(_ changes: ObjectChanges<Asset>) {
    state.withLock { state in
      for (identifier, asset) in changes.latest {
        if state.entries[identifier] != nil || state.loading[identifier] != nil {
          state.put(identifier, asset)
        }
        if state.loading[identifier] != nil { state.changed.insert(identifier) }
      }
    }
  }
}

extension AssetCache.State {
  fileprivate mutating func use(_ identifier: String) -> AssetCache.Entry? {
    clock += 1
    guard entries[identifier] != nil else { return nil }
    entries[identifier]?.used = clock
    return entries[identifier]
  }

  fileprivate mutating func put(_ identifier: String, _ asset: Asset?) {
    clock += 1
    entries[identifier] = AssetCache.Entry(asset: asset, used: clock)
  }

  /// Where there are too many, a quarter goes: what was not looked at for longest.
  fileprivate mutating func evict(to capacity: Int) {
    guard entries.count > capacity else { return }
    let kept = entries.sorted { $0.value.used > $1.value.used }.prefix(max(1, capacity * 3 / 4))
    entries = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
  }
}
