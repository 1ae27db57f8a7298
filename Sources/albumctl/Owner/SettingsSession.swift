internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import Glibc
internal import Linux
internal import Varlink
internal import Words

/// The settings page at work: carries keys and news to the dialog, which decides, and does what it says.
final class SettingsSession {
  private let connection: AlbumConnection
  private let library: LibraryReader
  private let pictures: AgentPictures
  private let signals: SignalQueue
  private let terminal: Terminal
  /// News of the app: whatever is noted may have changed how it stands.
  private let news: AlbumStream<ManagerInterface.ListAccessLog>
  private var dialog: SettingsDialog
  private var isOver = false

  init(_ global: GlobalOptions, app: String, terminal: Terminal) throws {
    // Before the terminal is drawn on: a signal must not end the program there.
    signals = try SignalQueue([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH])
    self.terminal = terminal
    connection = try global.connect()
    library = LibraryReader(global)
    pictures = AgentPictures(global)
    news = try global.connect().accessLog(app: app, follow: true)
    dialog = SettingsDialog(appID: app, words: Person.words)
  }

  func run() throws {
    defer { terminal.restore() }
    // Only a signal that ends the page interrupts.
    do { try show() } catch is Interrupted {}
  }

  private func show() throws {
    try refresh()
    while !isOver {
      draw()
      var requests = [
        pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: terminal.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: news.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      try Poll.wait(&requests, milliseconds: news.mayHaveReply ? 0 : nil)
      if requests[0].revents != 0 { takeSignal() }
      if requests[1].revents != 0 { try takeKeys() }
      if !isOver, requests[2].revents != 0 || news.mayHaveReply { try takeNews() }
    }
  }

  private func draw() {
    let (columns, rows) = terminal.size
    terminal.draw(dialog.screen(columns: columns, rows: rows))
  }

  private func takeSignal() {
    while let signal = signals.next() {
      switch signal {
      case SIGWINCH: break
      case SIGTSTP:
        // The shell gets its terminal back as it was.
        terminal.restore()
        raise(SIGSTOP)
        terminal.makeRaw()
      default: isOver = true
      }
    }
  }

  private func takeKeys() throws {
    guard let keys = terminal.keys() else {
      isOver = true
      return
    }
    for key in keys where !isOver {
      for action in dialog.press(key, now: .now) { try act(action) }
    }
  }

  private func takeNews() throws {
    guard let reply = try news.next() else {
      isOver = true
      return
    }
    dialog.note(reply.entries)
    try refresh()
  }

  private var calls: InterruptibleCalls {
    InterruptibleCalls(signals: signals.descriptor) { [unowned self] in
      takeSignal()
      return isOver
    }
  }

  /// Has the owner choose what an app sees.
  private func select(for app: ManagerInterface.App) throws {
    let selected = try calls.call(
      connection, ManagerInterface.GetSelection.self, .init(appId: app.id, uid: app.uid))
    var page = SelectionPage(terminal: terminal, library: library, calls: calls, pictures: pictures)
    let answer = try page.choose(for: app, selected: selected, signals: signals.descriptor) {
      takeSignal()
      return isOver
    }
    guard let answer else { return dialog.left() }
    _ = try calls.call(
      connection, ManagerInterface.SetSelection.self,
      .init(
        appId: app.id, uid: app.uid, assets: answer.assets ?? [], albums: answer.albums ?? [],
        operation: .replace))
    dialog.done()
  }

  private func act(_ action: SettingsDialog.Action) throws {
    // That it is on its way, for as long as that takes.
    draw()
    if case .select(let app) = action {
      do { try select(for: app) } catch let error as AlbumError {
        guard error.code != .connectionLost else { throw error }
        dialog.failed(error.message(in: Person.words))
      }
      if !isOver { try refresh() }
      return
    }
    do {
      var storing = ManagerInterface.Storing()
      switch action {
      case .set(let decision):
        storing = try calls.call(connection, ManagerInterface.SetAuthorization.self, decision)
      case .setLocation(let change):
        storing = try calls.call(connection, ManagerInterface.SetLocation.self, change)
      case .reset(let which):
        let reply = try calls.call(connection, ManagerInterface.Reset.self, which)
        storing = .init(stored: reply.stored, reason: reply.reason)
      case .select: return
      case .end:
        isOver = true
        return
      }
      if storing.stored == false {
        dialog.failed(Person.words[.countsUnsaved, ["reason": storing.reason ?? ""]])
      } else {
        dialog.done()
      }
    } catch let error as AlbumError {
      guard error.code != .connectionLost else { throw error }
      dialog.failed(error.message(in: Person.words))
    }
    try refresh()
  }

  private func refresh() throws {
    let replies = try connection.stream(
      ManagerInterface.ListApps.self, .init(language: Person.words.language))
    var apps = try calls.first(of: replies)?.apps ?? []
    while let reply = try replies.next() { apps += reply.apps }
    dialog.show(apps)
  }
}
