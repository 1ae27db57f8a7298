import Foundation
import Glibc
import Linux
import TestSupport

/// The built daemon, run on a temporary library.
final class DaemonProcess {
  private let library: TemporaryLibrary
  private let user: String?
  private let notifications: NotifySocket
  private var process: ChildProcess
  /// The last word of the daemon on itself.
  private(set) var status = ""

  /// Starts a daemon and waits until it serves and has compared the library with the disk.
  ///
  /// - Parameter user: whose process it is; this process's user by default. Another takes root.
  init(_ library: TemporaryLibrary, user: String? = nil) throws {
    self.library = library
    self.user = user
    try library.configure()
    notifications = try NotifySocket("\(library.directory)/notify")
    if let user, let account = getpwnam(user) { library.giveAway(to: account.pointee.pw_uid) }
    process = try Self.spawn(library, as: user)
    try waitUntilServing()
  }

  /// It ends before its library is removed.
  deinit {
    process.signal(SIGKILL)
    _ = try? process.wait()
  }

  /// What the daemon is called with for a library.
  static func arguments(_ library: TemporaryLibrary) -> [String] {
    [
      "--config", library.configuration, "--socket", library.socket, "--vendor-directory",
      "\(library.directory)/vendor",
    ] + (library.pictures.map { ["--pictures", $0] } ?? [])
  }

  /// Starts one without waiting for anything.
  static func spawn(
    _ library: TemporaryLibrary, _ more: [String] = [], as user: String? = nil
  ) throws -> ChildProcess {
    // setpriv(1) becomes the daemon: the same process. With the capability of its unit, to know its peers.
    let capability = ["--inh-caps=+sys_ptrace", "--ambient-caps=+sys_ptrace"]
    let command = becoming(user) + (user == nil ? [] : capability) + [BuildFolder.daemon]
    return try ChildProcess(
      command[0], command.dropFirst() + arguments(library) + more,
      environment: ["NOTIFY_SOCKET=\(library.directory)/notify"] + library.environment, log: library.log)
  }

  /// What a command becomes a user's by.
  private static func becoming(_ user: String?) -> [String] {
    user.map { ["/usr/bin/setpriv", "--reuid", $0, "--clear-groups"] } ?? []
  }

  var pid: pid_t { process.pid }
  var isRunning: Bool { process.isRunning }

  // MARK: Life

  /// SIGTERM, which it must follow with exit status 0.
  func stop() throws {
    process.signal(SIGTERM)
    let exit = try process.wait()
    guard exit == .status(0) else { throw Failure("the daemon ended with \(exit):\n\(log)") }
  }

  /// SIGKILL: it has no time for anything.
  func kill() throws {
    process.signal(SIGKILL)
    try process.wait()
  }

  /// SIGKILL to one that may not end by it, since a thread of it waits where no signal ends it. Returns when everything
  /// else of it has ended; the next one can be started then.
  func killWithoutEnd() throws -> ChildProcess {
    let stuck = process
    stuck.signal(SIGKILL)
    let deadline = Deadline.generous
    while try !stuck.isZombie {
      if deadline.hasPassed { throw Failure("the daemon goes on after SIGKILL:\n\(log)") }
      usleep(1000)
    }
    return stuck
  }

  /// Waits until it has ended by itself.
  @discardableResult
  func ended() throws -> ChildProcess.Exit { try process.wait() }

  /// Starts one again, on what the last one left.
  func start() throws {
    while notifications.next() != nil {}
    process = try Self.spawn(library, as: user)
    try waitUntilServing()
  }

  func restart() throws {
    try stop()
    try start()
  }

  /// SIGSTOP: it does nothing until ``goOn()``.
  func pause() { process.signal(SIGSTOP) }
  func goOn() { process.signal(SIGCONT) }

  /// SIGHUP, and waits until the daemon has dealt with it.
  func reload() throws {
    // What it has said of an earlier reload is not said of this one.
    hear()
    process.signal(SIGHUP)
    try wait(for: "RELOADING") { $0["RELOADING"] == "1" }
    try wait(for: "READY after RELOADING") { $0["READY"] == "1" }
  }

  // MARK: Observation

  /// Everything it has written so far.
  var log: String { library.logText }

