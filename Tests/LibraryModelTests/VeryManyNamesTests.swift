@testable import LibraryModel
import Testing

/// A photo with as many names as somebody makes (`ln`), as backups of hard links and content stores have.
@Suite("A file with very many names (S34)")
struct VeryManyNamesTests {
  /// A library with one photo, which has so many names in album `a`.
  private func library(names count: Int) throws -> (MemoryLibrary, AssetID) {
    let library = MemoryLibrary()
    for path in ["a", "b"] { library.disk.mkdir(path) }
    library.disk.write("a/0.jpg", 10)
    for number in 1..<count { library.disk.link("a/0.jpg", "a/\(number).jpg") }
    try library.rescan()
    library.forget()
    let id = try #require(library.asset("a/0.jpg")?.id)
    try #require(library.asset("a/0.jpg")?.links.count == count)
    return (library, id)
  }

  /// How often the disk is looked at for something.
  private func looks(in library: MemoryLibrary, _ body: () throws -> Void) rethrows -> Int {
    let before = library.disk.lookCount
    try body()
    return library.disk.lookCount - before
  }

  @Test("51, S34: what one more name costs, or one that has gone, does not depend on how many there are")
  func oneMore() throws {
    var costs: [[Int]] = []
    for count in [40, 400] {
      let (library, id) = try library(names: count)
      let more = try looks(in: library) {
        library.disk.link("a/0.jpg", "b/more.jpg")
        try library.hint("b/more.jpg", .made)
      }
      #expect(library.asset("b/more.jpg")?.id == id)
      let fewer = try looks(in: library) {
        library.disk.remove("a/1.jpg")
        try library.hint("a/1.jpg")
      }
      #expect(library.asset("a/1.jpg") == nil && library.asset("a/0.jpg")?.links.count == count)
      costs.append([more, fewer])
    }
    #expect(costs[0] == costs[1])
  }

  @Test("51, S34: with a file all its names go, each for as much as the others", arguments: [false, true])
  func allGo(isHurried: Bool) throws {
    var costs: [Int] = []
    for count in [50, 200] {
      let (library, id) = try library(names: count)
      library.isHurried = isHurried
      for number in 0..<count { library.disk.remove("a/\(number).jpg") }
      costs.append(try looks(in: library) { try library.rescan() } / count)
      #expect(library.index.assets.isEmpty && library.indexed.isEmpty)
      #expect(library.told(id).last == .removed)
    }
    #expect(costs[1] < 2 * costs[0], "\(costs)")
  }

  @Test(
    "51, S39: a file whose names all went to another album while nobody listened is itself",
    arguments: [false, true])
  func allMove(isHurried: Bool) throws {
    let (library, id) = try library(names: 100)
    library.isHurried = isHurried
    for number in 0..<100 { library.disk.rename("a/\(number).jpg", "b/\(number).jpg") }
    try library.rescan()
    #expect(library.indexed == Dictionary(uniqueKeysWithValues: (0..<100).map { ("b/\($0).jpg", id) }))
    #expect(!library.told(id).contains(.removed) && !library.told(id).contains(.inserted))
  }

  @Test("51, S39: saved over, all of a file's names are the asset that they were")
  func allReplaced() throws {
    let (library, id) = try library(names: 100)
    for number in 0..<100 { library.disk.remove("a/\(number).jpg") }
    library.disk.write("a/0.jpg", 20)
    for number in 1..<100 { library.disk.link("a/0.jpg", "a/\(number).jpg") }
    try library.rescan()
    #expect(Set(library.indexed.values) == [id] && library.indexed.count == 100)
    #expect(library.asset("a/7.jpg")?.byteCount == 20)
  }

  @Test(
    "51: it is asked after each name whether there is time for another: of a listing, and of what has left")
  func oneByOne() throws {
    let library = MemoryLibrary()
    library.disk.mkdir("a")
    for number in 0..<10 { library.disk.write("a/\(number).jpg", 10) }
    let librarian = library.librarian
    let top = try #require(library.disk.listing(of: library.root, in: librarian.directories.tree))
    var all = Reconciliation(of: library.root, with: top, descends: true, isEmpty: true)
    while try !all.advance(librarian, limit: 64, while: { true }) {}
    let album = try #require(library.album("a"))
    let listing = try #require(library.disk.listing(of: album, in: librarian.directories.tree))
    var one = Reconciliation(of: album, with: listing, descends: true, isEmpty: true)
    for _ in 0..<100 {
      let before = library.index.assets.count
      let isDone = try one.advance(librarian, limit: 64) { false }
      #expect(library.index.assets.count <= before + 1)
      if isDone { break }
    }
    #expect(library.index.assets.count == 10)

    try librarian.directories.detach(album)
    while librarian.directories.isLeaving { try librarian.leave(limit: 1) }
    for left in (0..<10).reversed() {
      try librarian.removeOrphans(limit: 64) { false }
      #expect(library.index.assets.count == left && librarian.directories.hasOrphans)
    }
    try librarian.removeOrphans(limit: 64) { false }
    #expect(!librarian.directories.hasOrphans)
  }
}
