internal import AlbumAPI
internal import AlbumWeb
internal import Linux
internal import NIOCore
internal import Notifications

/// Everything that the page knows (S60): who was let in, who looks, and what is asked. Nothing here waits.
actor Desk {
  /// What an open page is told.
  enum Event: Sendable {
    /// Another prompt, or none, is to be shown; why the one before has gone.
    case prompt(reason: String?)
    /// Whether albumd can be asked; why not.
    case daemon(problem: String?)
    /// Something was noted in the access log.
    case log
    /// The session was ended.
    case ended
  }

  private struct OpenPage {
    let session: String
    let events: AsyncStream<Event>.Continuation
    /// Whether it is told of the log, and not of prompts.
    let isLog: Bool
    /// Whether it has still to take the last news of the log: one is enough, and leaves room for prompts.
    var hasLogNews = false
  }

  private let file: SessionFile
  private var sessions: Sessions
  private var codes = EntryCodes()
  private(set) var board = PromptBoard()
  private var appPages = AppPages()
  private var pages: [Int: OpenPage] = [:]
  private var lastPage = 0
  private var agent: AgentLink?
  /// The desktop, where the session has a bus.
  var desktop: Notifications?
  /// Whether somebody may answer there.
  var hasDesktop = false
  private var log: LogLink?
  private var settings: SettingsLink?
  private(set) var problem: String?
  /// Counts looks at the page, so that only the last one's end makes it no agent.
  private var looks = 0
  /// What comes of the last look.
  private var rest: Scheduled<Void>?
  /// How long after the last look the page remains an agent: while somebody goes from one page to the next,
  /// or reads one that is not live.
  private static let patience = TimeAmount.seconds(120)
  /// Open pages at a time.
  private static let limit = 64

  init(sessions file: SessionFile) {
    self.file = file
    sessions = file.read(now: Self.seconds)
  }

  func start(_ agent: AgentLink, _ log: LogLink, _ settings: SettingsLink) {
    self.settings = settings
    self.agent = agent
    self.log = log
    agent.start()
    log.start()
  }

  static var seconds: Int64 { Int64(RealTime.microseconds / 1_000_000) }
  static var sinceBoot: Int64 { Int64(Clock.sinceBoot) }

  // MARK: Getting in

  /// A code for a link.
  func issueCode() -> Secret {
    var source = SystemRandomNumberGenerator()
    return codes.issue(now: Self.sinceBoot, using: &source)
  }

  /// Somebody shows a code.
  func redeem(_ code: String, browser: String) async -> Session? {
    switch codes.redeem(code, now: Self.sinceBoot) {
    case .welcome:
      var source = SystemRandomNumberGenerator()
      let session = sessions.begin(browser: browser, now: Self.seconds, using: &source)
      file.write(sessions)
      closePages()
      Log.note("A browser was let in: \(session.record.browser)")
      return session
    case .wrong:
      Log.refusal("A wrong code was shown.", of: .codes)
      try? await LoopTasks.wait(.microseconds(EntryCodes.penalty))
      codes.answered()
      return nil
    case .busy:
      Log.refusal("Wrong codes are shown too fast.", of: .codes)
      return nil
    }
  }

  /// A code that nobody needs works no more.
  func burn(_ code: String) { codes.burn(code) }

  func session(_ cookie: Secret) -> Session? { sessions.find(cookie, now: Self.seconds) }
  var allSessions: [SessionRecord] { sessions.all }
  /// Whether a session still counts that did when its page was opened.
  func isIn(_ session: Session) -> Bool { sessions.has(session.name, now: Self.seconds) }

  /// Ends a session, and what it has open.
  ///
  /// - Returns: what was known of it, if it was there.
  @discardableResult
  func end(_ name: String) -> SessionRecord? {
    guard let record = sessions.end(named: name) else { return nil }
    file.write(sessions)
    closePages()
    return record
  }

  /// Ends what is open of sessions that are none any more: ended, made way for another, or thirty days old.
  private func closePages() {
    let now = Self.seconds
    for (id, page) in pages where !sessions.has(page.session, now: now) {
      page.events.yield(.ended)
      close(id)
    }
  }

  // MARK: Looking

  /// Somebody looks at a page, live or not: there is an agent for a while.
  func look(_ languages: [String]) {
    looks += 1
    welcome(languages)
    restLater()
  }

  /// Somebody may answer, who reads these languages.
  func welcome(_ languages: [String]) {
    // A prompt that is open stays in the words that it has.
    if board.current == nil { agent?.want(languages) }
  }

  /// A page is open: it is told of prompts until it is closed.
  ///
  /// - Parameter isLog: whether it shows the log, and is told instead of what is noted there.
  /// - Returns: nil where too many are.
  func open(for session: Session, isLog: Bool) -> (id: Int, events: AsyncStream<Event>)? {
    guard pages.count < Self.limit else { return nil }
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(16))
    lastPage += 1
    let id = lastPage
    pages[id] = OpenPage(session: session.name, events: continuation, isLog: isLog)
    // Also where nobody ever reads it.
    continuation.onTermination = { [weak self] _ in Task.onLoops { await self?.close(id) } }
    if isLog {
      log?.want(true)
      // What was noted while the page was on its way.
      logChanged()
    } else {
      continuation.yield(.prompt(reason: nil))
      continuation.yield(.daemon(problem: problem))
    }
    return (id, stream)
  }

  /// It was closed.
  func close(_ id: Int) {
    guard let page = pages.removeValue(forKey: id) else { return }
    page.events.finish()
    if page.isLog, !pages.values.contains(where: \.isLog) { log?.want(false) }
    looks += 1
    restLater()
  }

  func restLater() {
    let look = looks
    rest?.cancel()
    rest = LoopTasks.loops.any().scheduleTask(in: Self.patience) {
      Task.onLoops { await self.rest(since: look) }
    }
  }

  /// Nobody looks any more, unless somebody has since.
  private func rest(since look: Int) {
    guard look == looks, pages.isEmpty, !hasDesktop else { return }
    agent?.want(nil)
    // Nobody asks any more whether it still holds.
    problem = nil
  }

  // MARK: The log

  /// Something was noted.
  func logChanged() {
    for (id, page) in pages where page.isLog && !page.hasLogNews {
      pages[id]?.hasLogNews = true
      page.events.yield(.log)
    }
  }

  /// A page is being told of it: what comes from now on is news again.
  func tellsLog(_ id: Int) { pages[id]?.hasLogNews = false }

  // MARK: Prompts

  func take(_ news: AgentLink.News) {
    switch news {
    case .registered:
      toldProblem(nil)
      settings?.retry()
    case .refused(let reason): toldProblem(reason)
    case .lost:
      board.lost()
      tell(.prompt(reason: nil))
    case .prompt(let prompt):
      board.show(prompt)
      tell(.prompt(reason: nil))
    case .withdrawn(let withdrawal):
      board.close(withdrawal.id)
      tell(.prompt(reason: withdrawal.reason))
    }
  }

  private func toldProblem(_ reason: String?) {
    guard problem != reason else { return }
    problem = reason
    tell(.daemon(problem: reason))
  }

  func shown(_ id: String, to session: Session) { board.shown(id, to: session, now: Self.sinceBoot) }

  /// Whether an answer may be sent; then it is on its way.
  func beginAnswer(_ id: String, from session: Session) -> PromptBoard.Verdict {
    let verdict = board.verdict(on: id, from: session, now: Self.sinceBoot)
    if verdict == .send { board.send(id) }
    return verdict
  }

  /// What became of it.
  func endAnswer(_ id: String, isOver: Bool) {
    if isOver {
      board.close(id)
      tell(.prompt(reason: nil))
    } else {
      board.notTaken(id)
    }
  }

  // MARK: Settings

  /// What an app may do is shown, and can be changed there.
  func shownApp(to session: Session) { appPages.shown(to: session, now: Self.sinceBoot) }

  /// Whether what comes of that page is meant for it.
  func mayChangeApp(from session: Session) -> Bool { appPages.isSettled(for: session, now: Self.sinceBoot) }

  private func tell(_ event: Event) {
    closePages()
    for page in pages.values where !page.isLog { page.events.yield(event) }
    notify()
  }
}
