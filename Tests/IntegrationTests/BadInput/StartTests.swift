import Foundation
import Glibc
import Linux
import TestSupport
import Testing

@Suite("Starting and ending", .blocking)
struct StartTests {
  @Test("SIGTERM and SIGINT end it with status 0, and the socket goes", arguments: [SIGTERM, SIGINT])
  func end(signal: CInt) throws {
    let host = try Host()
    let connection = try host.owner()
    _ = try connection.subscribe()
    #expect(kill(host.daemon.pid, signal) == 0)
    try host.daemon.stop()
    #expect(!FileManager.default.fileExists(atPath: host.library.socket))
    #expect(host.daemon.log.split(separator: "\n").last == "Stopped")
    let names = try FileManager.default.contentsOfDirectory(atPath: host.library.state)
    #expect(Set(names).isDisjoint(with: ["registry.sqlite-wal", "access.sqlite-wal"]), "closed: \(names)")
  }

  @Test("the log begins with what is served, where, and which configuration says so")
  func told() throws {
    let host = try Host { try $0.add("one.jpg", Photo.jpeg("one")) }
    let lines = host.daemon.log.split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix("Serving ") })
    let library = host.library
    #expect(
      line == "Serving \(library.photos) at \(library.socket), configured in \(library.configuration)")
    #expect(host.daemon.status == "ready, 1 asset, 0 connections")
  }

  @Test("a socket that a killed daemon left is replaced")
  func staleSocket() throws {
    let host = try Host()
    try host.daemon.kill()
    #expect(FileManager.default.fileExists(atPath: host.library.socket))
    try host.daemon.start()
    try host.connect().roundTrip()
  }

  @Test("a socket that somebody serves, and a file that is no socket, are left alone")
  func occupied() throws {
    let host = try Host()
    let library = try TemporaryLibrary()
    try library.configure()
    let arguments = ["--config", library.configuration, "--socket"]
    let served = try ChildProcess(BuildFolder.daemon, arguments + [host.library.socket], log: library.log)
    #expect(try served.wait() == .status(1))
    #expect(library.logText.contains(host.library.socket))
    try host.connect().roundTrip()

    let file = "\(library.directory)/file"
    try library.write(file, "precious")
    let blocked = try ChildProcess(BuildFolder.daemon, arguments + [file], log: library.log)
    #expect(try blocked.wait() == .status(1))
    #expect(library.logText.contains("\(file) is no socket"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious")
  }

  @Test("a second daemon on the same state directory refuses, and names the holder")
  func secondDaemon() throws {
    let host = try Host()
    let log = "\(host.library.directory)/log.second"
    let second = try ChildProcess(
      BuildFolder.daemon,
      ["--config", host.library.configuration, "--socket", "\(host.library.directory)/other.socket"], log: log
    )
    #expect(try second.wait() == .status(1))
    let text = try String(contentsOfFile: log, encoding: .utf8)
    #expect(text.contains(host.library.state))
    #expect(text.contains("process \(host.daemon.pid)"))
    try host.connect().roundTrip()
    // The lock goes with its holder, however it ends.
    try host.daemon.kill()
    try host.daemon.start()
  }

  @Test(
    "the lock outlives nobody: also not a daemon that was killed, and of which a thread waits where no signal ends it",
    .enabled(if: isRoot && UserFileSystem.isPossible, "mounting a file system in user space is not permitted")
  )
  func stuckHolder() throws {
    let library = try TemporaryLibrary()
    let root = "\(library.directory)/silent"
    try library.makeAlbum("../silent")
    let files = try UserFileSystem(at: root, isSilent: true)
    library.moreRoots = [root]
    try library.configure()
    let stuck = try DaemonProcess.spawn(library)
    // Before anybody waits for its end.
    defer { withExtendedLifetime(stuck) { files.abort() } }
    let deadline = Deadline.generous
    while files.readCount == 0, !deadline.hasPassed { usleep(1000) }
    try #require(files.readCount > 0, "\(library.logText)")
    stuck.signal(SIGKILL)
    // Its thread stays: so does the process.
    while try !stuck.isZombie, !deadline.hasPassed { usleep(1000) }
    #expect(stuck.isRunning)

    library.moreRoots = []
    // It may have a socket still, which a service manager would hand over to both.
    #expect(unlink(library.socket) == 0 || errno == ENOENT)
    let host = try Host(library)
    try host.connect().roundTrip()
    #expect(stuck.isRunning, "it was there all the time")
    files.abort()
    try stuck.wait()
  }

  @Test("a state directory that cannot be made is named")
  func noState() throws {
    let library = try TemporaryLibrary()
    try library.configure()
    try library.write(library.state, "in the way")
    #expect(try DaemonProcess.spawn(library).wait() == .status(1))
    #expect(library.logText.contains(library.state))
  }

  @Test("a database that is none is named, and left as it is")
  func damaged() throws {
    let host = try Host()
    try host.daemon.stop()
    let path = "\(host.library.state)/registry.sqlite"
    #expect(FileManager.default.fileExists(atPath: path))
    try host.library.write(path, String(repeating: "this is no database ", count: 1000))
    #expect(try DaemonProcess.spawn(host.library).wait() == .status(1))
    #expect(host.library.logText.contains(path))
    #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("this is no database"))
  }
}
