import CPictures
import Glibc
import TestSupport
import Testing

@Suite("Who reads pictures can do nothing else", .blocking) struct ConfinementTests {
  private func attempts() throws -> [String: CInt] {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/picture"
    let file = fopen(path, "w")
    fputs("a picture", file)
    fclose(file)
    let process = try PictureProcess("confined", ["try", path])
    shutdown(process.socket, CInt(SHUT_WR))
    #expect(process.wait() == .status(0))
    let lines = process.output().split(separator: "\n").map { $0.split(separator: " ") }
    return Dictionary(uniqueKeysWithValues: lines.map { (String($0[0]), CInt($0[1]) ?? -1) })
  }

  @Test("S52: it reads what it was handed, takes memory, and all else is refused")
  func refused() throws {
    var results = try attempts()
    #expect(results.removeValue(forKey: "read") == 0)
    #expect(results.removeValue(forKey: "memory") == 0)
    results["landlock"] = nil
    #expect(results.count >= 25)
    // What it makes itself it may cut off; what it is handed is not open for that.
    #expect(results.removeValue(forKey: "ftruncate") == EINVAL)
    for (attempt, code) in results {
      #expect(code == EPERM, "\(attempt): \(String(cString: strerror(code)))")
    }
  }

  @Test(
    "S52: Landlock forbids files as well",
    .enabled(if: pictures_landlock_version() > 0, "this kernel has no Landlock: nothing is tested here"))
  func landlock() throws {
    #expect(try attempts()["landlock"] == 0)
  }

  @Test(
    "S52: what never ends is ended, and what takes too much gets no more",
    arguments: [
      ("loop", PictureProcess.Exit.signal(SIGPROF)), ("hang", .signal(SIGALRM)), ("swell", .status(4)),
      ("crash", .signal(SIGSEGV)),
    ])
  func limits(program: String, exit: PictureProcess.Exit) throws {
    #expect(try PictureProcess("confined", [program]).wait() == exit)
  }

  @Test("S53: albumd-pictures ends when its socket does")
  func alone() throws {
    let process = try PictureProcess("albumd-pictures")
    shutdown(process.socket, CInt(SHUT_RDWR))
    #expect(process.wait() == .status(0))
  }

  @Test("S53: it ends with its socket in the middle of a picture as well")
  func deserted() throws {
    let process = try PictureProcess("confined", ["deserted"])
    var byte: UInt8 = 0
    #expect(recv(process.socket, &byte, 1, 0) == 1)
    // Sent before, and not read.
    #expect(send(process.socket, &byte, 1, 0) == 1)
    shutdown(process.socket, CInt(SHUT_RDWR))
    #expect(process.wait() == .status(0))
  }
}
