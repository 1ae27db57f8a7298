internal import CLinux
internal import Glibc
internal import Linux

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
