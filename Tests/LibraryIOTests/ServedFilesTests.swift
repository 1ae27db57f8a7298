import CLinux
import Glibc
import LibraryModel
import Linux
import TestSupport
import Testing

@testable import LibraryIO

/// What the kernel was told by a process that serves files, and believes for a while: here for an hour.
@Suite(
  .enabled(if: HangingFileSystem.isPossible, "mounting a file system in user space is not permitted"))
final class ServedFilesTests {
  // Unmounted before the directory goes.
  private let files: HangingFileSystem
  private let directory: TemporaryDirectory
  private let volumes = Volumes()
  private let tree: DirectoryTree
  private let expected: BeneathRoot.Expected

  init() throws {
    directory = try TemporaryDirectory()
    files = try HangingFileSystem(at: directory.path, ["a.jpg", "b.jpg"], memory: 3600)
    let top = try Self.open(directory.path)
    var facts = linux_facts()
    #expect(linux_look(top.number, "", &facts) == 0)
    let volume = try volumes.number(of: facts, in: top.number, "")
    let identity = FileFacts(facts, on: volume).identity
    expected = BeneathRoot.Expected(path: directory.path, identity: identity, device: facts.device)
    var tree = DirectoryTree()
    tree.insert(
      DirectoryTree.Node(
        id: DirectoryID(of: Self.root), root: Self.root, parent: nil, name: FileName(""),
        identity: identity))
    self.tree = tree
    // What the kernel believes from now on.
    #expect(look("a.jpg") == 16)
    #expect(look("b.jpg") == 16)
    #expect(look("c.jpg") == nil)
    files.change("a.jpg", to: 5)
    files.change("b.jpg", to: nil)
    files.change("c.jpg", to: 7)
  }

  private static let root = RootID(rawValue: 1)

  private static func open(_ path: String) throws -> OwnedDescriptor {
    try OwnedDescriptor(Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), call: "open")
  }

  /// How long a file is; nil where there is none.
  private func look(_ name: String) -> Int64? {
    let disk = BeneathRoot(volumes, closer: Closer())
    disk.roots = [Self.root: expected]
    let answer = disk.look(at: Location(DirectoryID(of: Self.root), FileName(name)), in: tree)
    switch answer {
    case .found(let facts): return facts.byteCount
    case .absent: return nil
    case .unknown, .offline:
      Issue.record("\(answer)")
      return nil
    }
  }

  @Test("39: a look is not told what the kernel remembers of a file, or that there was one, or none")
  func looked() {
    #expect(look("a.jpg") == 5)
    #expect(look("b.jpg") == nil)
    #expect(look("c.jpg") == 7)
    files.change("a.jpg", to: 9, isSame: false)
    #expect(look("a.jpg") == 9)
    // Nothing was made by asking.
    #expect(look("d.jpg") == nil)
  }

  @Test("39: nor is a listing")
  func listed() throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
    defer { buffer.deallocate() }
    let top = try Self.open(directory.path)
    let result = DirectoryLister.list(top.number, volumes, buffer, flagsKnown: 0)
    guard case .listing(let listing, isWhole: true) = result else {
      Issue.record("\(result)")
      return
    }
    let found = listing.entries.map { "\(listing.name(of: $0)) \($0.facts.byteCount)" }
    #expect(found == ["a.jpg 5", "c.jpg 7"])
  }

  @Test("39: a file that was opened is another version when it was written by another of its names")
  func open() throws {
    let descriptor = try OwnedDescriptor(
      Glibc.open(directory.path + "/a.jpg", O_RDONLY | O_CLOEXEC), call: "open")
    let file = try ReadableFile(descriptor, on: VolumeNumber(rawValue: 1))
    #expect(file.isUnchanged)
    files.change("a.jpg", to: 6)
    #expect(!file.isUnchanged)
  }
}
