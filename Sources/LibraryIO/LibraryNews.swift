package import EventLoop
package import LibraryModel

/// Who is told what becomes of the library.
@EventLoopActor
package protocol LibraryObserver: AnyObject {
  /// Batches were committed: their changes, in the order of the journal. It may read the index, and change it.
  func libraryChanged(_ changes: [PlacedChange])
  /// The library is in another state.
  func libraryStateChanged(_ state: LibraryState)
}

/// What is to be told of the library, in order, once what has brought it about is over.
@EventLoopActor
final class LibraryNews {
  private weak var observer: (any LibraryObserver)?
  private var changes: [PlacedChange] = []
  private var state: LibraryState?
  private var isTelling = false
  /// How many changes there were.
  private(set) var changeCount = 0
  /// Whether the state may be another, and nobody has looked.
  private(set) var isStateStale = false
  /// Whether that is to be looked at even though there is a scan, in which it changes often.
  private(set) var isStateUrgent = false

  /// From now on they are told.
  func begin(_ observer: any LibraryObserver) { self.observer = observer }

  /// These were committed.
  func add(_ more: [PlacedChange]) {
    changeCount += more.count
    if changes.isEmpty { changes = more } else { changes += more }
  }

  /// The state may be another.
  func noteState(isUrgent: Bool = false) {
    isStateStale = true
    if isUrgent { isStateUrgent = true }
  }

  /// The state was looked at.
  ///
  /// - Parameter state: nil when it is the same.
  func add(state: LibraryState?) {
    (isStateStale, isStateUrgent) = (false, false)
    if let state { self.state = state }
  }

  /// Tells what there is. What comes meanwhile, because of what is told, is told after it.
  func tell() {
    guard !isTelling else { return }
    isTelling = true
    defer { isTelling = false }
    while true {
      if !changes.isEmpty {
        let told = changes
        changes = []
        observer?.libraryChanged(told)
      } else if let told = state {
        state = nil
        observer?.libraryStateChanged(told)
      } else {
        return
      }
    }
  }
}
