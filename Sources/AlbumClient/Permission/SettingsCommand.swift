internal import CLinux
internal import Glibc
internal import Linux

/// How the way to the settings was opened.
public enum SettingsOpening: Hashable, Sendable {
  /// The settings page was opened at this address.
  case page(String)
  /// The command ran on the terminal, and ended with this status.
  case opened(status: Int32)
  /// There is no terminal, or no such program here, as in a sandbox: show the command to the person.
  case command(String)
}

/// The command that opens an app's settings.
struct SettingsCommand: Sendable {
  private let app: String
  private let socketPath: String
  /// What a person is told to type.
  let shown: String

  /// - Parameter shown: how the daemon writes it, if it did.
  init(_ app: String, socketPath: String, shown: String? = nil) {
    self.app = app
    self.socketPath = socketPath
    self.shown = shown ?? "albumctl settings \(quoted(app))"
  }

  /// Whether a program could be run where the person sees it.
  static var hasTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  /// What is run: words as they are, which no shell reads.
  var words: [String] { ["env", "\(SocketPath.variable)=\(socketPath)", "albumctl", "settings", app] }

  /// Runs it if there is a terminal, and waits for its end.
  func run() async throws(AlbumError) -> SettingsOpening {
    guard Self.hasTerminal else { return .command(shown) }
    return try await WorkLane.once(about: shown) { wait() }
  }

  private func wait() -> SettingsOpening {
    let arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child = pid_t()
    guard posix_spawnp(&child, "env", nil, nil, arguments, linux_environment()) == 0 else {
      return .command(shown)
    }
    var status: CInt = 0
    guard (try? retryingInterrupts("waitpid") { waitpid(child, &status, 0) }) != nil, status & 0x7f == 0
    else {
      return .command(shown)
    }
    let exit = status >> 8 & 0xff
    // env(1): 126 and 127 say that the program could not be run.
    return exit == 126 || exit == 127 ? .command(shown) : .opened(status: exit)
  }
}

/// A word as a shell reads it.
private func quoted(_ word: String) -> String {
  let isPlain = word.unicodeScalars.allSatisfy { scalar in
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
      || "._-/@:+".unicodeScalars.contains(scalar)
  }
  if isPlain, !word.isEmpty { return word }
  return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
}
