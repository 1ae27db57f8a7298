internal import CLinux
internal import Glibc
internal import Linux

/// How the way to the settings was opened.
public enum SettingsOpening: Hashable, Sendable {
  /// The command ran on the terminal, and ended with this status.
  case opened(status: Int32)
  /// There is no terminal, or no such program here, as in a sandbox: show the command to the person.
  case command(String)
}

/// The command that opens an app's settings.
struct SettingsCommand: Sendable {
  private let command: String
  private let socketPath: String

  init(_ command: String, socketPath: String) {
    self.command = command
    self.socketPath = socketPath
  }

  /// Runs it if there is a terminal, and waits for its end.
  func run() async throws(AlbumError) -> SettingsOpening {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return .command(command) }
    let lane: WorkLane
    do throws(SystemError) { lane = try WorkLane() } catch {
      throw AlbumError(outOfResources: error, place: command)
    }
    return await lane.run { wait() }
  }

  /// Its words are handed over as they are: no shell reads them.
  private func wait() -> SettingsOpening {
    let words =
      ["env", "\(SocketPath.variable)=\(socketPath)"] + command.split(separator: " ").map(String.init)
    let arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child = pid_t()
    guard posix_spawnp(&child, "env", nil, nil, arguments, linux_environment()) == 0 else {
      return .command(command)
    }
    var status: CInt = 0
    guard (try? retryingInterrupts("waitpid") { waitpid(child, &status, 0) }) != nil, status & 0x7f == 0
    else {
      return .command(command)
    }
    let exit = status >> 8 & 0xff
    // env(1): 126 and 127 say that the program could not be run.
    return exit == 126 || exit == 127 ? .command(command) : .opened(status: exit)
  }
}
