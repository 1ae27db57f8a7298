internal import AlbumAPI
internal import AlbumTerminal
internal import Glibc
internal import Linux

/// The controlling terminal (tty(4)), key by key and without echo, until this goes away.
///
/// The screen is drawn in the alternate buffer: what stood there before is back afterwards, and a changed
/// size spoils nothing.
final class Terminal {
  private let device: OwnedDescriptor
  private var original = termios()
  private var isRaw = false
  /// What is on the screen; nil where it is hidden.
  private var shown: ScreenFrame?
  private var reader = KeyReader()
  /// Which pictures it can show, as far as it has answered.
  private(set) var graphics = TerminalGraphics()

  /// - Throws: ``Linux/SystemError``: ENXIO without a controlling terminal.
  init() throws(SystemError) {
    device = try OwnedDescriptor(
      Glibc.open("/dev/tty", O_RDWR | O_CLOEXEC), call: "open", subject: "/dev/tty")
    try retryingInterrupts("tcgetattr") { tcgetattr(device.number, &original) }
    makeRaw()
  }

  deinit { restore() }

  /// Readable when keys were pressed, for poll(2).
  var descriptor: CInt { device.number }

  /// Takes keys one by one (termios(3), non-canonical mode). Signals such as Ctrl-C stay signals.
  func makeRaw() {
    guard !isRaw else { return }
    var raw = original
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    raw.c_cc.6 = 1  // VMIN
    raw.c_cc.5 = 0  // VTIME
    isRaw = tcsetattr(device.number, TCSANOW, &raw) == 0
  }

  /// Leaves the terminal as it was found.
  func restore() {
    hide()
    guard isRaw else { return }
    isRaw = false
    tcsetattr(device.number, TCSANOW, &original)
  }

  /// Asks which pictures it can show. The answer comes among the keys.
  ///
  /// - Parameter term: what the environment says of it (`TERM`).
  func askForGraphics(term: String) {
    if let question = graphics.ask(term: term, now: .now) { write(question) }
  }

  /// Forgets keys pressed before: they were not meant for what appears now.
  func forgetKeys() {
    // Half of an answer would be taken for keys. One who sends without end is left to the system.
    for _ in 0..<64 where graphics.expectsAnswers(now: .now) {
      guard let bytes = bytesWithin(milliseconds: 0) else { return }
      _ = keys(in: bytes)
    }
    tcflush(device.number, TCIFLUSH)
  }

  /// The keys pressed; nil when the terminal has gone.
  func keys() -> [Key]? {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(device.number, &bytes, bytes.count)
    if count < 0 { return errno == EINTR || errno == EAGAIN ? [] : nil }
    if count == 0 { return nil }
    bytes.removeSubrange(count...)
    let expectsAnswers = graphics.expectsAnswers(now: .now)
    while reader.isUnfinished(bytes, expectsAnswers: expectsAnswers), bytes.count < 1024,
      let rest = bytesWithin(milliseconds: 50)
    { bytes += rest }
    return keys(in: bytes)
  }

  /// What is no key is taken for what it answers.
  private func keys(in bytes: [UInt8]) -> [Key] {
    let now = Instant.now
    return reader.read(bytes, expectsAnswers: graphics.expectsAnswers(now: now)).compactMap { input in
      switch input {
      case .key(let key): return key
      case .answer(let answer):
        graphics.take(answer, now: now)
        return nil
      }
    }
  }

  /// What comes within this time, as the rest of a sequence does that a slow line cut in two.
  private func bytesWithin(milliseconds: CInt) -> [UInt8]? {
    var request = pollfd(fd: device.number, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, milliseconds) == 1 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(device.number, &bytes, bytes.count)
    return count > 0 ? Array(bytes[..<count]) : nil
  }

  /// Columns and rows; those of 1978 where the terminal does not tell.
  var size: (columns: Int, rows: Int) {
    let size = windowSize
    return (size.ws_col == 0 ? 80 : Int(size.ws_col), size.ws_row == 0 ? 24 : Int(size.ws_row))
  }

  private var windowSize: winsize {
    var size = winsize()
    _ = ioctl(device.number, UInt(TIOCGWINSZ), &size)
    return size
  }

  /// Shows these lines and nothing else; hides the screen when there are none.
  func draw(_ lines: [AgentDialog.Line]) {
    let (columns, rows) = size
    draw(ScreenFrame(lines, columns: columns, rows: rows))
  }

  /// Shows this and nothing else; hides the screen when it has no lines.
  func draw(_ frame: ScreenFrame) {
    guard !frame.lines.isEmpty else { return hide() }
    let size = windowSize
    graphics.resize(
      columns: Int(size.ws_col), rows: Int(size.ws_row), width: Int(size.ws_xpixel),
      height: Int(size.ws_ypixel))
    // xterm's alternate buffer (1049) and cursor (25).
    let begins = shown == nil ? Array("\u{1B}[?1049h\u{1B}[?25l".utf8) : []
    write(begins + frame.bytes(after: shown, on: graphics))
    shown = frame
  }

  private func hide() {
    guard let shown else { return }
    self.shown = nil
    write(shown.erasure(graphics) + Array("\u{1B}[?25h\u{1B}[?1049l".utf8))
  }

  private func write(_ bytes: [UInt8]) {
    // A terminal that has gone is noticed when its keys are read.
    bytes.withUnsafeBytes { try? Output.write($0, to: device.number) }
  }
}
