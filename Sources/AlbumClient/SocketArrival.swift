internal import Glibc
public import Linux

/// Notices that a socket appeared, without looking again and again: for who wants to be there when the
/// daemon comes back.
///
/// Watches the socket's directory, or the nearest one above that exists (inotify(7)).
public final class SocketArrival {
  private let path: String
  private let queue: OwnedDescriptor

  /// - Parameter path: the socket's.
  /// - Throws: ``Linux/SystemError``: EMFILE when the user has too many inotify instances.
  public init(path: String) throws(SystemError) {
    self.path = path
    queue = try OwnedDescriptor(
      inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC)), call: "inotify_init1")
    watch()
  }

  /// Readable when the socket may be there: for poll(2). Then call ``acknowledge()`` and connect.
  public var descriptor: CInt { queue.number }

  /// Forgets what was noticed so far. Whatever happens from now on makes the descriptor readable again.
  public func acknowledge() {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      while read(queue.number, buffer.baseAddress, buffer.count) > 0 {}
    }
    // The directory itself may have appeared, or been made anew.
    watch()
  }

  private func watch() {
    var directory = path[...]
    repeat {
      directory = parent(of: directory)
      let events = IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
      if inotify_add_watch(queue.number, String(directory), UInt32(events)) >= 0 { return }
    } while directory != "/" && directory != "."
  }
}

private func parent(of path: Substring) -> Substring {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  let parent = path[..<slash]
  return parent.isEmpty ? "/" : parent
}
