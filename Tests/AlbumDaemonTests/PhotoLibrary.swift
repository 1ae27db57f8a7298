import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Storage
import TestSupport
import Testing

/// A library of some photos, watched.
@EventLoopActor
final class PhotoLibrary: LibraryObserver {
  let store: LibraryStore
  let monitor: LibraryMonitor
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// - Parameters:
  ///   - path: a directory, where it all is.
  ///   - roots: directories in it.
  ///   - photos: paths beneath it; what a file holds is its path.
  init(_ path: String, roots: [String] = ["photos"], _ photos: [String]) throws {
    for root in roots { mkdir("\(path)/\(root)", 0o755) }
    for photo in photos { try writeWhole("\(path)/\(photo)", photo.utf8) }
    store = try LibraryStore(path: "\(path)/library.sqlite")
    monitor = LibraryMonitor(database: store, roots: roots.map { LibraryRoot(path: "\(path)/\($0)") })
  }

  /// Begins, and waits until the first scan is done.
  func start() async throws {
    try monitor.start(telling: self)
    await until { $0 == .ready }
  }

  func libraryChanged(_ changes: [PlacedChange]) { resume() }

  func libraryStateChanged(_ state: LibraryState) { resume() }

  private func resume() {
    let all = waiting
    waiting = []
    for continuation in all { continuation.resume() }
  }

  /// Waits until the library is in such a state.
  func until(_ condition: (LibraryState.Summary) -> Bool) async {
    while !condition(monitor.state.summary) { await withCheckedContinuation { waiting.append($0) } }
  }

  /// Waits until the library is like that, whenever something of it was told.
  func until(_ condition: (PhotoLibrary) throws -> Bool) async rethrows {
    while try !condition(self) { await withCheckedContinuation { waiting.append($0) } }
  }

  /// The photo of that name, wherever it is.
  func asset(_ name: String) throws -> Asset {
    let found = try monitor.contents.tree.all.lazy
      .compactMap { [store] in try store.files.link(at: Location($0.id, FileName(name))) }.first
    return try #require(try found.flatMap { try store.files.asset($0.asset) })
  }
}

/// Nobody whom the library's changes concern.
@EventLoopActor
final class NoObserver: LibraryObserver {
  func libraryChanged(_ changes: [PlacedChange]) {}
  func libraryStateChanged(_ state: LibraryState) {}
}
