import EventLoop
import Glibc
import LibraryModel
import Linux
import Storage
import Testing

@testable import LibraryIO

/// Directories so deep that no path may be that long (PATH_MAX): made, and removed, one step at a time.
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct DeepTreeTests {
  private static let depth = 20
  private static let name = String(repeating: "d", count: 250)
  private static let path = Array(repeating: name, count: depth).joined(separator: "/")

  /// Calls `body` with each directory of the chain, from the top.
  private static func descend(from top: String, _ body: (CInt) throws -> Void) throws {
    var directory = try OwnedDescriptor(open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC), call: "open")
    for _ in 0..<depth {
      try body(directory.number)
      directory = try OwnedDescriptor(
        openat(directory.number, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC), call: "openat")
    }
    try body(directory.number)
  }

  private static func make(_ top: String) throws {
    try descend(from: top) { directory in
      mkdirat(directory, name, 0o755)
      let file = try OwnedDescriptor(
        openat(directory, "a.jpg", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644), call: "openat")
      #expect(write(file.number, "x", 1) == 1)
    }
  }

  private static func remove(_ top: String) throws {
    var all: [CInt] = []
    try descend(from: top) { all.append(dup($0)) }
    for directory in all.reversed() {
      unlinkat(directory, "a.jpg", 0)
      unlinkat(directory, name, AT_REMOVEDIR)
      close(directory)
    }
  }

  @Test(
    "30, S39, S42: what lies beyond the longest path is told like all else, and so is that it has gone",
    arguments: [false, true])
  @EventLoopActor
  func beyondPaths(isThereAtStart: Bool) async throws {
    #expect(Self.path.utf8.count > PATH_MAX)
    let library = try await TestLibrary.make { files in
      if isThereAtStart { try Self.make(files.base + "/in") }
    }
    if !isThereAtStart { try Self.make(library.root) }
    await library.until { $0.store.files.assetCount == Self.depth + 1 }
    let deepest = try #require(try library.asset("\(Self.path)/a.jpg"))
    _ = try library.monitor.contents.open(deepest)
    // What happens there is heard.
    var last: CInt = -1
    try Self.descend(from: library.root) { directory in
      if last >= 0 { close(last) }
      last = dup(directory)
    }
    let file = openat(last, "a.jpg", O_WRONLY | O_APPEND | O_CLOEXEC)
    #expect(write(file, "more", 4) == 4)
    close(file)
    await library.until { $0.operations(deepest.id).last == .changed(content: true) }
    #expect(renameat(last, "a.jpg", last, "b.jpg") == 0)
    try await library.until { try $0.asset("\(Self.path)/b.jpg")?.id == deepest.id }
    unlinkat(last, "b.jpg", 0)
    close(last)
    await library.until { $0.operations(deepest.id).last == .removed }
    try Self.remove(library.root)
    await library.until { $0.store.files.assetCount == 0 && $0.monitor.contents.albumCount == 0 }
    #expect(library.monitor.state.summary == .ready)
    library.end()
  }
}
