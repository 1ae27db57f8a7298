internal import CSystemd
internal import Glibc
public import Linux

/// The signals that the daemon understands, as events on the loop (sd_event_add_signal(3)).
@EventLoopActor
public final class SignalSource {
  /// What a service manager, a terminal or `kill` sends.
  public enum Signal: CInt, CaseIterable, Sendable {
    /// SIGHUP: read the configuration again.
    case hangup = 1
    /// SIGINT: stop.
    case interrupt = 2
    /// SIGTERM: stop.
    case terminate = 15
  }

  private var source: EventSource?
  private let handler: @EventLoopActor () -> Void

  /// Blocks these signals, so that they wait for their sources. To be called first thing in main: threads
  /// that exist already would still be killed.
  ///
  /// SIGPIPE is ignored (a peer that goes away is an error of write(2)), and so are SIGXFSZ (a file that may not grow further,
  /// setrlimit(2), is one as well: EFBIG, of which SQLite makes SQLITE_IOERR_WRITE, as of a disk that fails, and not SQLITE_FULL)
  /// and SIGIO, which a lease that is broken sends (fcntl(2)).
  public nonisolated static func block() {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in Signal.allCases { sigaddset(&set, signal.rawValue) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGIO, SIG_IGN)
  }

  /// Calls the handler whenever the signal arrives. It must be blocked.
  public init(_ signal: Signal, handler: @escaping @EventLoopActor () -> Void) throws(SystemError) {
    self.handler = handler
    source = try EventSource(owner: self, call: "sd_event_add_signal") {
      sd_event_add_signal(EventLoop.shared.event, $0, signal.rawValue, dispatchSignal, $1)
    }
  }

  fileprivate func arrived() {
    handler()
  }
}

private func dispatchSignal(
  _: OpaquePointer?, _: UnsafePointer<signalfd_siginfo>?, context: UnsafeMutableRawPointer?
) -> CInt {
  guard let context else { return 0 }
  let source = Unmanaged<SignalSource>.fromOpaque(context).takeUnretainedValue()
  EventLoopActor.assumeIsolated(with: source) { $0.arrived() }
  return 0
}
