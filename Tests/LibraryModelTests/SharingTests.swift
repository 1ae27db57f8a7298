import LibraryModel
import TestSupport
import Testing

@Suite("What is shared when an album is moved (S75)")
struct SharingTests {
  /// All albums of a tree of this many levels, with two in each.
  private func paths(_ levels: Int, beneath path: String = "") -> [String] {
    guard levels > 0 else { return [] }
    return ["a", "b"].flatMap { name in [path + name] + paths(levels - 1, beneath: path + name + "/") }
  }

  @Test("S19, S75: a move that is said to leave alone what is shared does so, whatever is moved where")
  func random() throws {
    var (kept, changed) = (0, 0)
    for seed in UInt64(1)...400 {
      var random = SeededGenerator(seed: seed)
      let library = MemoryLibrary()
      let all = paths(3)
      for path in all { library.disk.mkdir(path) }
      let names = ["a", "b", "c"].map { FileName($0) }
      library.librarian.directories.sharedPaths[RootID(rawValue: 1)] = (0..<2).map { _ in
        (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in names.randomElement(using: &random) }
      }
      try library.rescan()
      let directories = library.librarian.directories
      func shared() -> Set<AlbumID> {
        Set(directories.tree.all.map(\.id).filter { directories.album($0)?.isShared ?? false })
      }
      let moved = try #require(all.randomElement(using: &random))
      let id = try #require(library.album(moved))
      let parents = directories.tree.all.map(\.id).filter { !directories.tree.contains($0, beneath: id) }
      let parent = try #require(parents.sorted().randomElement(using: &random))
      let target = Location(parent, FileName("c"))
      let isOtherwise = directories.sharesOtherwise(id, at: target)
      let before = shared()
      let above = try #require(directories.tree.path(of: parent)).map(\.description)
      let to = (above + ["c"]).joined(separator: "/")
      library.disk.rename(moved, to)
      try library.moved(moved, to)
      #expect(directories.tree.location(of: id) == target, "seed \(seed)")
      if shared() != before {
        #expect(isOtherwise, "seed \(seed): \(moved) to \(to)")
        changed += 1
      } else if !isOtherwise {
        kept += 1
      }
    }
    #expect(kept > 20 && changed > 20, "\(kept) \(changed)")
  }
}
