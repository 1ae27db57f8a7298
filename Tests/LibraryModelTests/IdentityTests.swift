import LibraryModel
import Testing

@Suite("Which id a file or an album keeps")
struct IdentityTests {
  @Test("S39: a move that no event told of is found by comparing, whichever name is looked at first")
  func untoldMove() throws {
    for isTargetFirst in [true, false] {
      let (library, id) = try MemoryLibrary.withPhoto()
      library.disk.rename("a/1.jpg", "b/2.jpg")
      if isTargetFirst { try library.hint("b/2.jpg") }
      try library.rescan()
      #expect(library.asset("b/2.jpg")?.id == id)
      #expect(library.told(id) == [.moved(content: false)])
    }
  }

  @Test(
    "S39: a birth that no 64 bits hold is unknown, and tells no file from another",
    arguments: [Int64.min, .max])
  func birthWithoutEnd(_ birth: Int64) {
    let identity = FileIdentity(volume: .test, inode: 7, birthTime: birth)
    #expect(identity == FileIdentity(volume: .test, inode: 7, birthTime: 0))
    #expect(!identity.isCertain)
  }

  /// Has one directory be a snapshot of another: as many files and directories, with the same numbers and births, on another
  /// volume.
  private func takeSnapshot(_ library: MemoryLibrary, of paths: [(String, String)]) throws {
    for (path, copy) in paths {
      var identity = try #require(library.disk.number(path).flatMap(library.disk.identity))
      identity.volume = VolumeNumber(rawValue: 2)
      library.disk.snapshots[try #require(library.disk.number(copy))] = identity
    }
  }

  @Test(
    "25, S39: what is in a snapshot is not what it is a snapshot of, though numbers and births are the same")
  func snapshot() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.disk.mkdir("snapshot")
    library.disk.write("snapshot/1.jpg", 10)
    try takeSnapshot(library, of: [("a", "snapshot"), ("a/1.jpg", "snapshot/1.jpg")])
    try library.rescan()
    let copy = try #require(library.asset("snapshot/1.jpg")?.id)
    #expect(copy != id && library.asset("a/1.jpg")?.id == id)
    library.disk.write("snapshot/1.jpg", 11)
    try library.hint("snapshot/1.jpg")
    #expect(library.asset("snapshot/1.jpg")?.byteCount == 11 && library.asset("a/1.jpg")?.byteCount != 11)
    try library.rescan()
    #expect(library.asset("snapshot/1.jpg")?.id == copy && library.asset("a/1.jpg")?.id == id)
  }

