internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import Glibc
internal import Linux
internal import Words

/// An agent at work: carries news between the daemon, the terminal and the dialog, which decides.
final class AgentSession {
  private let global: GlobalOptions
  private let script: ScriptedAnswer?
  private let endsAfterOne: Bool
  private let signals: SignalQueue
  private let terminal: Terminal?
  private let output: AgentOutput
  private let service: AgentService
  private let pictures: AgentPictures?
  private var dialog: AgentDialog
  /// What the dialog wants to read: one thing at a time, so that keys and news are taken in between.
  private var reading: [PhotoPicker.Request] = []
  /// Keys that wait for what is being read: they were pressed for what it will show.
  private var keys: [(key: Key, time: Instant)] = []
  private var respond: AlbumStream<AgentInterface.Respond>?
  private var isOver = false
  private var hasAnswered = false

  init(_ global: GlobalOptions, script: ScriptedAnswer?, endsAfterOne: Bool) throws {
    self.global = global
    self.script = script
    self.endsAfterOne = endsAfterOne
    output = AgentOutput(asJSON: global.json, words: global.words)
    dialog = AgentDialog(words: global.words)
    // Before the terminal is changed: a signal must not end the program there.
    signals = try SignalQueue([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH])
    do throws(SystemError) { terminal = script == nil ? try Terminal() : nil } catch {
      throw CommandFailure(.usage, Person.words[.promptsNeedTerminal])
    }
    // For who reads what it prints, a program or a file, nothing is drawn.
    pictures =
      terminal != nil && !global.json && isatty(STDOUT_FILENO) == 1 ? AgentPictures(global) : nil
    service = try AgentService(global)
  }

  func run() throws {
    defer { terminal?.restore() }
    // Only a signal that ends the agent interrupts.
    do { try work() } catch is Interrupted {}
    if endsAfterOne, !hasAnswered { throw CommandFailure(.failed) }
  }

  private func work() throws {
    while !isOver {
      let settling = terminal == nil ? nil : dialog.settle(now: .now)
      try draw()
      var requests = [
        pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
        // poll(2) ignores negative descriptors.
        pollfd(fd: terminal?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: respond?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: service.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: pictures?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      let isPending =
        !reading.isEmpty || respond?.mayHaveReply == true || service.mayHaveNews
        || pictures?.mayHaveReply == true
      let delays = [service.retryDelay(), settling].compactMap { $0 }
      try Poll.wait(&requests, milliseconds: isPending ? 0 : delays.min())
      if requests[0].revents != 0 { takeSignal() }
      if requests[1].revents != 0 { try takeKeys() }
      if requests[2].revents != 0 || respond?.mayHaveReply == true { try takeOutcome() }
      if !isOver { try takeNews(isReady: requests[3].revents != 0) }
      try read()
      try pressKeys()
      if requests[4].revents != 0 || pictures?.mayHaveReply == true { pictures?.take() }
    }
  }

  private func draw() throws {
    guard let terminal else { return }
    let (columns, rows) = terminal.size
    try act(dialog.resize(rows: rows))
    guard let pictures else { return terminal.draw(dialog.screen(columns: columns, rows: rows)) }
    terminal.draw(
      pictures.frame(of: dialog, on: terminal, columns: columns, rows: rows, isBusy: !reading.isEmpty))
  }

  private func takeSignal() {
    while let signal = signals.next() {
      switch signal {
      case SIGWINCH: break
      case SIGTSTP:
        // The shell gets its terminal back as it was.
        terminal?.restore()
        raise(SIGSTOP)
        terminal?.makeRaw()
      default: isOver = true
      }
    }
  }

  private func takeKeys() throws {
    guard let new = terminal?.keys() else {
      isOver = true
      return
    }
    // Not the time when it is looked at: the library may be read in between.
    keys += new.map { (key: $0, time: Instant.now) }
  }

  private func pressKeys() throws {
    while reading.isEmpty, !isOver, !keys.isEmpty {
      let (key, time) = keys.removeFirst()
      try act(dialog.press(key, now: time))
    }
  }

  private var calls: InterruptibleCalls {
    InterruptibleCalls(signals: signals.descriptor) { [unowned self] in
      takeSignal()
      return isOver
    }
  }

  /// A key that was meant for something else must not answer what appears now.
  private func forgetKeys() {
    keys = []
    terminal?.forgetKeys()
  }

  private func takeNews(isReady: Bool) throws {
    guard let news = try service.news(isReady: isReady) else { return }
    switch news {
    case .registered: try output.registered()
    case .lost:
      respond = nil
      dialog.connectionLost()
      reading = []
      try draw()
      try output.lost()
    case .prompt(let prompt):
      if !dialog.isOpen { forgetKeys() }
      try act(dialog.show(prompt, now: .now))
      try answerByScript()
    case .withdrawn(let withdrawal):
      forgetKeys()
      try act(dialog.withdraw(withdrawal, now: .now))
      if global.json { try Output.json(AgentInterface.Register.Reply(withdrawn: withdrawal)) }
      try answerByScript()
    }
  }

  private func answerByScript() throws {
    guard let script else { return }
    if !global.json {
      // The record tells which photos it was about.
      while !reading.isEmpty { try read() }
      try output.show(dialog)
    }
    reading = []
    try act(dialog.answer(with: script, now: .now))
  }

  private func act(_ actions: [AgentDialog.Action]) throws {
    for action in actions {
      switch action {
      case .respond(let prompt, let answer): try send(answer, to: prompt)
      case .load(let request): reading.append(request)
      case .report(let line):
        // Out of the screen's way.
        terminal?.draw([])
        try output.report(line)
      case .end: isOver = true
      }
    }
  }

  private func send(_ answer: AgentInterface.Answer, to prompt: String) throws {
    do throws(AlbumError) {
      respond = try service.connectAgain().respond(to: prompt, with: answer)
    } catch { try fail(error) }
  }

  private func takeOutcome() throws {
    guard let stream = respond else { return }
    respond = nil
    let prompt = dialog.prompt
    let outcome: AgentInterface.Respond.Reply?
    do throws(AlbumError) { outcome = try stream.next() } catch {
      try fail(error)
      return try answerByScript()
    }
    forgetKeys()
    if let prompt, let answer = dialog.answer { try output.answered(prompt, answer) }
    if let outcome, outcome.stored == false {
      // Out of the screen's way.
      terminal?.draw([])
      Report.unsaved(.init(stored: false, reason: outcome.reason), global.words)
    }
    hasAnswered = true
    try act(dialog.answered(now: .now))
    isOver = isOver || endsAfterOne
    if !isOver { try answerByScript() }
  }

  private func fail(_ error: AlbumError) throws {
    let isConnection = error.code == .connectionLost || error.code == .notRunning
    let isFinal = error.code == .noSuchPrompt
    // A script that does not fit will not fit the next time either.
    if script != nil, !isConnection, !isFinal { throw error }
    try act(dialog.answerFailed(error.message(in: Person.words), isFinal: isFinal, now: .now))
  }

  /// Reads one part of the library.
  private func read() throws {
    guard !reading.isEmpty else { return }
    let request = reading.removeFirst()
    let loaded: PhotoPicker.Loaded
    do { loaded = try service.read(request, by: calls) } catch let error as AlbumError {
      return dialog.loadFailed(error.message(in: Person.words), for: request)
    }
    try act(dialog.loaded(loaded, for: request))
  }
}
