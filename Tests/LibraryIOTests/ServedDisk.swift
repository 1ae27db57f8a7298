import CLinux
import Glibc
import LibraryModel
import Linux
import TestSupport
import Testing

@testable import LibraryIO

/// A root on a file system in user space, looked at without a library.
final class ServedDisk {
  // Unmounted before the directory goes.
  let files: HangingFileSystem
  private let directory: TemporaryDirectory
  let volumes = Volumes()
  private let tree: DirectoryTree
  private let expected: BeneathRoot.Expected

  /// The root of it.
  static let root = RootID(rawValue: 1)

  init(_ names: [String], memory: UInt64 = 0, ignoresCase: Bool = false) throws {
    directory = try TemporaryDirectory()
    files = try HangingFileSystem(at: directory.path, names, memory: memory, ignoresCase: ignoresCase)
    let top = try OwnedDescriptor(
      Glibc.open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), call: "open")
    var facts = linux_facts()
    #expect(linux_look(top.number, "", &facts) == 0)
    let identity = FileFacts(facts, on: try volumes.number(of: facts, in: top.number, "")).identity
    expected = BeneathRoot.Expected(path: directory.path, identity: identity, device: facts.device)
    var tree = DirectoryTree()
    tree.insert(
      DirectoryTree.Node(
        id: DirectoryID(of: Self.root), root: Self.root, parent: nil, name: FileName(""),
        identity: identity))
    self.tree = tree
  }

  /// Opens what is there.
  func open(_ name: String = "", _ flags: CInt = 0) throws -> OwnedDescriptor {
    try OwnedDescriptor(Glibc.open("\(directory.path)/\(name)", O_RDONLY | O_CLOEXEC | flags), call: "open")
  }

  /// A disk with this root online.
  func disk(closer: Closer?) -> BeneathRoot {
    let disk = BeneathRoot(volumes, closer: closer)
    disk.roots = [Self.root: expected]
    return disk
  }

  /// Where a name is in it.
  static func location(_ name: String) -> Location { Location(DirectoryID(of: root), FileName(name)) }

  /// What is at a name.
  func look(_ name: String, by disk: BeneathRoot) -> DiskAnswer {
    disk.look(at: Self.location(name), in: tree)
  }
}
