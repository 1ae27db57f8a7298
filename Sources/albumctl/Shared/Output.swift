internal import AlbumTerminal
internal import Glibc
internal import Linux
internal import Varlink

/// Standard output, whose end is noticed.
enum Output {
  /// Writes everything.
  ///
  /// - Throws: ``OutputClosed`` when nobody reads any more (EPIPE, write(2)); ``CommandFailure`` when it
  ///   cannot be written, such as to a full disk.
  static func write(_ text: String) throws {
    var text = text
    let result: Result<Void, any Error> = text.withUTF8 { utf8 in
      Result { try write(UnsafeRawBufferPointer(utf8)) }
    }
    try result.get()
  }

  /// How wide the terminal is; 80 columns where there is none.
  static var columns: Int {
    var size = winsize()
    _ = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
    return size.ws_col == 0 ? 80 : Int(size.ws_col)
  }

  static func line(_ text: String) throws { try write(text + "\n") }

  static func json(_ value: some Encodable) throws {
    let text = String(decoding: try JSONEncoding.encode(value), as: UTF8.self)
    try write((isatty(STDOUT_FILENO) == 1 ? SafeText.json(text) : text) + "\n")
  }

  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt = STDOUT_FILENO) throws {
    var rest = bytes
    while !rest.isEmpty {
      do throws(SystemError) {
        let count = try retryingInterrupts("write") { Glibc.write(descriptor, rest.baseAddress, rest.count) }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } catch {
        if error.code == EPIPE { throw OutputClosed() }
        guard error.code == EAGAIN else { throw CommandFailure(.failed, "Cannot write: \(error.reason).") }
        // A terminal or pipe that somebody made non-blocking.
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, -1)
      }
    }
  }
}

/// Nobody reads standard output any more.
struct OutputClosed: Error {}

/// The three descriptors that every program relies on.
enum StandardDescriptors {
  /// Fills those that the caller closed, lest the daemon's socket takes their place, and turns the end of
  /// a reader into an error of write(2).
  static func make() {
    while true {
      let lowest = open("/dev/null", O_RDWR)
      if lowest > STDERR_FILENO { _ = close(lowest) }
      if lowest < 0 || lowest > STDERR_FILENO { break }
    }
    signal(SIGPIPE, SIG_IGN)
  }
}
