import Foundation
import Glibc

/// A control group whose processes have so much memory and no more (cgroups(7)), with the kernel's first or second version
/// of them.
final class MemoryGroup {
  private let path: String
  private let isFirstVersion: Bool

  /// Where groups can be made that count memory; `nil` where they cannot.
  private static let parent: (path: String, isFirstVersion: Bool)? = {
    let (first, second) = ("/sys/fs/cgroup/memory", "/sys/fs/cgroup")
    if access("\(first)/memory.limit_in_bytes", W_OK) == 0 { return (first, true) }
    let controllers = (try? String(contentsOfFile: "\(second)/cgroup.subtree_control", encoding: .utf8)) ?? ""
    return controllers.contains("memory") && access(second, W_OK) == 0 ? (second, false) : nil
  }()

  /// Whether this process may make one.
  static var isPossible: Bool { parent != nil }

  init(limit: Int) throws {
    guard let parent = Self.parent else { throw DaemonProcess.Failure("no groups can be made") }
    isFirstVersion = parent.isFirstVersion
    path = "\(parent.path)/albumd-test-\(getpid())-\(UInt32.random(in: 0...(.max)))"
    guard mkdir(path, 0o755) == 0 else { throw DaemonProcess.Failure("mkdir \(path): \(errno)") }
    try write(isFirstVersion ? "memory.limit_in_bytes" : "memory.max", "\(limit)")
  }

  deinit {
    // Who is still in it goes back to where groups begin.
    let processes = (try? String(contentsOfFile: "\(path)/cgroup.procs", encoding: .utf8)) ?? ""
    for process in processes.split(separator: "\n") { try? write("../cgroup.procs", String(process)) }
    rmdir(path)
  }

  /// A process is in it from now on, with what it needs from now on.
  func add(_ process: pid_t) throws { try write("cgroup.procs", "\(process)") }

  /// The most that was needed so far, in bytes.
  var most: Int {
    get throws { try number(in: isFirstVersion ? "memory.max_usage_in_bytes" : "memory.peak", after: "") }
  }

  /// How many processes the kernel has ended because there was no more.
  var killed: Int {
    get throws { try number(in: isFirstVersion ? "memory.oom_control" : "memory.events", after: "oom_kill ") }
  }

  private func number(in file: String, after name: String) throws -> Int {
    let text = try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
    guard let number = Int(line.dropFirst(name.count)) else {
      throw DaemonProcess.Failure("\(file): \(text)")
    }
    return number
  }

  private func write(_ file: String, _ text: String) throws {
    guard let stream = fopen("\(path)/\(file)", "we") else {
      throw DaemonProcess.Failure("\(file): \(errno)")
    }
    let isWritten = fputs(text, stream) >= 0 && fflush(stream) == 0
    fclose(stream)
    guard isWritten else { throw DaemonProcess.Failure("\(file): \(errno)") }
  }
}
