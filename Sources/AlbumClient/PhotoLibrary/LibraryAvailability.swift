public import AlbumAPI

/// Whether there is a library to read, and how far it is known (S98). PhotoKit: `PHPhotoLibrary.unavailabilityReason`, with
/// `PHPhotoLibraryAvailabilityObserver`.
public struct LibraryAvailability: Hashable, Sendable {
  /// In one word.
  public enum State: String, Hashable, Sendable {
    /// It is compared with the disk: what is found comes as changes.
    case scanning
    /// It is as on the disk.
    case ready
    /// Something in it cannot be read or watched.
    case degraded
    /// No root of it can be reached.
    case offline
    /// No daemon answers.
    case gone
  }

  /// In one word.
  public let state: State
  /// Its roots, by name, in the order of the configuration: each may be offline by itself. None when it is gone.
  public let roots: [LibraryInterface.Root]
  /// How far the comparison is, where this app sees all of the library and there is one.
  public let scan: LibraryInterface.ScanProgress?

  /// Nobody answers.
  static let gone = LibraryAvailability(state: .gone, roots: [], scan: nil)

  private init(state: State, roots: [LibraryInterface.Root], scan: LibraryInterface.ScanProgress?) {
    (self.state, self.roots, self.scan) = (state, roots, scan)
  }

  init(_ told: LibraryInterface.MonitorState.Reply) {
    let state: State =
      switch told.state {
      case .scanning: .scanning
      case .ready: .ready
      case .degraded: .degraded
      case .offline: .offline
      }
    self.init(state: state, roots: told.roots, scan: told.scan)
  }
}

/// How the library is, and every change of that, through restarts of the daemon. Cancel the task that iterates, or leave the
/// loop.
public struct LibraryAvailabilities: AsyncSequence, Sendable {
  /// How it is.
  public typealias Element = LibraryAvailability
  private let lanes: CallLanes

  init(_ lanes: CallLanes) {
    self.lanes = lanes
  }

  /// Begins with how it is now.
  public func makeAsyncIterator() -> Iterator { Iterator(lanes) }

  /// One reader, with a connection of its own.
  public struct Iterator: AsyncIteratorProtocol {
    private let lanes: CallLanes
    private var lane: FeedLane<MonitorFeed<LibraryInterface.MonitorState>>?
    private var told: LibraryAvailability?

    init(_ lanes: CallLanes) {
      self.lanes = lanes
    }

    /// Waits for the next; nil once the task is cancelled.
    ///
    /// - Throws: ``AlbumError`` `outOfResources`: it has a thread.
    public mutating func next() async throws -> Element? {
      let socket = lanes.socket
      let lane =
        try lane
        ?? FeedLane(socket) { stop in
          MonitorFeed(socket, stop: stop) { connection throws(AlbumError) in try connection.monitorState() }
        }
      self.lane = lane
      while let event = try await lane.next() {
        let now: LibraryAvailability =
          switch event {
          case .told(let reply): LibraryAvailability(reply)
          case .unknown: .gone
          }
        if told == now { continue }
        told = now
        return now
      }
      return nil
    }
  }
}

extension PhotoLibrary {
  /// How the library is, now and from now on. See ``LibraryAvailability``.
  public var availability: LibraryAvailabilities { LibraryAvailabilities(lanes) }
}
