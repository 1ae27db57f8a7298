import TestSupport
import Testing

@testable import LibraryModel

/// FAT and exFAT number files anew with every mount (docs/decisions/0134-numbers-that-change.md).
@Suite("Which id a file keeps whose number is another")
struct RenumberedTests {
  /// Where numbers do not last: there are no births, or they are counted in steps, as all times are.
  private func library(hasBirths: Bool) -> MemoryLibrary {
    let library = MemoryLibrary()
    library.disk.hasBirthTimes = hasBirths
    library.disk.timeStep = 10_000_000
    return library
  }

  /// Three albums with two photos each, of one length and one time.
  private func filled(hasBirths: Bool) throws -> MemoryLibrary {
    let library = library(hasBirths: hasBirths)
    for path in ["a", "b", "a/c"] {
      library.disk.mkdir(path)
      for name in ["1", "2"] { library.disk.write("\(path)/\(name).jpg", 10) }
    }
    try library.rescan()
    library.forget()
    return library
  }

  private func number(_ path: String, in library: MemoryLibrary) throws -> UInt64 {
    try #require(library.disk.number(path))
  }

  /// Two have each other's number.
  private func exchangeNumbers(_ one: String, _ other: String, in library: MemoryLibrary) throws {
    let (first, second) = (try number(one, in: library), try number(other, in: library))
    let numbers = try [second, first].map { try #require(library.disk.identity($0)).inode }
    library.disk.renumber([first: numbers[0], second: numbers[1]])
  }

  @Test(
    "33, S39, S16: photos of one length and time that got each other's number keep their ids by their names",
    arguments: [false, true], [false, true])
  func exchangedNumbers(hasBirths: Bool, isReversed: Bool) throws {
    let library = try filled(hasBirths: hasBirths)
    library.isListingReversed = isReversed
    let before = library.indexed
    try exchangeNumbers("a/1.jpg", "b/2.jpg", in: library)
    try library.rescan()
    #expect(library.indexed == before)
    #expect(!library.changes.contains { $0.operation == .removed || $0.operation == .inserted })
    // And each has the number that it has now.
    for path in ["a/1.jpg", "b/2.jpg"] {
      #expect(library.asset(path)?.identity == library.disk.number(path).flatMap(library.disk.identity))
    }
  }

  @Test(
    "33, S39: albums that got each other's number keep their ids by their names", arguments: [false, true])
  func exchangedAlbums(hasBirths: Bool) throws {
    let library = try filled(hasBirths: hasBirths)
    let (before, albums) = (library.indexed, ["a", "b", "a/c"].map(library.album))
    try exchangeNumbers("a", "b", in: library)
    try library.rescan()
    #expect(["a", "b", "a/c"].map(library.album) == albums && library.indexed == before)
    try exchangeNumbers("b", "a/c", in: library)
    try library.rescan()
    #expect(["a", "b", "a/c"].map(library.album) == albums && library.indexed == before)
  }

  @Test(
    "33, S39, S16: a new photo that got the number of one that is where it was is a new one",
    arguments: [false, true], ["0.jpg", "a/0.jpg", "0/0.jpg", "z/0.jpg"])
  func newPhoto(hasBirths: Bool, path: String) throws {
    let library = try filled(hasBirths: hasBirths)
    let before = library.indexed
    if let slash = path.firstIndex(of: "/") { library.disk.mkdir(String(path[..<slash])) }
    library.disk.write(path, 10)
    // Its album has another number as well, so that it is not found where it was before all is listed.
    let (former, album) = (try number("a/c/1.jpg", in: library), try number("a/c", in: library))
    library.disk.renumber([try number(path, in: library): former, former: 5000, album: 6000])
    try library.rescan()
    for (path, id) in before { #expect(library.asset(path)?.id == id, "\(path)") }
    #expect(try !before.values.contains(#require(library.asset(path)?.id)))
  }

  @Test("33, S39: a photo that was written to elsewhere keeps its id, though another has its number")
  func changedElsewhere() throws {
    for hasBirths in [false, true] {
      let library = try filled(hasBirths: hasBirths)
      let before = library.indexed
      library.disk.write("a/1.jpg", 77)
      try exchangeNumbers("a/1.jpg", "b/2.jpg", in: library)
      try library.rescan()
      #expect(library.indexed == before && library.asset("a/1.jpg")?.byteCount == 77)
    }
  }

  @Test("S39, S16: photos born in one step that took names of one another unheard went with their files")
  func unheardRenames() throws {
    let library = library(hasBirths: true)
    library.disk.mkdir("a")
    library.disk.write("a/1.jpg", 3)
    library.disk.write("a/2.jpg", 4)
    try library.rescan()
    let (one, other) = (library.asset("a/1.jpg")?.id, library.asset("a/2.jpg")?.id)
    library.disk.rename("a/1.jpg", "a/x.jpg")
    library.disk.rename("a/2.jpg", "a/1.jpg")
    try library.rescan()
    #expect(library.asset("a/x.jpg")?.id == one && library.asset("a/1.jpg")?.id == other)
  }

  @Test(
    "S39: a photo that is renamed, which has an overlay give other numbers to it and to its directory, keeps its id",
    arguments: ["a/2.jpg", "b/2.jpg"])
  func copiedUp(renamed: String) throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    let albums = [library.album("a"), library.album("b")]
    let names = try ["a/1.jpg", renamed].map { try #require(library.location($0)) }
    library.disk.rename("a/1.jpg", renamed)
    for (path, number) in [("a", 9001), ("b", 9002), (renamed, 9003)] as [(String, UInt64)] {
      library.disk.snapshots[try #require(library.disk.number(path))] = FileIdentity(
        volume: .test, inode: number, birthTime: Int64(number))
    }
    try library.change { try $0.moved(from: names[0], to: names[1]) }
    #expect(library.asset(renamed)?.id == id && library.index.assets.count == 1)
    #expect([library.album("a"), library.album("b")] == albums)
  }

  @Test(
    "43, 29, S39: a copy of one length and time in the place of one of several names is another file",
    arguments: [false, true], [false, true])
  func copyInPlaceOfName(isBackedUp: Bool, isReversed: Bool) throws {
    let library = library(hasBirths: false)
    library.isListingReversed = isReversed
    for path in ["a", "b"] { library.disk.mkdir(path) }
    library.disk.write("a/1.jpg", 10)
    library.disk.link("a/1.jpg", "b/2.jpg")
    try library.rescan()
    let id = try #require(library.asset("b/2.jpg")?.id)
    let time = try #require(library.asset("b/2.jpg")?.modified)
    if isBackedUp { library.disk.rename("a/1.jpg", "a/1.old.jpg") } else { library.disk.remove("a/1.jpg") }
    library.disk.write("a/1.jpg", 10)
    library.disk.setModified("a/1.jpg", time)
    for _ in 0..<3 {
      try library.rescan()
      #expect(library.asset("b/2.jpg")?.id == id && library.asset("a/1.jpg")?.id != id)
      #expect(library.asset("a/1.old.jpg")?.id == (isBackedUp ? id : nil))
      for path in ["a/1.jpg", "b/2.jpg"] {
        #expect(library.asset(path)?.identity == library.disk.number(path).flatMap(library.disk.identity))
      }
      library.forget()
    }
    #expect(library.changes.isEmpty)
  }

  @Test("43, 29, S39: a name that is linked to another photo of one length and time is one more name of that")
  func linkedToCopy() throws {
    let library = library(hasBirths: false)
    for path in ["a", "b"] { library.disk.mkdir(path) }
    for path in ["a/1.jpg", "b/2.jpg"] {
      library.disk.write(path, 10)
      library.disk.setModified(path, 0)
    }
    try library.rescan()
    let id = library.asset("a/1.jpg")?.id
    library.disk.remove("b/2.jpg")
    library.disk.link("a/1.jpg", "b/2.jpg")
    try library.rescan()
    #expect(library.asset("a/1.jpg")?.id == id && library.asset("b/2.jpg")?.id == id)
    #expect(library.index.assets.count == 1)
  }

  @Test("S39: where numbers last, photos of one length that changed places went with their files")
  func certain() throws {
    let library = MemoryLibrary()
    for path in ["a", "b"] {
      library.disk.mkdir(path)
      library.disk.write("\(path)/1.jpg", 10)
    }
    try library.rescan()
    let (one, other) = (library.asset("a/1.jpg")?.id, library.asset("b/1.jpg")?.id)
    library.disk.exchange("a/1.jpg", "b/1.jpg")
    try library.rescan()
    #expect(library.asset("b/1.jpg")?.id == one && library.asset("a/1.jpg")?.id == other)
  }

  @Test(
    "33, S39: moved into an album that was just made, and missed before that is listed, a photo is itself",
    arguments: [false, true])
  func movedIntoNewAlbum(hasBirths: Bool) throws {
    let library = library(hasBirths: hasBirths)
    library.disk.mkdir("a")
    for number in 1...2 { library.disk.write("a/\(number).jpg", Int64(number)) }
    try library.rescan()
    let id = library.asset("a/1.jpg")?.id
    library.disk.mkdir("moved")
    library.disk.rename("a/1.jpg", "moved/1.jpg")
    // Only that it went is told: the album is watched too late. Nor is it listed by then.
    try library.hint("a/1.jpg")
    #expect(library.asset("a/1.jpg") == nil)
    try library.hint("moved")
    #expect(library.asset("moved/1.jpg")?.id == id)
    guard !hasBirths else { return }
    // With another length it may be another.
    let other = library.asset("a/2.jpg")?.id
    let number = try number("a/2.jpg", in: library)
    library.disk.remove("a/2.jpg")
    try library.hint("a/2.jpg")
    library.disk.write("moved/3.jpg", 3, reusing: number)
    try library.hint("moved/3.jpg")
    #expect(library.asset("moved/3.jpg")?.id != other)
  }

  @Test(
    "33, S39: of what was gone for a moment, a name comes before a number where length and time say nothing")
  func namesBeforeNumbers() throws {
    let library = try filled(hasBirths: false)
    let before = library.indexed
    for path in ["b/1.jpg", "b/2.jpg"] {
      library.disk.rename(path, "b/.\(path.dropFirst(2))")
      try library.hint(path)
    }
    #expect(library.asset("b/1.jpg") == nil && library.asset("b/2.jpg") == nil)
    for path in ["b/1.jpg", "b/2.jpg"] { library.disk.rename("b/.\(path.dropFirst(2))", path) }
    try exchangeNumbers("b/1.jpg", "b/2.jpg", in: library)
    try library.rescan()
    #expect(library.indexed == before)
  }

  @Test("33, S33: an album with another number is found by its name before everything is compared")
  func recognized() throws {
    for hasBirths in [false, true] {
      let library = try filled(hasBirths: hasBirths)
      let (before, album) = (library.indexed, library.album("a/c"))
      library.disk.renumber([try number("a", in: library): 5000, try number("a/c", in: library): 6000])
      let place = try #require(library.location("a/c/1.jpg"))
      #expect(library.librarian.lookup.look(at: place) == .unknown)
      for path in ["a", "a/c"] {
        let location = try #require(library.location(path))
        try library.librarian.recognize(location, library.found(location))
      }
      #expect(library.librarian.lookup.look(at: place) != .unknown)
      try library.change { _ in }
      #expect(library.album("a/c") == album && library.indexed == before)
    }
  }

  @Test(
    "33, S39, S43: a photo with another number is found by its name before everything is compared, with its movie",
    arguments: [false, true])
  func recognizedFile(hasBirths: Bool) throws {
    let library = library(hasBirths: hasBirths)
    for path in ["a", "b"] { library.disk.mkdir(path) }
    for path in ["a/1.heic", "a/1.mov", "b/2.heic", "b/3.jpg"] { library.disk.write(path, 10) }
    try library.rescan()
    let before = library.indexed
    library.forget()
    // Each has another's number, as after a mount.
    try exchangeNumbers("a/1.heic", "b/2.heic", in: library)
    try exchangeNumbers("a/1.mov", "b/3.jpg", in: library)
    for path in ["a/1.heic", "a/1.mov"] {
      let location = try #require(library.location(path))
      let facts = try library.found(location)
      try library.change { try $0.recognizeFile(at: location, facts) }
      #expect(library.index.link(at: location)?.identity == facts.identity)
    }
    #expect(library.asset("a/1.heic")?.mediaType == .livePhoto)
    #expect(library.indexed == before)
    try library.rescan()
    #expect(library.indexed == before)
    #expect(!library.changes.contains { $0.operation == .removed || $0.operation == .inserted })
  }

  @Test(
    "S16, S43: what has another length or time than a photo is not taken for it by its name before all is compared",
    arguments: [false, true])
  func anotherNotRecognized(hasBirths: Bool) throws {
    let library = try filled(hasBirths: hasBirths)
    let known = try #require(library.asset("a/1.jpg"))
    library.disk.remove("a/1.jpg")
    library.disk.write("a/1.jpg", 11)
    let location = try #require(library.location("a/1.jpg"))
    let facts = try library.found(location)
    try library.change { try $0.recognizeFile(at: location, facts) }
    #expect(library.asset("a/1.jpg")?.identity == known.identity && library.asset("a/1.jpg")?.byteCount == 10)
  }

  @Test("S33: what is certainly another directory is not taken for an album by its name alone")
  func notRecognized() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.disk.rename("a", "z")
    library.disk.mkdir("a")
    let location = try #require(library.location("a"))
    let album = library.album("a")
    let facts = try library.found(location)
    try library.change { try $0.recognize(location, facts) }
    try library.rescan()
    #expect(library.album("z") == album && library.asset("z/1.jpg")?.id == id)
  }

  @Test("S16: what pictures are kept by is of one asset where a number may be another's after a mount")
  func pictured() throws {
    let library = try filled(hasBirths: false)
    let one = try #require(library.asset("a/1.jpg")?.pictured)
    let other = try #require(library.asset("b/2.jpg")?.pictured)
    try exchangeNumbers("a/1.jpg", "b/2.jpg", in: library)
    try library.rescan()
    let now = [library.asset("a/1.jpg")?.pictured, library.asset("b/2.jpg")?.pictured]
    #expect(now.allSatisfy { $0 != one && $0 != other })
    let (certain, _) = try MemoryLibrary.withPhoto()
    let asset = try #require(certain.asset("a/1.jpg"))
    #expect(asset.pictured == asset.identity)
  }

  /// How many histories. `RENUMBERED_SEEDS=1000-3000` runs those instead.
  private static let seeds = StormSeeds.given(by: "RENUMBERED_SEEDS") ?? Array(1...150)

  @Test(
    "33, S39, S16: whatever was done elsewhere, and however numbers are given anew, what was left alone keeps its id",
    arguments: seeds, [false, true])
  func random(seed: UInt64, hasBirths: Bool) throws {
    var random = SeededGenerator(seed: seed)
    let library = library(hasBirths: hasBirths)
    for path in ["a", "b", "a/c"] { library.disk.mkdir(path) }
    // Few lengths, so that many are as long as others, and all of one time.
    for step in 0..<24 {
      library.disk.write("\(["", "a/", "b/", "a/c/"][step % 4])\(step / 4).jpg", Int64(step % 2))
    }
    try library.rescan()
    for round in 0..<8 {
      let (before, files) = (library.indexed, library.disk.files)
      let contents = files.mapValues { library.disk.inodes[$0]?.byteCount }
      library.isListingReversed = Bool.random(using: &random)
      library.forget()
      for _ in 0..<(round % 2 == 0 ? 0 : Int.random(in: 1..<6, using: &random)) {
        operation(library.disk, &random)
      }
      if Int.random(in: 0..<4, using: &random) > 0 { library.disk.renumber(&random) }
      try library.rescan()
      try library.rescan()
      let now = library.disk.files
      #expect(Set(library.indexed.keys) == Set(now.keys), "round \(round), seed \(seed)")
      for (path, number) in now {
        #expect(
          library.asset(path)?.byteCount == library.disk.inodes[number]?.byteCount, "\(path), seed \(seed)")
        guard files[path] == number, contents[path] == library.disk.inodes[number]?.byteCount else {
          continue
        }
        #expect(library.asset(path)?.id == before[path], "\(path), round \(round), seed \(seed)")
      }
      library.librarian.context.now += 60_000_000
    }
  }

  private func operation(_ disk: MemoryDisk, _ random: inout SeededGenerator) {
    func path() -> String {
      let directory = ["", "a/", "b/", "a/c/", "d/"].randomElement(using: &random) ?? ""
      return "\(directory)\(Int.random(in: 0..<8, using: &random)).jpg"
    }
    let (one, other) = (path(), path())
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: disk.write(one, Int64.random(in: 0..<3, using: &random))
    case 2: disk.remove(one)
    case 3: disk.mkdir(["0", "d", "b/c"].randomElement(using: &random) ?? "d")
    case 4, 5: disk.rename(one, other)
    case 6: disk.exchange(one, other)
    default: disk.rename(["b", "d", "a/c"].randomElement(using: &random) ?? "d", "e\(one.count)")
    }
  }
}

extension MemoryLibrary {
  /// What is there.
  fileprivate func found(_ location: Location) throws -> FileFacts {
    guard case .found(let facts) = librarian.lookup.look(at: location) else {
      throw NothingThere()
    }
    return facts
  }
}

private struct NothingThere: Error {}