  /// What it has open, and how often. Its databases aside, which a checkpoint opens when it likes, and timers,
  /// which the pool of Swift's runtime makes when it is first used.
  var descriptors: [String: Int] {
    let directory = "/proc/\(pid)/fd"
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    let files = numbers.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\($0)")
    }
    let others = files.filter { !$0.hasPrefix(library.state) && $0 != "anon_inode:[timerfd]" }
    let kinds = others.map { $0.hasPrefix("socket:") ? "socket" : $0 }
    return Dictionary(kinds.map { ($0, 1) }, uniquingKeysWith: +)
  }

  /// How much is in the files of the library that it has open and that have no name (O_TMPFILE, open(2)).
  var unnamedBytes: Int {
    let directory = "/proc/\(pid)/fd"
    return entries(of: directory).reduce(0) { sum, number in
      let path = "\(directory)/\(number)"
      let file = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) ?? ""
      var status = stat()
      guard file.hasPrefix(library.photos), file.hasSuffix(" (deleted)"), stat(path, &status) == 0 else {
        return sum
      }
      return sum + Int(status.st_size)
    }
  }

  /// The number that the next descriptor that it opens will have.
  var lowestFreeDescriptor: Int {
    get throws {
      let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd")
      let taken = Set(names.compactMap { Int($0) })
      return (0...taken.count).first { !taken.contains($0) } ?? taken.count
    }
  }

  /// Lets it have descriptors below a number only (RLIMIT_NOFILE).
  func limitDescriptors(_ limit: Int) throws { try self.limit("nofile", limit) }

  /// Sets a soft limit as prlimit(1) names it.
  func limit(_ resource: String, _ value: Int) throws {
    // By its own user, who may; root may only where it has every capability.
    let command =
      Self.becoming(user) + ["/usr/bin/prlimit", "--pid", "\(pid)", "--\(resource)=\(value):"]
    let exit = try ChildProcess(command[0], Array(command.dropFirst()), log: library.log).wait()
    guard exit == .status(0) else { throw Failure("prlimit ended with \(exit):\n\(log)") }
  }

  /// How many bytes of addresses it has (RLIMIT_AS).
  var addressSpace: Int { kilobytes("VmSize:") * 1024 }

  /// Waits until the daemon has nothing open any more that it had not; a directory that it was listing then
  /// may be closed. Peers that vanish are heard of in
  /// turns of its loop, which calls on another connection drive.
  func waitForDescriptors(_ expected: [String: Int], _ bystander: Connection) throws {
    let deadline = Deadline.generous
    while descriptors.contains(where: { kind, count in count > expected[kind, default: 0] }) {
      if deadline.hasPassed { throw Failure("the daemon has \(descriptors) open, not \(expected)") }
      try bystander.roundTrip()
    }
  }

  /// Resident memory in kilobytes.
  var residentKilobytes: Int { kilobytes("VmRSS:") }

  private func kilobytes(_ name: String) -> Int {
    let text = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  private func waitUntilServing() throws {
    try wait(for: "READY") { $0["READY"] == "1" }
    try waitForStatus { !$0.hasPrefix("scanning") }
  }

  /// Waits until the daemon's status line is as wanted.
  func waitForStatus(_ isWanted: (String) -> Bool) throws {
    if isWanted(status) { return }
    try wait(for: "another status than “\(status)”") { _ in isWanted(status) }
  }

  /// Readable when the daemon has said something of itself.
  var notification: CInt { notifications.descriptor }

  /// Takes what the daemon has said of itself: where nobody does, it waits (sd_notify(3)).
  func hear() {
    while let message = notifications.next() { status = message["STATUS"] ?? status }
  }

  private func wait(for what: String, _ isWanted: ([String: String]) -> Bool) throws {
    let deadline = Deadline.generous
    while true {
      while let message = notifications.next() {
        if let status = message["STATUS"] { self.status = status }
        if isWanted(message) { return }
      }
      let ready = try deadline.poll(
        [notifications.descriptor, process.descriptor], for: "\(what); the daemon said:\n\(log)")
      if ready[1], !ready[0] { throw Failure("the daemon ended with \(try process.wait()):\n\(log)") }
    }
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
}
