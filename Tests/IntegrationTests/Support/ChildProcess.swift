import CLinux
import Foundation
import Glibc
import Linux
import TestSupport

/// A process of a test. It is killed and reaped with the object.
final class ChildProcess {
  enum Exit: Equatable {
    case status(CInt)
    case signal(CInt)
  }

  let pid: pid_t
  private let process: OwnedDescriptor
  private var exit: Exit?

  /// Starts a program with nothing open but the standard streams: its output in a file.
  init(
    _ path: String, _ arguments: [String], environment: [String] = [], input: CInt? = nil, log: String
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    let flags = O_WRONLY | O_CREAT | O_APPEND
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, flags, 0o644)
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    // Not everything here is closed by exec(2): what the test runner was given, and Foundation's files.
    // What other threads open meanwhile gets one of the next numbers; closing none is no error.
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    for number in 3...((open.compactMap(CInt.init).max() ?? 2) + 200) where number != input {
      posix_spawn_file_actions_addclose(&actions, number)
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    var child = pid_t()
    var result: CInt
    let deadline = Deadline.generous
    repeat {
      result = StartOfProcesses.alone {
        withCStrings([path] + arguments) { argv in
          withCStrings(["PATH=/usr/bin:/bin"] + environment) { environment in
            posix_spawn(&child, path, &actions, &attributes, argv, environment)
          }
        }
      }
      // A child that the code under test starts, in this process, has the program open until it comes to execve(2).
    } while result == ETXTBSY && !deadline.hasPassed
    guard result == 0 else { throw SystemError("posix_spawn", code: result, subject: path) }
    pid = child
    process = try OwnedDescriptor(linux_pidfd_open(child, 0), call: "pidfd_open")
  }

  deinit {
    guard exit == nil else { return }
    Glibc.kill(pid, SIGKILL)
    waitpid(pid, nil, 0)
  }

  /// Readable once the process has ended.
  var descriptor: CInt { process.number }

  var isRunning: Bool { !isReady(process.number) }
  /// Whether its first thread has ended, while others may not have (proc(5)).
  var isZombie: Bool {
    get throws { try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8).contains("State:\tZ") }
  }

  func signal(_ number: CInt) { if exit == nil { Glibc.kill(pid, number) } }

  /// Waits for its end.
  @discardableResult
  func wait() throws -> Exit {
    if let exit { return exit }
    try Deadline.generous.poll([process.number], for: "the end of process \(pid)")
    var status: CInt = 0
    _ = try retryingInterrupts("waitpid") { waitpid(pid, &status, 0) }
    let result: Exit = status & 0x7f == 0 ? .status(status >> 8 & 0xff) : .signal(status & 0x7f)
    exit = result
    return result
  }
}

private func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  let copies = strings.map { strdup($0) } + [nil]
  defer { for copy in copies { free(copy) } }
  return copies.withUnsafeBufferPointer { buffer in
    guard let base = buffer.baseAddress else { preconditionFailure("there is at least the final nil") }
    return body(base)
  }
}
