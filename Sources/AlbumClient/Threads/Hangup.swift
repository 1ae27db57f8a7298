internal import Glibc
internal import Linux
internal import Synchronization

/// Ends a connection from another thread than the one that waits for its reply.
///
/// The daemon takes the end of a connection for the end of the wish: it withdraws the prompt (S12).
final class Hangup: Sendable {
  private struct State {
    var isOver = false
    /// A duplicate, so that it stays this very socket whoever closes the other.
    var descriptor: CInt?
  }

  private let state = Mutex(State())

  deinit {
    state.withLock { state in
      if let number = state.descriptor { _ = OwnedDescriptor(owning: number) }
    }
  }

  /// Takes a connection into its care; one that comes too late is ended at once.
  func watch(_ connection: AlbumConnection) throws(AlbumError) {
    let number: CInt
    do throws(SystemError) { number = try connection.duplicateDescriptor().take() } catch {
      throw AlbumError(outOfResources: error, place: connection.socketPath)
    }
    state.withLock { state in
      state.descriptor = number
      if state.isOver { Self.end(number) }
    }
  }

  /// Ends the connection, now or when there is one.
  func hangUp() {
    state.withLock { state in
      state.isOver = true
      if let number = state.descriptor { Self.end(number) }
    }
  }

  /// shutdown(2) wakes who waits in poll(2), as close(2) would not.
  private static func end(_ number: CInt) { shutdown(number, CInt(SHUT_RDWR)) }
}
