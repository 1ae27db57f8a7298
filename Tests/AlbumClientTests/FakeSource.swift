import AlbumAPI
import Synchronization
import Testing

@testable import AlbumClient

/// Assets in memory in place of a daemon's, which counts what is read of them, and may hold ids back.
final class FakeSource: AssetSource {
  private struct State {
    var assets: [Asset]
    /// What is sent in the place of ids that are asked for: a daemon that knows of none.
    var sendsAssets = false
    /// How many pages of ids come before the connection ends, and how many times it does.
    var pagesBeforeLoss = Int.max
    var losses = 0
    var isHeld = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var reads: [[String]] = []
    /// Called when assets are read, before they are handed out.
    var onRead: (@Sendable () async -> Void)?
    var failure: AlbumError?
  }

  private let state: Mutex<State>
  private let idPage: Int
  /// How many there were when the fetch began, where that is not how many there are.
  private let total: Int?

  init(_ assets: [Asset], idPage: Int = 5000, total: Int? = nil, isHeld: Bool = false) {
    self.idPage = idPage
    self.total = total
    state = Mutex(State(assets: assets, isHeld: isHeld))
  }

  /// The ids that were asked for, by call.
  var reads: [[String]] { state.withLock { $0.reads } }

  func sendAssets() { state.withLock { $0.sendsAssets = true } }
  func lose(after pages: Int, times: Int) {
    state.withLock { ($0.pagesBeforeLoss, $0.losses) = (pages, times) }
  }
  func fail(_ error: AlbumError?) { state.withLock { $0.failure = error } }
  func onRead(_ body: (@Sendable () async -> Void)?) { state.withLock { $0.onRead = body } }
  func remove(_ id: String) { state.withLock { $0.assets.removeAll { $0.id == id } } }

  /// Lets the ids go that were held back.
  func release() {
    let waiting = state.withLock { state in
      state.isHeld = false
      defer { state.waiting = [] }
      return state.waiting
    }
    for one in waiting { one.resume() }
  }

  func first(_ fetch: AssetFetch, limit: Int) async throws(AlbumError) -> LibraryInterface.FetchAssets.Reply {
    state.withLock { state in
      let page = Array(state.assets.prefix(limit))
      return .init(
        assets: page, total: total ?? state.assets.count, token: "t",
        cursor: page.count < state.assets.count ? "\(page.count)" : nil)
    }
  }

  func identifiers(
    _ fetch: AssetFetch, after cursor: String,
    _ take: @escaping @Sendable (LibraryInterface.FetchAssets.Reply) -> Bool
  ) async throws(AlbumError) {
    await withCheckedContinuation { continuation in
      let goesOn = state.withLock { state in
        if state.isHeld { state.waiting.append(continuation) }
        return !state.isHeld
      }
      if goesOn { continuation.resume() }
    }
    var start = Int(cursor) ?? 0
    var sent = 0
    while true {
      let (page, isLost, failure) = state.withLock { state in
        let isLost = sent >= state.pagesBeforeLoss && state.losses > 0
        if isLost { state.losses -= 1 }
        let page = state.assets[start..<min(start + idPage, state.assets.count)]
        start += page.count
        let next = start < state.assets.count ? "\(start)" : nil
        let keys: [Int]? =
          fetch.options.sortKey == .filename ? nil : page.compactMap { fetch.key(of: $0) }.map(Int.init)
        let reply: LibraryInterface.FetchAssets.Reply =
          state.sendsAssets
          ? .init(assets: Array(page), total: state.assets.count, token: "t", cursor: next)
          : .init(
            assets: [], total: state.assets.count, token: "t", cursor: next, ids: page.map(\.id), keys: keys)
        return (reply, isLost, state.failure)
      }
      if let failure { throw failure }
      if isLost { throw AlbumError(endOf: "FetchAssets") }
      sent += 1
      guard take(page), page.cursor != nil else { return }
    }
  }

  func assets(_ identifiers: [String], includeHidden: Bool) async throws(AlbumError) -> [Asset] {
    let (found, body, failure) = state.withLock { state in
      state.reads.append(identifiers)
      let wanted = Set(identifiers)
      return (state.assets.filter { wanted.contains($0.id) }, state.onRead, state.failure)
    }
    if let failure { throw failure }
    await body?()
    return found
  }
}
