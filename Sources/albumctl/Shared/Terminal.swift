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
  private var showsScreen = false

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

  /// Forgets keys pressed before: they were not meant for what appears now.
  func forgetKeys() {
    tcflush(device.number, TCIFLUSH)
  }

  /// The keys pressed; nil when the terminal has gone.
  func keys() -> [Key]? {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(device.number, &bytes, bytes.count)
    if count < 0 { return errno == EINTR || errno == EAGAIN ? [] : nil }
    if count == 0 { return nil }
    bytes.removeSubrange(count...)
    while Key.isUnfinished(bytes), bytes.count < 1024, let rest = bytesWithin(milliseconds: 50) {
      bytes += rest
    }
    return Key.keys(in: bytes)
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
    var size = winsize()
    _ = ioctl(device.number, UInt(TIOCGWINSZ), &size)
    return (size.ws_col == 0 ? 80 : Int(size.ws_col), size.ws_row == 0 ? 24 : Int(size.ws_row))
  }

  /// Shows these lines and nothing else; hides the screen when there are none.
  func draw(_ lines: [AgentDialog.Line]) {
    guard !lines.isEmpty else { return hide() }
    // ECMA-48, and xterm's alternate buffer (1049) and cursor (25).
    var text = showsScreen ? "" : "\u{1B}[?1049h\u{1B}[?25l"
    showsScreen = true
    text += "\u{1B}[H\u{1B}[2J"
    text += lines.map(rendered).joined(separator: "\r\n")
    write(text)
  }

  private func rendered(_ line: AgentDialog.Line) -> String {
    let style = (line.isEmphasized ? ["1"] : []) + (line.isFaint ? ["2"] : [])
    return style.isEmpty ? line.text : "\u{1B}[\(style.joined(separator: ";"))m\(line.text)\u{1B}[m"
  }

  private func hide() {
    guard showsScreen else { return }
    showsScreen = false
    write("\u{1B}[?25h\u{1B}[?1049l")
  }

  private func write(_ text: String) {
    // A terminal that has gone is noticed when its keys are read.
    var text = text
    text.withUTF8 { try? Output.write(UnsafeRawBufferPointer($0), to: device.number) }
  }
}
