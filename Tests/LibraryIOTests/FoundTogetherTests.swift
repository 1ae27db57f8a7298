import CLinux
import Glibc
import LibraryModel
import Linux
import TestSupport
import Testing

@testable import LibraryIO

/// File systems that say the same of themselves, each looked at by the thread of its root (docs/decisions/0065-volumes.md).
@Suite(
  .blocking, .timeLimit(.minutes(30)),
  .enabled(if: HangingFileSystem.isPossible, "mounting a file system in user space is not permitted"))
struct FoundTogetherTests {
  @Test("25, S41: two that say the same of themselves are two, also when both are found at the same moment")
  func together() async throws {
    let directory = try TemporaryDirectory()
    let paths = ["one", "two"].map { "\(directory.path)/\($0)" }
    for path in paths { try #require(mkdir(path, 0o700) == 0) }
    let files = try paths.map { try HangingFileSystem(at: $0, ["a.jpg"]) }
    for _ in 0..<100 {
      let volumes = Volumes()
      let numbers = try await withThrowingTaskGroup(of: VolumeNumber.self) { group in
        for path in paths {
          group.addTask(executorPreference: ThreadPerJob()) { try Self.number(of: path, volumes) }
        }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(numbers.count == 2)
    }
    withExtendedLifetime(files) {}
  }

  @Test(
    "37: whether what is known of a place is there still the kernel says, also where it does not answer",
    .enabled(if: linux_is_mounted(1 << 62) == 0, "Linux has no statmount(2)"))
  func exchanged() throws {
    let directory = try TemporaryDirectory()
    let paths = ["one", "two"].map { "\(directory.path)/\($0)" }
    for path in paths { try #require(mkdir(path, 0o700) == 0) }
    let volumes = Volumes()
    var files: HangingFileSystem? = try HangingFileSystem(at: paths[0], ["a.jpg"])
    let number = try Self.number(of: paths[0], volumes)
    #expect(linux_is_mounted(try Self.mount(of: paths[0])) == 1)
    let line = try Self.line(paths[0])
    // Another one is where it was, by the same line if its numbers are given again, and says nothing.
    for _ in 0..<50 {
      files = nil
      files = try HangingFileSystem(at: paths[0], [])
      if try Self.line(paths[0]) == line { break }
    }
    volumes.mountsChanged()
    files?.hang()
    let moved = try HangingFileSystem(at: paths[1], ["a.jpg"])
    #expect(try Self.number(of: paths[1], volumes) == number)
    withExtendedLifetime((files, moved)) {}
  }

  private static func line(_ path: String) throws -> MountTable.Mount? {
    try MountTable.mounts().last { $0.point.elementsEqual(path.utf8) }
  }

  private static func mount(of path: String) throws -> UInt64 {
    var facts = linux_facts()
    try #require(linux_look(AT_FDCWD, path, &facts) == 0)
    return facts.mount
  }

  private static func number(of path: String, _ volumes: Volumes) throws -> VolumeNumber {
    let directory = try OwnedDescriptor(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), call: "open")
    var facts = linux_facts()
    try #require(linux_look(directory.number, "", &facts) == 0)
    return try volumes.number(of: facts, in: directory.number, "")
  }
}
