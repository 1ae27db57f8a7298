@testable import LibraryModel
import Testing

@Suite("Names in doubt are decided about as long as there is time")
struct DecidingTests {
  private static let count = 100

  /// Photos that went while nobody listened, and are in doubt because of that.
  private func gone() throws -> (MemoryLibrary, Doubts) {
    let library = MemoryLibrary()
    for number in 0..<Self.count { library.disk.write("\(number).jpg", 10) }
    try library.rescan()
    library.forget()
    for number in 0..<Self.count {
      library.disk.remove("\(number).jpg")
      try library.librarian.files.examine(
        #require(library.location("\(number).jpg")), removal: true, .none)
    }
    defer { library.librarian.context.duties.doubts = Doubts() }
    return (library, library.librarian.context.duties.doubts)
  }

  @Test("50: it is asked after each whether there is time for another, and the others are left as they are")
  func oneByOne() throws {
    let (library, all) = try gone()
    var rest = all
    for left in (0..<Self.count).reversed() {
      let looks = library.disk.lookCount
      rest = try library.librarian.decide(rest) { false }
      #expect(rest.count == left && rest.files == all.files.suffix(left))
      #expect(library.index.assets.count == left)
      #expect(library.disk.lookCount - looks < 8, "what one name costs does not depend on how many there are")
    }
    #expect(try library.librarian.decide(rest) { true }.count == 0)
  }

  @Test("50: what was nowhere is waited for once, however many others are nowhere: else for ever")
  func soughtOnce() {
    let library = MemoryLibrary()
    let files = library.librarian.files
    let nowhere = (1...40_000).map { FileIdentity(volume: .unknown, inode: $0, birthTime: 1) }
    #expect(nowhere.count { files.awaits($0) } == nowhere.count)
    #expect(nowhere.count { files.awaits($0) } == 0)
    library.librarian.forgetEvidence()
    #expect(nowhere.count { files.awaits($0) } == nowhere.count)
  }

  @Test("50: with time enough all of them are")
  func all() throws {
    let (library, doubts) = try gone()
    var asked = 0
    let rest = try library.librarian.decide(doubts) {
      asked += 1
      return true
    }
    #expect(rest.count == 0 && asked == Self.count - 1 && library.index.assets.isEmpty)
  }

  @Test("50, S39: photos that went round in a circle keep their ids, though each is decided about by itself")
  func circle() throws {
    let library = MemoryLibrary()
    library.isHurried = true
    let names = (0..<Self.count).map { "\($0).jpg" }
    for (number, name) in names.enumerated() { library.disk.write(name, Int64(number)) }
    library.disk.write("gone.jpg", 10)
    try library.rescan()
    let ids = names.map { library.asset($0)?.id }
    for (name, next) in zip(names, names.dropFirst()) { library.disk.exchange(name, next) }
    // Each has the name of the one before it now, and the first that of the last.
    library.disk.remove("gone.jpg")
    try library.rescan()
    let found = names.map { library.asset($0)?.id }
    #expect(found == Array(ids.dropFirst()) + [ids[0]])
    #expect(library.index.assets.count == Self.count)
  }
}
