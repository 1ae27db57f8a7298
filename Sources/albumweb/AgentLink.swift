internal import AlbumAPI
internal import AlbumClient
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
    var wait = LinkWait(socket: socket, signal)
    while true {
      let languages = wanted.withLock { $0 }
      // What is asked is told in the languages of who looks now.
      if stream != nil, languages != registered {
        stream = nil
        tell(.lost)
      }
      registered = languages
      if let languages, stream == nil, wait.mayAsk {
        do throws(AlbumError) {
          stream = try AlbumConnection(socket: socket).registerAgent(name: "albumweb", languages: languages)
        } catch { tell(.refused(error.message(in: languages.first ?? "en"))) }
      }
      guard wait.wait(for: stream, isWanted: languages != nil).isNews, let open = stream else { continue }
      do throws(AlbumError) {
        guard let reply = try open.next() else {
          stream = nil
          wait.lost()
          tell(.lost)
          continue
        }
        wait.heard()
        if let prompt = reply.prompt {
          tell(.prompt(prompt))
        } else if let withdrawn = reply.withdrawn {
          tell(.withdrawn(withdrawn))
        } else {
          tell(.registered)
        }
      } catch {
        stream = nil
        wait.lost()
        tell(.lost)
        if error.code != .connectionLost { tell(.refused(error.message(in: languages?.first ?? "en"))) }
      }
    }
  }
}
