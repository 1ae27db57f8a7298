import CLinux
import EventLoop
import Glibc
import LibraryModel
import Testing

/// A file system that keeps every time there is; many keep a few centuries.
private let memory = "/dev/shm"

@Suite(.runningLoop, .enabled(if: access(memory, W_OK) == 0), .timeLimit(.minutes(30)))
struct TimeTests {
  @Test(
    "a file may carry any time: what no 64 bits of nanoseconds hold is the first or the last that they do",
    arguments: [
      (Int64.max, 999_999_999, Int64.max), (1 << 40, 0, .max), (9_223_372_036, 854_775_808, .max),
      (9_223_372_036, 854_775_807, .max), (9_223_372_036, 0, 9_223_372_036_000_000_000),
      (-1, 1, -999_999_999),
      (-9_223_372_036, 0, -9_223_372_036_000_000_000), (-(1 << 40), 0, .min), (.min, 0, .min),
    ] as [(Int64, Int, Int64)])
  @EventLoopActor
  func modified(seconds: Int64, nanoseconds: Int, expected: Int64) async throws {
    let library = try await TestLibrary.make(in: memory) { files in
      try files.put("in/a.jpg")
      try files.touch("in/a.jpg", seconds, nanoseconds)
    }
    #expect(try library.asset("a.jpg")?.modified == expected)
    // And as an event tells.
    try library.files.put("in/b.part")
    try library.files.touch("in/b.part", seconds, nanoseconds)
    try library.files.move("in/b.part", "in/b.jpg")
    try await library.until { try $0.asset("b.jpg")?.modified == expected }
    // And after a change, also from the one end of time to the other.
    try library.files.touch("in/a.jpg", 0, 1)
    try library.files.move("in/a.jpg", "in/c.jpg")
    try await library.until { try $0.asset("c.jpg")?.modified == 1 }
    library.end()
  }
}

extension TestFiles {
  /// Gives a file a time (utimensat(2)).
  fileprivate func touch(_ path: String, _ seconds: Int64, _ nanoseconds: Int) throws {
    let time = timespec(tv_sec: Int(seconds), tv_nsec: nanoseconds)
    guard utimensat(AT_FDCWD, "\(base)/\(path)", [time, time], 0) == 0 else {
      throw Failure(call: "utimensat", code: errno)
    }
    // The file system has kept it: nothing is proved by one that cut it short.
    var status = stat()
    guard stat("\(base)/\(path)", &status) == 0, status.st_mtim.tv_sec == Int(seconds) else {
      throw Failure(call: "stat", code: ERANGE)
    }
  }
}