  @Test(
    "25, S39: an album in whose place its snapshot is keeps its id, and so do its photos; the former is another"
  )
  func movedOutOfSnapshot() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    let album = library.album("a")
    library.disk.mkdir("snapshot")
    library.disk.write("snapshot/1.jpg", 10)
    try takeSnapshot(library, of: [("a", "snapshot"), ("a/1.jpg", "snapshot/1.jpg")])
    library.disk.rename("a", "a.old")
    library.disk.rename("snapshot", "a")
    try library.rescan()
    // Both are found: the directory that was there is itself.
    #expect(library.asset("a.old/1.jpg")?.id == id && library.album("a.old") == album)
    #expect(try #require(library.asset("a/1.jpg")).id != id)
    library.disk.remove("a.old")
    try library.rescan()
    #expect(library.asset("a.old/1.jpg") == nil && library.asset("a/1.jpg") != nil)
  }

  @Test("S39: an edit in place, and a save by renaming over it, are changes of the content")
  func saves() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.disk.write("a/1.jpg", 11)
    try library.hint("a/1.jpg")
    library.disk.write("a/.1.tmp", 12)
    try library.hint("a/.1.tmp")
    library.disk.rename("a/.1.tmp", "a/1.jpg")
    try library.moved("a/.1.tmp", "a/1.jpg")
    #expect(library.asset("a/1.jpg")?.id == id && library.asset("a/1.jpg")?.byteCount == 12)
    #expect(library.told(id) == [.changed(content: true), .changed(content: true)])
    // With a backup beside it that counts as well, the asset goes with its file, and the name is a new one's.
    library.disk.rename("a/1.jpg", "a/1~.jpg")
    library.disk.write("a/1.jpg", 13)
    try library.rescan()
    #expect(library.asset("a/1~.jpg")?.id == id)
    #expect(library.asset("a/1.jpg")?.id != id)
  }

  @Test("S39: deleted and made anew under its name within ten seconds, it is the same asset; later another")
  func returns() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.disk.remove("a/1.jpg")
    try library.hint("a/1.jpg")
    library.librarian.context.now = 9_000_000
    library.disk.write("a/1.jpg", 11)
    try library.hint("a/1.jpg")
    #expect(library.asset("a/1.jpg")?.id == id)
    #expect(library.told(id) == [.removed, .inserted])
    library.disk.remove("a/1.jpg")
    try library.hint("a/1.jpg")
    library.librarian.context.now = 30_000_000
    library.disk.write("a/1.jpg", 11)
    try library.hint("a/1.jpg")
    #expect(library.asset("a/1.jpg")?.id != id)
  }

  @Test(
    "S39, S16: moved away while another took its name, a file keeps its id, whichever directory is compared first",
    arguments: [false, true], ["a/1.jpg", "b/1.jpg", "b/0.jpg"])
  func movedAndReplaced(isReversed: Bool, target: String) throws {
    for source in ["a/1.jpg", "b/1.jpg"] where source != target {
      let (library, _) = try MemoryLibrary.withPhoto()
      library.isListingReversed = isReversed
      library.disk.write(source, 33)
      try library.rescan()
      let id = try #require(library.asset(source)?.id)
      library.disk.remove(target)
      try library.hint(target)
      library.forget()
      library.disk.rename(source, target)
      library.disk.write(source, 44)
      try library.rescan()
      #expect(library.asset(target)?.id == id && library.asset(source)?.id != id)
      #expect(library.told(id).count == 1 && library.asset(source)?.byteCount == 44)
    }
  }

  @Test("S39: of names whose files all moved on, each asset goes with its file", arguments: [false, true])
  func chains(isReversed: Bool) throws {
    let (library, _) = try MemoryLibrary.withPhoto()
    library.isListingReversed = isReversed
    let names = ["a/1.jpg", "b/2.jpg", "a/3.jpg", "b/4.jpg", "a/5.jpg"]
    for (index, name) in names.enumerated() { library.disk.write(name, Int64(100 + index)) }
    try library.rescan()
    let ids = names.compactMap { library.asset($0)?.id }
    library.forget()
    // Each takes the next one's name; the last goes round.
    library.disk.rename("a/5.jpg", ".t")
    for index in [3, 2, 1, 0] { library.disk.rename(names[index], names[index + 1]) }
    library.disk.rename(".t", "a/1.jpg")
    try library.rescan()
    #expect(names.compactMap { library.asset($0)?.id } == [ids[4]] + ids[..<4])
    #expect(ids.allSatisfy { library.told($0).count == 1 })
    // Renamed over the first, the second takes its asset's place, as a save does; the others follow.
    let before = names.compactMap { library.asset($0)?.id }
    for index in 0..<4 { library.disk.rename(names[index + 1], names[index]) }
    try library.rescan()
    #expect(names.compactMap { library.asset($0)?.id } == [before[0]] + before[2...])
    #expect(library.told(before[1]).last == .removed)
  }

  @Test("S39: two files that changed places keep their assets")
  func exchange() throws {
    let (library, first) = try MemoryLibrary.withPhoto()
    library.disk.write("b/2.jpg", 20)
    try library.hint("b/2.jpg")
    let second = try #require(library.asset("b/2.jpg")?.id)
    library.disk.exchange("a/1.jpg", "b/2.jpg")
    try library.rescan()
    #expect(library.asset("b/2.jpg")?.id == first && library.asset("a/1.jpg")?.id == second)
  }

  @Test(
    "S39: renamed to another case where case does not count, a file has one name still",
    arguments: [false, true])
  func otherCase(isTold: Bool) throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.disk.ignoresCase = true
    library.disk.write("a/IMG.jpg", 5)
    try library.rescan()
    let other = try #require(library.asset("a/IMG.jpg")?.id)
    library.forget()
    library.disk.rename("a/IMG.jpg", "a/img.jpg")
    if isTold { try library.moved("a/IMG.jpg", "a/img.jpg") }
    try library.rescan()
    #expect(library.asset("a/img.jpg")?.id == other && library.asset("a/IMG.jpg") == nil)
    #expect(library.told(other) == [.changed(content: false)] && library.told(id).isEmpty)
  }

  @Test("S39: where there are no birth times, a number says nothing, but a rename that is told does")
  func noBirthTimes() throws {
    let library = MemoryLibrary()
    library.disk.hasBirthTimes = false
    library.disk.mkdir("a")
    library.disk.write("a/1.jpg", 10)
    try library.rescan()
    let (id, album) = (try #require(library.asset("a/1.jpg")?.id), library.album("a"))
    library.disk.write("a/1.jpg", 20)
    library.disk.rename("a/1.jpg", "a/2.jpg")
    try library.moved("a/1.jpg", "a/2.jpg")
    #expect(library.asset("a/2.jpg")?.id == id)
    library.disk.rename("a", "b")
    try library.rescan()
    #expect(library.album("b") != album, "another may have its number by now")
  }

  @Test("S39, S16: without birth times, what got the number of a file that was saved over is not that file")
  func reusedNumber() throws {
    let library = MemoryLibrary()
    library.disk.hasBirthTimes = false
    library.disk.mkdir("a")
    for number in 1...3 { library.disk.write("a/\(number).jpg", Int64(number * 10)) }
    try library.rescan()
    let ids = ["1", "2", "3"].compactMap { library.asset("a/\($0).jpg")?.id }
    let number = try #require(library.disk.files["a/1.jpg"])
    library.disk.rename("a/2.jpg", "a/1.jpg")
    library.disk.write("a/2.jpg", 40, reusing: number)
    try library.moved("a/2.jpg", "a/1.jpg")
    #expect(library.asset("a/1.jpg")?.id == ids[0] && library.asset("a/1.jpg")?.byteCount == 20)
    #expect(!ids.contains(try #require(library.asset("a/2.jpg")?.id)))
  }

  @Test(
    "S39: without birth times, a file that was changed and linked while nobody looked is one asset",
    arguments: ["a", "c"])
  func changedAndLinked(_ other: String) throws {
    let library = MemoryLibrary()
    library.disk.hasBirthTimes = false
    for name in ["a", "b", "c"] {
      library.disk.mkdir(name)
      library.disk.write("\(name)/\(name).jpg", 10)
    }
    try library.rescan()
    let ids = ["a", "b", "c"].compactMap { library.asset("\($0)/\($0).jpg")?.id }
    library.forget()
    library.disk.write("b/b.jpg", 20)
    library.disk.link("b/b.jpg", "\(other)/new.jpg")
    try library.rescan()
    let one = try #require(library.asset("b/b.jpg"))
    #expect(one.id == ids[1] && library.asset("\(other)/new.jpg")?.id == one.id && one.links.count == 2)
    #expect(library.told(one.id) == [.changed(content: true)])
    // Another file that gets its number is another asset.
    let number = try #require(library.disk.files["b/b.jpg"])
    library.disk.remove("b/b.jpg")
    library.disk.remove("\(other)/new.jpg")
    library.disk.write("\(other)/last.jpg", 40, reusing: number)
    library.disk.link("\(other)/last.jpg", "b/last.jpg")
    try library.rescan()
    #expect(library.asset("b/last.jpg")?.id == library.asset("\(other)/last.jpg")?.id)
    #expect(library.asset("b/last.jpg")?.id != one.id)
  }

  @Test("S39: without birth times, a name whose file has gone is forgotten, whoever has its number now")
  func goneBesideReusedNumber() throws {
    let library = MemoryLibrary()
    library.disk.hasBirthTimes = false
    library.disk.mkdir("a")
    for number in 1...3 { library.disk.write("a/\(number).jpg", Int64(number * 10)) }
    try library.rescan()
    let number = try #require(library.disk.files["a/1.jpg"])
    library.disk.rename("a/2.jpg", "a/3.jpg")
    library.disk.remove("a/1.jpg")
    library.disk.write("a/2.jpg", 40, reusing: number)
    try library.tell([.moved("a/2.jpg", "a/3.jpg", library.disk), .touched("a/1.jpg", library.disk)])
    #expect(Set(library.indexed.keys) == Set(library.disk.files.keys))
  }

  @Test(
    "S39, 4: a file that is away for a moment while it is decided about takes no other with it",
    arguments: 1..<16, [["a/1.jpg", "b/2.jpg", "b/3.jpg"], ["b/3.jpg", "b/2.jpg", "a/1.jpg"]])
  func awayForAMoment(look: Int, order: [String]) throws {
    for hasOtherName in [true, false] { try awayForAMoment(look, order, hasOtherName: hasOtherName) }
  }

  @Test(
    "S39, S41, 32: what cannot be looked at while it is decided about is neither gone nor another",
    arguments: 1..<12, [false, true])
  func slowForAMoment(look: Int, isRenumbered: Bool) throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.disk.hasBirthTimes = false
    try library.rescan()
    let number = try #require(library.disk.number("a/1.jpg"))
    if isRenumbered {
      library.disk.renumber([number: 7000])
    } else {
      library.disk.write("a/.t", 20)
      library.disk.rename("a/.t", "a/1.jpg")
    }
    let place = library.location("a/1.jpg")
    var looks = 0
    library.disk.isSlow = { location in
      looks += location == place ? 1 : 0
      return location == place && looks == look
    }
    try library.rescan()
    library.disk.isSlow = nil
    try library.rescan()
    #expect(library.asset("a/1.jpg")?.id == id)
    #expect(!library.told(id).contains(.removed), "look \(look)")
  }

  private func awayForAMoment(_ look: Int, _ order: [String], hasOtherName: Bool) throws {
    let (library, _) = try MemoryLibrary.withPhoto()
    library.disk.write("b/2.jpg", 20)
    if hasOtherName { library.disk.link("b/2.jpg", "b/3.jpg") }
    try library.rescan()
    if !hasOtherName { library.disk.rename("b/2.jpg", "b/3.jpg") }
    library.disk.rename("a/1.jpg", "b/2.jpg")
    library.disk.write("a/1.jpg", 44)
    let place = library.location("b/2.jpg")
    var looks = 0
    library.disk.isAway = { location in
      looks += location == place ? 1 : 0
      return location == place && looks == look
    }
    try library.tell(order.map { .touched($0, library.disk) })
    try library.hintsOfMissed()
    #expect(Set(library.indexed.keys) == Set(library.disk.files.keys))
    for (path, number) in library.disk.files {
      #expect(library.asset(path)?.byteCount == library.disk.inodes[number]?.byteCount, "\(path)")
    }
  }

  @Test(
    "S39, S41: directories changed places, and one of the places went offline before anyone looked",
    arguments: [false, true])
  func exchangedWithOffline(isTold: Bool) throws {
    let (library, one) = try MemoryLibrary.withPhoto()
    library.disk.mkdir("disk")
    library.disk.mkdir("disk/c")
    library.disk.write("disk/c/2.jpg", 20)
    try library.rescan()
    let two = try #require(library.asset("disk/c/2.jpg")?.id)
    library.forget()
    library.disk.exchange("a", "disk/c")
    library.disk.offline = "disk"
    if isTold { try library.moved("disk/c", "a") } else { try library.hint("a") }
    #expect(library.asset("a/2.jpg")?.id == two)
    #expect(library.asset("disk/c/1.jpg")?.id == one, "it may be there")
    library.disk.offline = nil
    try library.rescan()
    #expect(library.indexed == ["a/2.jpg": two, "disk/c/1.jpg": one])
    #expect(!library.changes.contains { $0.operation == .removed || $0.operation == .inserted })
  }

  @Test("S39: a file that is mounted at a second place is in the library once", arguments: [false, true])
  func mountedTwice(isReversed: Bool) throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.isListingReversed = isReversed
    library.disk.hasMounts = true
    library.disk.link("a/1.jpg", "b/1.jpg")
    for _ in 0..<2 { try library.rescan() }
    #expect(library.indexed.values.sorted { $0.rawValue < $1.rawValue } == [id])
    let told = library.told(id).count
    try library.hint("b/1.jpg")
    try library.hint("a/1.jpg")
    #expect(library.told(id).count == told, "nothing has happened")
  }

  @Test("7, S39, S42: while directories are polled, what was moved into one is known again when it is found")
  func movedWhereNobodyListens() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.librarian.context.memory = 130_000_000
    library.disk.rename("a/1.jpg", "b/2.jpg")
    try library.hint("a/1.jpg")
    #expect(library.told(id) == [.removed])
    library.librarian.context.now = 120_000_000
    library.disk.write("a/1.jpg", 3)
    try library.hint("a/1.jpg")
    #expect(library.asset("a/1.jpg")?.id != id, "its name is another's by now")
    try library.rescan()
    #expect(library.asset("b/2.jpg")?.id == id)
  }

  @Test("S39, S47: an album keeps its id when it is renamed, and so do all assets in it")
  func renamedAlbum() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    let album = library.album("a")
    library.disk.rename("a", "c")
    try library.moved("a", "c")
    #expect(library.album("c") == album && library.asset("c/1.jpg")?.id == id)
    #expect(library.told(id).isEmpty, "nothing happened to the asset")
    library.disk.rename("c", "b/c")
    try library.rescan()
    #expect(library.album("b/c") == album && library.asset("b/c/1.jpg")?.id == id)
  }

  @Test(
    "S39, S47: an album that was renamed, and made anew under its name, is the renamed one",
    arguments: ["0", "z"], [false, true])
  func remadeAlbum(name: String, isReversed: Bool) throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.isListingReversed = isReversed
    let album = library.album("a")
    library.disk.rename("a", name)
    library.disk.mkdir("a")
    library.disk.write("a/1.jpg", 2)
    try library.rescan()
    #expect(library.album(name) == album && library.album("a") != album)
    #expect(library.asset("\(name)/1.jpg")?.id == id && library.asset("a/1.jpg")?.id != id)
    #expect(library.told(id).isEmpty)
    let other = library.album("a")
    library.disk.remove("a")
    library.disk.mkdir("a")
    try library.rescan()
    #expect(library.album("a") == other, "the same album, if the former is nowhere")
  }

  @Test(
    "S39, S47: an album that was moved into one which was made anew under its name keeps its id",
    arguments: [false, true], ["a/old", "a/new/old"])
  func movedIntoItsSuccessor(isReversed: Bool, target: String) throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.isListingReversed = isReversed
    let album = library.album("a")
    library.disk.rename("a", ".t")
    for path in ["a", "a/new"] { library.disk.mkdir(path) }
    library.disk.write("a/1.jpg", 2)
    library.disk.rename(".t", target)
    try library.rescan()
    #expect(library.album(target) == album && library.album("a") != album)
    #expect(library.asset("\(target)/1.jpg")?.id == id && library.asset("a/1.jpg")?.id != id)
  }

  @Test(
    "S39: a file in a directory that takes the place of one which has gone is the one that it was before",
    arguments: [false, true])
  func movedIntoARemadeAlbum(isReversed: Bool) throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.isListingReversed = isReversed
    library.disk.mkdir("c")
    for (name, length) in [("1", 2), ("2", 3)] { library.disk.write("c/\(name).jpg", Int64(length)) }
    try library.rescan()
    let (album, saved) = (library.album("c"), library.asset("c/2.jpg")?.id)
    library.disk.remove("c")
    library.disk.mkdir(".t")
    library.disk.rename("a/1.jpg", ".t/1.jpg")
    library.disk.write(".t/2.jpg", 4)
    library.disk.rename(".t", "c")
    try library.rescan()
    #expect(library.album("c") == album)
    #expect(library.asset("c/1.jpg")?.id == id, "it has moved there")
    #expect(library.asset("c/2.jpg")?.id == saved, "nobody knew it: it has the name's id")
  }

  @Test("S39, S47: albums that changed places are found by either name, and nothing in them goes meanwhile")
  func exchangedAlbums() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.disk.write("b/1.jpg", 2)
    try library.hint("b/1.jpg")
    let (one, other, second) = (library.album("a"), library.album("b"), library.asset("b/1.jpg")?.id)
    library.forget()
    library.disk.exchange("a", "b")
    try library.hint("a")
    #expect(library.album("a") == other && library.album("b") == one)
    #expect(library.asset("b/1.jpg")?.id == id && library.asset("a/1.jpg")?.id == second)
    #expect(library.told(id).isEmpty)
  }

  @Test(
    "S39: a name that was saved over, of a file whose other name has changed places with another",
    arguments: [false, true])
  func overwrittenBesideExchange(isReversed: Bool) throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.isListingReversed = isReversed
    library.disk.link("a/1.jpg", "b/2.jpg")
    library.disk.write("b/3.jpg", 3)
    try library.rescan()
    let other = library.asset("b/3.jpg")?.id
    library.disk.exchange("b/2.jpg", "b/3.jpg")
    library.disk.write(".t", 4)
    library.disk.rename(".t", "a/1.jpg")
    try library.rescan()
    #expect(library.asset("b/3.jpg")?.id == id && library.asset("b/2.jpg")?.id == other)
    let new = try #require(library.asset("a/1.jpg"))
    #expect(new.byteCount == 4 && new.id != id && new.id != other)
  }

  /// When each of three renames is told: how many are done by then.
  static let tellings = (1...3).flatMap { first in (max(2, first)...3).map { [first, $0, 3] } }

  @Test(
    "S39, S47: where there are no birth times, albums that change places by a third name stay themselves, whenever that is told",
    arguments: tellings)
  func albumsChangePlaces(telling: [Int]) throws {
    let library = MemoryLibrary()
    library.disk.hasBirthTimes = false
    for path in ["a", "b", "a/in", "b/in"] { library.disk.mkdir(path) }
    for (number, path) in ["a/1.jpg", "b/2.jpg", "a/in/3.jpg", "b/in/4.jpg"].enumerated() {
      library.disk.write(path, 10 + Int64(number))
    }
    try library.rescan()
    let albums = ["a", "b", "a/in", "b/in"].map(library.album)
    let assets = ["a/1.jpg", "b/2.jpg", "a/in/3.jpg", "b/in/4.jpg"].map { library.asset($0)?.id }
    let renames = [("a", "x"), ("b", "a"), ("x", "b")]
    var done = 0
    for (number, isDone) in telling.enumerated() {
      for rename in renames[done..<max(done, isDone)] { library.disk.rename(rename.0, rename.1) }
      done = max(done, isDone)
      let (from, to) = renames[number]
      try library.librarian.moved(
        from: Location(library.root, FileName(from)), to: Location(library.root, FileName(to)))
    }
    // All that the kernel has told is taken in before anything in doubt is decided about.
    try library.tell([])
    #expect(["b", "a", "b/in", "a/in"].map(library.album) == albums)
    #expect(["b/1.jpg", "a/2.jpg", "b/in/3.jpg", "a/in/4.jpg"].map { library.asset($0)?.id } == assets)
    try library.rescan()
    #expect(["b", "a", "b/in", "a/in"].map(library.album) == albums)
    #expect(library.librarian.directories.tree.all.count == 5)
  }

  /// Three photos, of which the first two have changed places; of that, only the first one's name was told.
  private func exchanged() throws -> (MemoryLibrary, ids: [UInt64: AssetID], Doubts) {
    let library = MemoryLibrary()
    for number in 1...3 { library.disk.write("\(number).jpg", Int64(10 + number)) }
    try library.rescan()
    var ids: [UInt64: AssetID] = [:]
    for number in 1...3 {
      ids[try #require(library.disk.number("\(number).jpg"))] = library.asset("\(number).jpg")?.id
    }
    library.forget()
    library.disk.exchange("1.jpg", "2.jpg")
    try library.librarian.files.examine(#require(library.location("1.jpg")), removal: false, .closed)
    return (library, ids, takeDoubts(of: library))
  }

  private func takeDoubts(of library: MemoryLibrary) -> Doubts {
    defer { library.librarian.context.duties.doubts = Doubts() }
    return library.librarian.context.duties.doubts
  }

  private func expectFollowed(_ ids: [UInt64: AssetID], in library: MemoryLibrary) throws {
    for number in 1...3 { try library.hint("\(number).jpg") }
    for number in 1...3 {
      let path = "\(number).jpg"
      #expect(try library.asset(path)?.id == ids[#require(library.disk.number(path))], "\(path)")
    }
    #expect(library.changes.allSatisfy { $0.operation != .removed && $0.operation != .inserted })
  }

  @Test(
    "42, S39: photos that change places while it is looked where they are keep their ids", arguments: 1...8)
  func movesOn(look: Int) throws {
    let (library, ids, doubts) = try exchanged()
    var looks = 0
    library.disk.isSlow = { _ in
      looks += 1
      if looks == look { library.disk.exchange("2.jpg", "3.jpg") }
      return false
    }
    try library.librarian.decide(doubts)
    library.disk.isSlow = nil
    try expectFollowed(ids, in: library)
  }

  @Test(
    "42, S39: one that is never where it is looked for is awaited as long as more is told, for a second at most"
  )
  func movesOnAndOn() throws {
    for (isMoreTold, pause) in [(true, 1000), (true, 400_000), (false, 1000)] as [(Bool, UInt64)] {
      let (library, ids, first) = try exchanged()
      let photo = try #require(library.disk.number("2.jpg"))
      library.disk.isSlow = { location in
        if library.disk.number(location.name.description) == photo { library.disk.exchange("2.jpg", "3.jpg") }
        return false
      }
      var doubts = first
      for step in 1...4 {
        if isMoreTold { library.librarian.context.told += 1 }
        library.librarian.context.now += pause
        try library.librarian.decide(doubts)
        doubts = takeDoubts(of: library)
        let isAwaited = step == 1 || isMoreTold && UInt64(step - 1) * pause < 1_000_000
        #expect((library.asset("1.jpg")?.byteCount == 11) == isAwaited, "step \(step)")
        if !isAwaited { break }
      }
      guard isMoreTold, pause == 1000 else { continue }
      library.disk.isSlow = nil
      try expectFollowed(ids, in: library)
    }
  }
}
