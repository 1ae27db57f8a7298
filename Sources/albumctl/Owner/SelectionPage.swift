internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import Glibc

/// The limited picker on the settings page: an owner changes what an app sees without being asked by it.
struct SelectionPage {
  private let terminal: Terminal
  private let library: LibraryReader
  private var dialog = AgentDialog(words: Person.words)
  private var reading: [PhotoPicker.Request] = []
  private var answer: AgentInterface.Answer?
  private var isOver = false

  init(terminal: Terminal, library: LibraryReader) {
    self.terminal = terminal
    self.library = library
  }

  /// Lets the owner choose, beginning with what is selected now.
  ///
  /// - Returns: what was chosen; nil when the page was left.
  mutating func choose(
    for app: ManagerInterface.App, selected: ManagerInterface.GetSelection.Reply,
    signals: borrowing SignalQueue
  ) throws -> AgentInterface.Answer? {
    // What the daemon would show for the app's own PresentLimitedPicker.
    act(
      dialog.show(
        AgentInterface.Prompt(
          id: "", kind: .limitedPicker,
          app: .init(id: app.id, name: app.name, verified: true, user: app.user ?? "\(app.uid)"),
          accessLevel: .readWrite, choices: [.limited, .allow, .notNow],
          selection: selected.assets + selected.albums)))
    while !isOver {
      let (columns, rows) = terminal.size
      act(dialog.resize(rows: rows))
      terminal.draw(dialog.screen(columns: columns, rows: rows))
      if !reading.isEmpty {
        read()
        continue
      }
      var requests = [
        pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: terminal.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      try Poll.wait(&requests, milliseconds: nil)
      if requests[0].revents != 0 { takeSignals(signals) }
      if requests[1].revents != 0 { takeKeys() }
    }
    return answer
  }

  private mutating func takeSignals(_ signals: borrowing SignalQueue) {
    while let signal = signals.next() { isOver = isOver || signal != SIGWINCH }
  }

  private mutating func takeKeys() {
    guard let keys = terminal.keys() else {
      isOver = true
      return
    }
    for key in keys where !isOver { act(dialog.press(key, now: .now)) }
  }

  private mutating func read() {
    let request = reading.removeFirst()
    do { act(dialog.loaded(try library.read(request), for: request)) } catch {
      dialog.loadFailed(error.message, for: request)
    }
  }

  private mutating func act(_ actions: [AgentDialog.Action]) {
    for action in actions {
      switch action {
      case .respond(_, let answer):
        self.answer = answer
        isOver = true
      case .load(let request): reading.append(request)
      case .report: break
      case .end: isOver = true
      }
    }
  }
}
