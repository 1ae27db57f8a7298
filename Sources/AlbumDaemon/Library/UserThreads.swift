internal import EventLoop
internal import Linux

/// One thread for each user's files: reading one waits for the disk, or for a file system of the peer's own that
/// never answers, and then it is that user who waits.
@EventLoopActor
final class UserThreads {
  private var threads: [UInt32: SerialThread] = [:]

  /// The thread of a user.
  func thread(of uid: UInt32) -> SerialThread {
    if let thread = threads[uid] { return thread }
    let thread = SerialThread()
    threads[uid] = thread
    return thread
  }
}
