internal import AlbumAPI
internal import Synchronization

/// The ids of a lazy result, which come page by page behind the first assets. What is there stays in its place.
final class LazyIdentifiers: Sendable {
  fileprivate struct Waiting {
    let count: Int
    let continuation: CheckedContinuation<AlbumError?, Never>
  }

  fileprivate struct State {
    var list: IdentifierList
    /// Where to go on; nil when all are there.
    var cursor: String?
    /// Reads them; nil while nobody does.
    var reading: Task<Void, Never>?
    /// Who wants so many.
    var waiting: [Waiting] = []
  }

  private let source: any AssetSource
  private let fetch: AssetFetch
  private let state: Mutex<State>

  /// - Parameter cursor: where those begin that are still to be read; nil for none.
  init(_ list: IdentifierList, of fetch: AssetFetch, after cursor: String?, from source: any AssetSource) {
    self.source = source
    self.fetch = fetch
    let isFull = fetch.limit.map { list.count >= $0 } ?? false
    state = Mutex(State(list: list, cursor: isFull ? nil : cursor))
  }

  deinit {
    state.withLock { $0.reading }?.cancel()
  }

  /// Those that are there by now.
  var list: IdentifierList { state.withLock { $0.list } }

  /// How many are there by now, and whether those are all.
  var progress: (count: Int, isWhole: Bool) { state.withLock { ($0.list.count, $0.cursor == nil) } }

  /// Some of those that are there by now.
  func identifiers(in range: Range<Int>) -> [String] {
    state.withLock { $0.list[range.clamped(to: 0..<$0.list.count)] }
  }

  /// Others, all of which are there.
  func replaced(by list: IdentifierList) -> LazyIdentifiers {
    LazyIdentifiers(list, of: fetch, after: nil, from: source)
  }

  /// Waits until so many are there, or all of them.
  ///
  /// - Throws: what reading them does. Whoever asks again has it tried again.
  func wait(for count: Int = .max) async throws(AlbumError) {
    let error: AlbumError? = await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.cursor == nil || state.list.count >= count { return true }
        state.waiting.append(Waiting(count: count, continuation: continuation))
        return false
      }
      if isThere { continuation.resume(returning: nil) } else { begin() }
    }
    if let error { throw error }
  }

  /// Reads those that are missing, unless that is under way.
  func begin() {
    state.withLock { state in
      guard state.reading == nil, let cursor = state.cursor else { return }
      state.reading = Task.detached { [weak self, source, fetch] in
        var start = cursor
        var failure: AlbumError?
        while true {
          failure = nil
          do throws(AlbumError) {
            try await source.identifiers(fetch, after: start) { [weak self] in self?.append($0) ?? false }
          } catch { failure = error }
          guard let next = self?.cursor, !Task.isCancelled else { break }
          if let failure, failure.code != .connectionLost { break }
          if next == start {
            failure = failure ?? AlbumError(endOf: LibraryInterface.FetchAssets.name)
            break
          }
          // A daemon that was restarted goes on where it was, as long as it does go on.
          start = next
        }
        self?.ended(failure)
      }
    }
  }

  private var cursor: String? { state.withLock { $0.cursor } }

  /// - Returns: whether more are wanted.
  private func append(_ page: LibraryInterface.FetchAssets.Reply) -> Bool {
    let (done, isWanted) = state.withLock { state -> ([Waiting], Bool) in
      var ids = page.ids ?? page.assets.map(\.id)
      // A daemon that knows of no ids alone sends the assets.
      var keys =
        page.ids == nil ? page.assets.compactMap { fetch.key(of: $0) } : (page.keys ?? []).map { Int64($0) }
      if let limit = fetch.limit { ids = Array(ids.prefix(limit - state.list.count)) }
      if keys.count < ids.count { keys += Array(repeating: keys.last ?? 0, count: ids.count - keys.count) }
      for (id, key) in zip(ids, keys) { state.list.append(id, key: key) }
      let isFull = fetch.limit.map { state.list.count >= $0 } ?? false
      state.cursor = isFull ? nil : page.cursor
      return (state.takeSatisfied(), state.cursor != nil)
    }
    for one in done { one.continuation.resume(returning: nil) }
    return isWanted
  }

  private func ended(_ failure: AlbumError?) {
    let waiting = state.withLock { state in
      state.reading = nil
      defer { state.waiting = [] }
      return state.waiting
    }
    for one in waiting { one.continuation.resume(returning: failure) }
  }
}

extension LazyIdentifiers.State {
  /// Who has what they wait for.
  fileprivate mutating func takeSatisfied() -> [LazyIdentifiers.Waiting] {
    let (count, isWhole) = (list.count, cursor == nil)
    let done = waiting.filter { isWhole || $0.count <= count }
    waiting.removeAll { isWhole || $0.count <= count }
    return done
  }
}
