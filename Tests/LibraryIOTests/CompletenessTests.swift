import CLinux
import EventLoop
import Glibc
@testable import LibraryIO
import LibraryModel
import Storage
import Testing

/// When a file counts (S40): sequences of `6-races.md`, with real files and the real kernel.
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct CompletenessTests {
  /// A directory that is still outside, with a file that is being written.
  @EventLoopActor
  private func arriving() async throws -> (TestLibrary, CInt) {
    let library = try await TestLibrary.make()
    try library.files.directory("out/d")
    return (library, try library.files.open("out/d/part.jpg"))
  }

  @Test("14, S40: a file that is being written does not count until it is closed")
  @EventLoopActor
  func beingWritten() async throws {
    let library = try await TestLibrary.make()
    let file = try library.files.open("in/part.jpg")
    _ = write(file, "half", 4)
    try await library.settle()
    #expect(try library.asset("part.jpg") == nil)
    _ = write(file, "rest", 4)
    close(file)
    try await library.until { try $0.asset("part.jpg")?.byteCount == 8 }
    library.end()
  }

  @Test("S40: nor one that was found by listing; it counts when closed")
  @EventLoopActor
  func beingWrittenWhenListed() async throws {
    let (library, file) = try await arriving()
    try library.files.put("out/d/whole.jpg")
    try library.files.move("out/d", "in/d")
    try await library.until { try $0.asset("d/whole.jpg") != nil }
    #expect(try library.asset("d/part.jpg") == nil)
    close(file)
    try await library.until { try $0.asset("d/part.jpg") != nil }
    library.end()
  }

  @Test("S40: one of which the kernel does not tell counts soon, also with a time that is still to come")
  @EventLoopActor
  func timeToCome() async throws {
    let library = try await TestLibrary.make()
    try library.files.directory("out/d")
    try library.files.put("out/d/empty.jpg", "")
    let times = [timespec(tv_sec: 4_000_000_000, tv_nsec: 0), timespec(tv_sec: 4_000_000_000, tv_nsec: 0)]
    #expect(utimensat(AT_FDCWD, "\(library.outside)/d/empty.jpg", times, 0) == 0)
    try library.files.move("out/d", "in/d")
    try await library.until { try $0.asset("d/empty.jpg") != nil }
    library.end()
  }

  @Test("14, S40: nor is it told when it is looked at again, or by a scan in the middle of a copy")
  @EventLoopActor
  func beingWrittenForLong() async throws {
    let (library, file) = try await arriving()
    _ = write(file, "half", 4)
    // Of an empty file the kernel does not tell: it counts when it is looked at again.
    try library.files.put("out/d/empty.jpg", "")
    try library.files.move("out/d", "in/d")
    library.monitor.rescan()
    try await library.until { try $0.asset("d/empty.jpg") != nil }
    #expect(try library.asset("d/part.jpg") == nil)
    _ = write(file, "rest", 4)
    close(file)
    try await library.until { try $0.asset("d/part.jpg")?.byteCount == 8 }
    #expect(library.operations(try library.asset("d/part.jpg")?.id) == [.inserted])
    library.end()
  }

  @Test("14, S40: attributes that change while a file is written do not make it count")
  @EventLoopActor
  func attributesWhileWritten() async throws {
    let library = try await TestLibrary.make()
    let file = try library.files.open("in/part.jpg")
    fchmod(file, 0o600)
    try await library.settle("one.jpg")
    #expect(try library.asset("part.jpg") == nil)
    _ = write(file, "half", 4)
    fchmod(file, 0o644)
    try await library.settle("two.jpg")
    #expect(try library.asset("part.jpg") == nil)
    close(file)
    try await library.until { try $0.asset("part.jpg") != nil }
    library.end()
  }

  @Test(
    "14, 15, S39, S40: a name that is made anew, slowly, is told when it is whole", arguments: [false, true])
  @EventLoopActor
  func remadeSlowly(withBackup: Bool) async throws {
    let library = try await TestLibrary.make { try $0.put("in/p.jpg", "former") }
    let id = try #require(try library.asset("p.jpg")?.id)
    if withBackup {
      try library.files.move("in/p.jpg", "in/p.jpg~")
    } else {
      try library.files.unlink("in/p.jpg")
    }
    let file = try library.files.open("in/p.jpg")
    _ = write(file, "half", 4)
    try await library.settle("one.jpg")
    #expect(try library.asset("p.jpg")?.byteCount != 4)
    #expect(library.operations(id).contains(.changed(content: true)) == false)
    _ = write(file, "rest", 4)
    close(file)
    try await library.until { try $0.asset("p.jpg")?.byteCount == 8 }
    #expect(try library.asset("p.jpg")?.id == id)
    library.end()
  }

  @Test("14, S40: a file that is closed all the time, and never for good, does not put off looks at others")
  @EventLoopActor
  func closedAgainAndAgain() async throws {
    let library = try await TestLibrary.make()
    let open = library.monitor.openFiles
    let file = try library.files.open("in/part.jpg")
    _ = write(file, "half", 4)
    let location = Location(DirectoryID(of: RootID(rawValue: 1)), FileName("part.jpg"))
    try await library.settle()
    var longest = Duration.zero
    for _ in 0..<30 {
      open.wait(for: location, .closed)
      #expect(open.closedRetry.isAwaited && open.closedRetry.delay == .milliseconds(5))
      open.closedRetry.tryNow()
      longest = max(longest, open.closedRetry.delay)
    }
    #expect(longest <= .seconds(1))
    #expect(try library.asset("part.jpg") == nil)
    // Without another close, the looks end.
    for _ in 0..<10 { open.closedRetry.tryNow() }
    #expect(open.closed.isEmpty)
    close(file)
    try await library.until { try $0.asset("part.jpg")?.byteCount == 4 }
    library.end()
  }

  @Test("S40: a file linked into place from O_TMPFILE counts when closed")
  @EventLoopActor
  func unnamedFile() async throws {
    let library = try await TestLibrary.make()
    let directory = Glibc.open(library.root, O_RDONLY | O_DIRECTORY)
    let file = linux_open_unnamed(directory, 0o644)
    _ = write(file, "whole", 5)
    #expect(linux_link_descriptor(file, directory, "t.jpg") == 0)
    try await library.settle()
    close(file)
    try await library.until { try $0.asset("t.jpg")?.byteCount == 5 }
    close(directory)
    library.end()
  }

  @Test("S40: a file that was linked into place counts, also if its first name has gone by then")
  @EventLoopActor
  func linkedAndUnlinked() async throws {
    let library = try await TestLibrary.make()
    // The kernel does not tell of an empty file whether it has a writer.
    try library.files.put("in/.tmp", "")
    let long = timespec(tv_sec: time(nil) - 60, tv_nsec: 0)
    try #require(utimensat(AT_FDCWD, "\(library.root)/.tmp", [long, long], 0) == 0)
    try library.files.link("in/.tmp", "in/t.jpg")
    try library.files.unlink("in/.tmp")
    try await library.until { try $0.asset("t.jpg")?.byteCount == 0 }
    library.end()
  }
}
