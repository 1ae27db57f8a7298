import AlbumAPI
import AlbumClient
import Foundation

extension TemporaryLibrary {
  /// Makes this very process an app, so that a test can use the client library: it stays an owner too (S44).
  func describeThisProcess() throws {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    var app = AppDescription.client
    app.manages = true
    try write("\(directory)/apps.d/\(app.id).yaml", app.manifest(executable: program))
  }
}

extension AppDescription {
  /// This process.
  static let client = AppDescription(id: "org.example.Client", program: "client")
}

/// A list on a screen: shows what was fetched and does what changes say, in PhotoKit's order.
actor Gallery: PhotoLibraryChangeObserver {
  /// The state that it began with.
  nonisolated let beginning: PersistentChangeToken
  private(set) var result: FetchResult<Asset>
  /// What is shown: only what removals, insertions, changes and moves made of it.
  private(set) var shown: [Asset]
  /// Every insertion of an asset, by name.
  private(set) var insertions: [String: Int] = [:]
  private(set) var reloads = 0
  private(set) var token: PersistentChangeToken
  private var waiting:
    [(isEnough: @Sendable ([Asset]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

  init(_ result: FetchResult<Asset>) {
    self.result = result
    shown = Array(result)
    token = result.token
    beginning = result.token
  }

  func photoLibraryDidChange(_ change: PhotoChange) async {
    token = change.token
    for asset in change.assets.inserted { insertions[asset.filename, default: 0] += 1 }
    guard let details = try? await change.changeDetails(for: result) else { return }
    result = details.fetchResultAfterChanges
    if details.hasIncrementalChanges {
      apply(details)
    } else {
      reloads += 1
      shown = Array(result)
    }
    let done = waiting.filter { $0.isEnough(shown) }
    waiting.removeAll { $0.isEnough(shown) }
    for item in done { item.continuation.resume() }
  }

  private func apply(_ details: FetchResultChangeDetails<Asset>) {
    for place in (details.removedIndexes ?? []).reversed() { shown.remove(at: place) }
    for (place, asset) in zip(details.insertedIndexes ?? [], details.insertedObjects) {
      shown.insert(asset, at: place)
    }
    for (place, asset) in zip(details.changedIndexes ?? [], details.changedObjects) { shown[place] = asset }
    details.enumerateMoves { from, to in shown.insert(shown.remove(at: from), at: to) }
  }

  /// Waits until the list is such.
  func wait(until isEnough: @escaping @Sendable ([Asset]) -> Bool) async {
    if isEnough(shown) { return }
    await withCheckedContinuation { waiting.append((isEnough, $0)) }
  }

  /// Waits until these are shown, in this order.
  func wait(for names: [String]) async { await wait { $0.map(\.filename) == names } }
}
