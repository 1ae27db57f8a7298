internal import AlbumClient
internal import CLinux
internal import Glibc
internal import Linux
internal import Varlink

/// Signals as something to read: they are taken when a command is ready for them (signalfd(2)).
struct SignalQueue: ~Copyable {
  private let queue: OwnedDescriptor

  /// Blocks these signals and queues them.
  init(_ signals: [CInt]) throws(SystemError) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    sigprocmask(SIG_BLOCK, &set, nil)
    queue = try OwnedDescriptor(
      signalfd(-1, &set, CInt(SFD_NONBLOCK | SFD_CLOEXEC)), call: "signalfd")
  }

  /// Readable when a signal came, for poll(2).
  var descriptor: CInt { queue.number }

  /// The next signal, if one came.
  func next() -> CInt? {
    var record = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    return read(queue.number, &record, size) == size ? CInt(record.ssi_signo) : nil
  }
}

/// poll(2).
enum Poll {
  /// Waits until something is ready, or the time is over.
  ///
  /// - Parameter milliseconds: nil for as long as it takes.
  static func wait(_ requests: inout [pollfd], milliseconds: Int? = nil) throws(SystemError) {
    let timeout = milliseconds.map { CInt(clamping: $0) } ?? -1
    try retryingInterrupts("poll") { poll(&requests, nfds_t(requests.count), timeout) }
  }
}

extension SignalQueue {
  /// Waits until the stream may have a reply.
  ///
  /// - Returns: false when a signal came first.
  /// - Throws: ``OutputClosed`` when nobody reads standard output any more.
  func allow(_ stream: AlbumStream<some VarlinkMethod>) throws -> Bool {
    if stream.mayHaveReply { return true }
    var requests = [
      pollfd(fd: stream.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      // Asked for nothing, poll(2) still tells when the reader of a pipe has gone.
      pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
    ]
    try Poll.wait(&requests)
    if requests[1].revents != 0 { return false }
    if requests[2].revents & Int16(POLLERR) != 0 { throw OutputClosed() }
    return true
  }
}
