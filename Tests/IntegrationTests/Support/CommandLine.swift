import Foundation
import Glibc
import TestSupport
import Varlink

/// What a run of albumctl came to.
struct CommandOutcome {
  /// Its exit status; `nil` when a signal ended it.
  let status: CInt?
  /// What it wrote, to standard output and standard error.
  let output: String

  var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// The first word of each line: of lists, the ids.
  var words: [String] { lines.compactMap { $0.split(separator: " ").first.map(String.init) } }

  /// What `--json` prints: one object.
  func object<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try JSONDecoding.decode(type, from: JSON(parsing: Array(output.utf8)))
  }
}

extension Host {
  /// Runs albumctl to its end: as a process of this user, or as the program of an app, of which there may be no
  /// other.
  func albumctl(_ arguments: String..., as app: AppDescription? = nil) throws -> CommandOutcome {
    try albumctl(arguments, as: app)
  }

  func albumctl(
    _ arguments: [String], as app: AppDescription? = nil, environment: [String] = []
  ) throws -> CommandOutcome {
    try begin(arguments, as: app, environment: environment).outcome()
  }

  /// Starts albumctl, which has something to wait for.
  func begin(
    _ arguments: [String], as app: AppDescription? = nil, environment: [String] = []
  ) throws -> RunningCommand {
    let program: String
    if let app {
      program = library.executable(of: app.program)
      try StartOfProcesses.alone {
        if FileManager.default.fileExists(atPath: program) { return }
        try FileManager.default.copyItem(atPath: BuildFolder.albumctl, toPath: program)
      }
    } else {
      program = BuildFolder.albumctl
    }
    let output = "\(library.directory)/output-\(UInt64.random(in: 0...UInt64.max))"
    let process = try ChildProcess(
      program, arguments, environment: ["ALBUMD_SOCKET=\(library.socket)", "TZ=UTC"] + environment,
      log: output)
    return RunningCommand(process: process, output: output)
  }
}

/// A run of albumctl that has not come to its end.
struct RunningCommand {
  fileprivate let process: ChildProcess
  fileprivate let output: String

  /// What it has written so far.
  func written() throws -> String { try String(contentsOfFile: output, encoding: .utf8) }

  /// Interrupts it, as Ctrl-C does.
  func interrupt() { process.signal(SIGINT) }

  /// Waits for its end.
  func outcome() throws -> CommandOutcome {
    let exit = try process.wait()
    let status: CInt? = if case .status(let status) = exit { status } else { nil }
    return CommandOutcome(status: status, output: try String(contentsOfFile: output, encoding: .utf8))
  }
}
