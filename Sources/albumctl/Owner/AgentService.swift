internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import Glibc

/// The daemon as an agent sees it: prompts, withdrawals, and being away for a while.
final class AgentService {
  enum News {
    case registered
    case prompt(AgentInterface.Prompt)
    case withdrawn(AgentInterface.Withdrawal)
    /// The daemon has gone. It is awaited.
    case lost
  }

  private let global: GlobalOptions
  private let path: String
  private let arrival: SocketArrival
  private var stream: AlbumStream<AgentInterface.Register>?
  private var backoff = Backoff(bound: 30_000)
  private let library: LibraryReader

  /// Registers for the first time; nobody there is an error.
  init(_ global: GlobalOptions) throws {
    self.global = global
    library = LibraryReader(global)
    path = SocketPath.find(explicit: global.socket)
    arrival = try SocketArrival(path: path)
    stream = try register()
  }

  /// For poll(2): the daemon, or while it is away the place where it will appear.
  var descriptor: CInt { stream?.descriptor ?? arrival.descriptor }

  /// Whether there is something that poll(2) knows nothing of.
  var mayHaveNews: Bool { stream?.mayHaveReply ?? false }

  /// Milliseconds until the daemon is tried again; nil when there is nothing to try, because it is there
  /// or its socket does not exist.
  func retryDelay() -> Int? {
    stream == nil && access(path, F_OK) == 0 ? backoff.delay() : nil
  }

  /// What the daemon says, if it says something.
  ///
  /// - Parameter isReady: whether the descriptor is readable.
  /// - Throws: ``AlbumClient/AlbumError`` when the daemon does not take this process for an agent.
  func news(isReady: Bool) throws -> News? {
    guard let stream else {
      if isReady {
        arrival.acknowledge()
        backoff.reset()
      }
      // Whatever keeps it from being reached may be over soon.
      self.stream = try? register()
      return nil
    }
    guard isReady || stream.mayHaveReply else { return nil }
    do throws(AlbumError) {
      guard let reply = try stream.next() else { return lost() }
      backoff.reset()
      if let prompt = reply.prompt { return .prompt(prompt) }
      if let withdrawal = reply.withdrawn { return .withdrawn(withdrawal) }
      return .registered
    } catch {
      guard error.code == .connectionLost else { throw error }
      return lost()
    }
  }

  /// Another connection, for what the registered one is too busy for.
  func connectAgain() throws(AlbumError) -> AlbumConnection { try global.connect() }

  /// A part of the library, as an owner sees it.
  func read(_ request: PhotoPicker.Request, by calls: InterruptibleCalls) throws -> PhotoPicker.Loaded {
    try library.read(request, by: calls)
  }

  /// A program is told the same in every language (``GlobalOptions/words``).
  private func register() throws(AlbumError) -> AlbumStream<AgentInterface.Register> {
    try global.connect().registerAgent(name: "albumctl", languages: global.json ? [] : Person.languages)
  }

  private func lost() -> News {
    stream = nil
    library.forget()
    return .lost
  }
}
