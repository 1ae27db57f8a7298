internal import CLinux
package import EventLoop
internal import Glibc
package import Linux

/// The process's inotify(7) instance.
@EventLoopActor
package final class InotifyQueue {
  /// The kernel's part of it, for other threads to place watches.
  package let instance: InotifyInstance
  private var descriptor: CInt { instance.number }
  private let buffer: UnsafeMutableRawBufferPointer
  private var source: IOSource?
  private let limit: Int
  private var watches: Set<Int32> = []
  /// How many bytes of events were read.
  package private(set) var taken: UInt64 = 0

  /// An instance without watches.
  ///
  /// - Parameters:
  ///   - limit: how many watches it may have, below what the kernel allows.
  ///   - readable: called on the loop whenever there are events.
  /// - Throws: EMFILE when the user has too many instances (`fs.inotify.max_user_instances`).
  package init(limit: Int = .max, readable: @escaping @EventLoopActor () -> Void) throws(SystemError) {
    self.limit = limit
    instance = try InotifyInstance()
    buffer = .allocate(byteCount: 256 << 10, alignment: 8)
    source = try IOSource(instance.number, .readable) { _ in readable() }
  }

  /// Whether it is said when there are events.
  package var isAwaited = true {
    didSet { if isAwaited != oldValue { source?.wait(for: isAwaited ? .readable : []) } }
  }

  /// How many bytes of events the kernel keeps at the moment (FIONREAD, inotify(7)).
  package var pending: UInt64 { UInt64(max(0, linux_pending(descriptor))) }

  isolated deinit {
    source?.cancel()
    buffer.deallocate()
  }

  /// Watches a directory, or finds the watch it has.
  ///
  /// - Parameters:
  ///   - directory: an open directory; O_PATH is enough. The watch is the directory's own, whatever its
  ///     path, and holds no mount.
  ///   - mask: IN_* bits.
  /// - Returns: the number of the watch.
  /// - Throws: ENOSPC when the user has too many watches (`fs.inotify.max_user_watches`); EACCES when
  ///   the directory is not readable.
  package func watch(_ directory: CInt, mask: UInt32 = InotifyInstance.contentMask) throws(SystemError)
    -> Int32
  {
    let number = try instance.watch(directory, mask: mask)
    return try take(number)
  }

  /// Counts a watch that was placed on another thread (``InotifyInstance/watch(_:mask:)``).
  ///
  /// - Throws: ENOSPC when it is one too many; it is removed then.
  package func take(_ number: Int32) throws(SystemError) -> Int32 {
    guard watches.contains(number) || watches.count < limit else {
      _ = inotify_rm_watch(descriptor, number)
      throw SystemError("inotify_add_watch", code: ENOSPC)
    }
    if limit != .max { watches.insert(number) }
    return number
  }

  /// Removes a watch. That it has gone already is no error.
  package func unwatch(_ number: Int32) {
    watches.remove(number)
    _ = inotify_rm_watch(descriptor, number)
  }

  /// Reads once, up to 256 KiB.
  ///
  /// - Returns: whether there may be more. The kernel gives all that it has and that fits (inotify(7)), so what
  ///   is far from filling the buffer was all; what comes later makes the descriptor readable again.
  package func read(_ body: (InotifyRecord) -> Void) throws(SystemError) -> Bool {
    let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    if count < 0 {
      let code = errno
      if code == EAGAIN || code == EINTR { return false }
      throw SystemError("read", code: code, subject: "inotify")
    }
    taken += UInt64(count)
    InotifyRecord.parse(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { record in
      // IN_IGNORED
      if limit != .max, record.mask & 0x8000 != 0 { watches.remove(record.watch) }
      body(record)
    }
    return count > buffer.count / 2
  }
}

/// An instance as the kernel has it. Watches may be placed from any thread: where a file system may not answer,
/// inotify_add_watch(2) waits for it.
package final class InotifyInstance: Sendable {
  /// What is asked of every directory: no more, so that reading the library causes no events (race 18).
  /// IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF |
  /// IN_MOVE_SELF.
  package static let contentMask: UInt32 = 0x100 | 0x8 | 0x40 | 0x80 | 0x200 | 0x4 | 0x400 | 0x800
  // IN_ONLYDIR. Not IN_EXCL_UNLINK: it hides the closing of a file that was made with O_TMPFILE and linked
  // into place, and so the moment when it is whole.
  private static let always: UInt32 = 0x0100_0000

  private let descriptor: OwnedDescriptor

  init() throws(SystemError) {
    descriptor = try OwnedDescriptor(
      inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC)), call: "inotify_init1")
  }

  var number: CInt { descriptor.number }

  /// Watches a directory, as ``InotifyQueue/watch(_:mask:)``, which does not count it.
  package func watch(_ directory: CInt, mask: UInt32 = contentMask) throws(SystemError) -> Int32 {
    // Through the descriptor, so that no link is followed and nothing can be swapped on the way.
    try retryingInterrupts("inotify_add_watch") {
      inotify_add_watch(descriptor.number, "/proc/self/fd/\(directory)", mask | Self.always)
    }
  }
}
