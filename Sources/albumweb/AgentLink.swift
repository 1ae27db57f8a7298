internal import AlbumAPI
internal import AlbumClient
internal import Glibc
internal import Linux
internal import Synchronization

/// The page as an agent (S46): registered while somebody looks at it, and again when the daemon is back.
///
/// A thread of its own waits for the daemon and for ``want(_:)``; when nobody looks, it waits for that alone.
final class AgentLink: Sendable {
  /// What the daemon says.
  enum News: Sendable {
    case prompt(AgentInterface.Prompt)
    case withdrawn(AgentInterface.Withdrawal)
    /// The daemon has gone, or the page is no agent any more: every prompt with it.
    case lost
    /// The daemon does not take the page for an owner's, or is not there: why.
    case refused(String)
    case registered
  }

  private let socket: String?
  private let tell: @Sendable (News) -> Void
  /// The languages of who looks; nil while nobody does.
  private let wanted = Mutex<[String]?>(nil)
  private let signal: WakeSignal

  init(socket: String?, _ tell: @escaping @Sendable (News) -> Void) throws(SystemError) {
    self.socket = socket
    self.tell = tell
    signal = try WakeSignal()
  }

  /// Begins to wait.
  func start() { ThreadReserve.shared.run { [self] in work() } }

  /// Somebody looks, who reads these languages; or nobody, when nil.
  func want(_ languages: [String]?) {
    wanted.withLock { $0 = languages }
    signal.wake()
  }

  private func work() {
    var stream: AlbumStream<AgentInterface.Register>?
    var registered: [String]?
    var backoff = Backoff(bound: 30_000)
    let path = SocketPath.find(explicit: socket)
    let arrival = try? SocketArrival(path: path)
    while true {
      let languages = wanted.withLock { $0 }
      // What is asked is told in the languages of who looks now.
      if stream != nil, languages != registered {
        stream = nil
        tell(.lost)
      }
      registered = languages
      if let languages, stream == nil {
        do throws(AlbumError) {
          stream = try AlbumConnection(socket: socket).registerAgent(name: "albumweb", languages: languages)
        } catch { tell(.refused(error.message(in: languages.first ?? "en"))) }
      }
      var requests = [
        pollfd(fd: signal.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(
          fd: stream?.descriptor ?? (languages == nil ? -1 : arrival?.descriptor ?? -1),
          events: Int16(POLLIN), revents: 0),
      ]
      // A daemon that starts makes its socket first; one that refuses is asked again later.
      let isWaiting = stream == nil && languages != nil && access(path, F_OK) == 0
      let delay = stream?.mayHaveReply == true ? 0 : isWaiting ? backoff.delay() : -1
      _ = poll(&requests, 2, CInt(delay))
      signal.acknowledge()
      guard let open = stream else {
        if requests[1].revents != 0 {
          arrival?.acknowledge()
          backoff.reset()
        }
        continue
      }
      guard requests[1].revents != 0 || open.mayHaveReply else { continue }
      do throws(AlbumError) {
        guard let reply = try open.next() else {
          stream = nil
          tell(.lost)
          continue
        }
        backoff.reset()
        if let prompt = reply.prompt {
          tell(.prompt(prompt))
        } else if let withdrawn = reply.withdrawn {
          tell(.withdrawn(withdrawn))
        } else {
          tell(.registered)
        }
      } catch {
        stream = nil
        tell(.lost)
        if error.code != .connectionLost { tell(.refused(error.message(in: languages?.first ?? "en"))) }
      }
    }
  }
}
