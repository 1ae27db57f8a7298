import EventLoop
import Glibc
import LibraryIO
import Linux
import TestSupport
import Testing

/// Directories that requests open beneath a root.
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct SharedDirectoryTests {
  @Test("10: requests that come together share the directories that they opened, and leave none open")
  @EventLoopActor
  func sharedDirectories() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/d")
      try files.put("in/d/a.jpg")
    }
    let asset = try #require(try library.asset("d/a.jpg"))
    _ = try library.monitor.contents.open(asset).number
    #expect(Self.openPaths(beneath: library.root) == [])
    var open: [Set<String>] = []
    // As the loop does with the descriptors that are ready together (EventLoopTests.endOfTurn).
    EventLoop.shared.together {
      for _ in 0..<2 {
        do { _ = try library.monitor.contents.open(asset).number } catch { Issue.record(error) }
        open.append(Self.openPaths(beneath: library.root))
      }
    }
    #expect(open == [[library.root, library.root + "/d"], [library.root, library.root + "/d"]])
    #expect(Self.openPaths(beneath: library.root) == [])
    library.end()
  }

  /// What this process has open there (proc_pid_fd(5)), each path once.
  private static func openPaths(beneath root: String) -> Set<String> {
    var paths: Set<String> = []
    for number in entries(of: "/proc/self/fd") {
      var path = [CChar](repeating: 0, count: Int(PATH_MAX))
      guard readlink("/proc/self/fd/\(number)", &path, path.count - 1) > 0 else { continue }
      let text = String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      if text.hasPrefix(root) { paths.insert(text) }
    }
    return paths
  }
}
