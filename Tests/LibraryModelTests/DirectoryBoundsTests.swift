import Testing

@testable import LibraryModel

/// A directory that shows one that it lies in, as a file system in user space may.
@Suite("Directories without end (docs/decisions/0160-directories-without-end.md)")
struct DirectoryBoundsTests {
  private func library(count: Int, depth: Int) -> MemoryLibrary {
    let library = MemoryLibrary()
    library.librarian.directories.bounds = Directories.Bounds(count: count, depth: depth)
    return library
  }

  private func fill(_ library: MemoryLibrary, _ paths: [String]) {
    for path in paths {
      library.disk.mkdir(path)
      library.disk.write("\(path)/1.jpg", 10)
    }
  }

  @Test("52: no more are taken in than a library may have; those that are in it stay, and are compared")
  func number() throws {
    let library = library(count: 4, depth: 9)
    fill(library, ["a", "b", "c"])
    try library.rescan()
    #expect(library.librarian.directories.overfull.isEmpty && library.indexed.count == 3)
    let before = library.indexed
    fill(library, ["d", "a/e"])
    try library.rescan()
    #expect(library.librarian.directories.overfull == [RootID(rawValue: 1)])
    #expect(library.indexed == before)
    // What is in the library is followed as before.
    library.disk.write("b/2.jpg", 10)
    library.disk.rename("c", "a/c")
    try library.rescan()
    #expect(library.indexed["a/c/1.jpg"] == before["c/1.jpg"] && library.indexed["b/2.jpg"] != nil)
    #expect(library.indexed.count == 4)
    // There is room, and all is compared anew.
    library.disk.rename("a/c/1.jpg", "a/3.jpg")
    library.disk.remove("a/c")
    library.librarian.directories.forgetOverfull()
    try library.rescan()
    try library.rescan()
    #expect(library.librarian.directories.overfull == [RootID(rawValue: 1)], "for one of two")
    #expect(library.indexed["a/3.jpg"] == before["c/1.jpg"])
    #expect(library.librarian.directories.tree.count == 4)
  }

  @Test("52: where others have left by the end there is room again, and all is compared anew; not for ever")
  func copied() throws {
    let library = library(count: 5, depth: 9)
    fill(library, ["a", "b", "c"])
    try library.rescan()
    for path in ["a", "b", "c"] {
      library.disk.remove("\(path)/1.jpg")
      library.disk.remove(path)
    }
    fill(library, ["d", "e", "f"])
    try library.rescan()
    #expect(library.librarian.directories.tree.count < 4 && library.librarian.directories.hasRoomAgain)
    library.librarian.directories.forgetOverfull()
    try library.rescan()
    #expect(library.indexed.keys.sorted() == ["d/1.jpg", "e/1.jpg", "f/1.jpg"])
    #expect(!library.librarian.directories.hasRoomAgain && library.librarian.directories.overfull.isEmpty)
    // Without an end there is none.
    fill(library, ["g", "h", "i", "j"])
    try library.rescan()
    #expect(!library.librarian.directories.hasRoomAgain && !library.librarian.directories.overfull.isEmpty)
  }

  @Test("52: nor are they deeper than that")
  func depth() throws {
    let library = library(count: 100, depth: 3)
    var (path, paths) = ("", [String]())
    for _ in 0..<6 {
      path += path.isEmpty ? "d" : "/d"
      paths.append(path)
    }
    fill(library, paths)
    try library.rescan()
    #expect(library.indexed.keys.sorted() == paths.prefix(3).map { "\($0)/1.jpg" })
    #expect(library.librarian.directories.overfull == [RootID(rawValue: 1)])
  }

  @Test("52: an index that has more already keeps them all")
  func former() throws {
    let library = library(count: 100, depth: 9)
    fill(library, ["a", "b", "c", "c/d"])
    try library.rescan()
    let before = library.indexed
    library.librarian.directories.bounds = Directories.Bounds(count: 2, depth: 1)
    fill(library, ["e"])
    try library.rescan()
    #expect(library.indexed == before)
  }

  @Test("how many each root has is known when they move from one to another, and leave")
  func counts() {
    let (one, other) = (RootID(rawValue: 1), RootID(rawValue: 2))
    var tree = DirectoryTree()
    func node(_ number: Int64, in parent: DirectoryID?, of root: RootID) -> DirectoryTree.Node {
      let id = parent == nil ? DirectoryID(of: root) : DirectoryID(rawValue: number)
      return DirectoryTree.Node(
        id: id, root: root, parent: parent, name: FileName("\(number)"),
        identity: FileIdentity(volume: .test, inode: UInt64(number), birthTime: 1))
    }
    tree.insert(node(101, in: nil, of: one))
    tree.insert(node(102, in: nil, of: other))
    tree.insert(node(1, in: DirectoryID(of: one), of: one))
    tree.insert(node(2, in: DirectoryID(rawValue: 1), of: one))
    tree.insert(node(2, in: DirectoryID(rawValue: 1), of: one))
    #expect(tree.count(beneath: one) == 3 && tree.count(beneath: other) == 1)
    tree.move(DirectoryID(rawValue: 1), to: Location(DirectoryID(of: other), FileName("1")))
    #expect(tree.count(beneath: one) == 1 && tree.count(beneath: other) == 3)
    tree.cut(DirectoryID(rawValue: 1))
    while tree.takeCut() != nil {}
    #expect(tree.count(beneath: one) == 1 && tree.count(beneath: other) == 1)
  }
}
