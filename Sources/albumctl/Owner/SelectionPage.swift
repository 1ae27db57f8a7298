internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import Glibc

/// The limited picker on the settings page: an owner changes what an app sees without being asked by it.
struct SelectionPage {
  private let terminal: Terminal
  private let library: LibraryReader
  private let calls: InterruptibleCalls
  private let pictures: AgentPictures
  private var dialog = AgentDialog(words: Person.words)
  private var reading: [PhotoPicker.Request] = []
  private var answer: AgentInterface.Answer?
  private var isOver = false

  /// - Parameters:
  ///   - calls: by which the library is read.
  ///   - pictures: of what the cursor is on.
  init(
    terminal: Terminal, library: LibraryReader, calls: InterruptibleCalls, pictures: AgentPictures
  ) {
    self.pictures = pictures
    self.terminal = terminal
    self.library = library
    self.calls = calls
  }

  /// Lets the owner choose, beginning with what is selected now.
  ///
  /// - Parameters:
  ///   - signals: readable when a signal came, for poll(2).
  ///   - endsBySignal: takes the signal; whether it ends the program.
  /// - Returns: what was chosen; nil when the page was left.
  mutating func choose(
    for app: ManagerInterface.App, selected: ManagerInterface.GetSelection.Reply, signals: CInt,
    endsBySignal: () -> Bool
  ) throws -> AgentInterface.Answer? {
    defer { pictures.forget() }
    // What the daemon would show for the app's own PresentLimitedPicker. The owner said already that it is
    // about photos, so the picker opens at once, and leaving it leaves the page.
    act(
      dialog.show(
        AgentInterface.Prompt(
          id: "", kind: .limitedPicker,
          app: .init(id: app.id, name: app.name, verified: true, user: app.user ?? "\(app.uid)"),
          accessLevel: .readWrite, choices: [.limited], selection: selected.assets + selected.albums),
        // The owner asked for it: the key that opens it does not come too soon.
        now: Instant(microseconds: 0)))
    press(.character(AgentDialog.selectKey))
    while !isOver {
      let (columns, rows) = terminal.size
      act(dialog.resize(rows: rows))
      terminal.draw(
        pictures.frame(of: dialog, on: terminal, columns: columns, rows: rows, isBusy: !reading.isEmpty))
      var requests = [
        pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
        pollfd(fd: terminal.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: pictures.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let isPending = !reading.isEmpty || pictures.mayHaveReply
      try Poll.wait(&requests, milliseconds: isPending ? 0 : nil)
      if requests[0].revents != 0 { isOver = isOver || endsBySignal() }
      if requests[1].revents != 0 { takeKeys() }
      // What a key changed is shown before it is read.
      if requests.allSatisfy({ $0.revents == 0 }) { try read() }
      if requests[2].revents != 0 || pictures.mayHaveReply { pictures.take() }
    }
    return answer
  }

  private mutating func takeKeys() {
    guard let keys = terminal.keys() else {
      isOver = true
      return
    }
    for key in keys where !isOver { press(key) }
  }

  private mutating func press(_ key: Key) {
    act(dialog.press(key, now: .now))
    isOver = isOver || !dialog.isPicking
  }

  private mutating func read() throws {
    guard !reading.isEmpty else { return }
    let request = reading.removeFirst()
    do { act(dialog.loaded(try library.read(request, by: calls), for: request)) } catch let error
      as AlbumError
    {
      dialog.loadFailed(error.message(in: Person.words), for: request)
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
