import LibraryModel
import Testing
import TestSupport

/// Random histories on a disk in memory, of which the librarian hears some, late and in any order.
@Suite("The librarian, at random")
struct LibrarianPropertyTests {
  /// How many histories; those that once failed stay for good. `TOLD_SEEDS=1000-3000` runs those instead.
  private static let toldSeeds =
    StormSeeds.given(by: "TOLD_SEEDS") ?? Array(1...200) + [1969, 5169, 14_813, 16_156, 31_251]

  /// What files there are, besides photos.
  private static let kinds = [
    ["jpg"], ["jpg", "mov"], ["jpg", "jpg", "mov", "xmp", "jpg.xmp", "mov.AAE"], ["jpg", "dng"],
    ["jpg", "dng", "mov", "xmp"],
  ]

  private enum Event {
    case touched(String)
    case moved(String, String)
  }

  @Test(
    "R1, S87, S78, S99: whatever was told in whatever order, a rescan ends with the disk, and the changes lead there",
    arguments: 1...200, kinds)
  func anyOrder(seed: UInt64, kinds: [String]) throws {
    var random = SeededGenerator(seed: seed)
    let library = MemoryLibrary()
    library.isHurried = seed.isMultiple(of: 2)
    for path in ["a", "b", "a/c"] { library.disk.mkdir(path) }
    try library.rescan()
    var events: [Event] = []
    for step in 0..<150 {
      events += operation(library.disk, step, kinds, &random)
      // Some are lost, some come late, some in another order.
      while !events.isEmpty, Int.random(in: 0..<3, using: &random) > 0 {
        let event = events.remove(at: Int.random(in: 0..<min(3, events.count), using: &random))
        if Int.random(in: 0..<5, using: &random) == 0 { continue }
        switch event {
        case .touched(let path): try library.hint(path, removal: Bool.random(using: &random))
        case .moved(let path, let other): try library.moved(path, other)
        }
      }
      if Int.random(in: 0..<40, using: &random) == 0 { try library.rescan() }
      library.librarian.context.now += 100_000
    }
    try library.rescan()
    try library.rescan()
    try check(library, seed)
    let place = library.index.journal.count
    try library.rescan()
    #expect(library.index.journal.count == place, "nothing is told of what has not changed, seed \(seed)")
  }

  @Test(
    "R1, S78, S99: when all is told in order, the index is the disk without a rescan, whatever was away when it was looked for",
    arguments: toldSeeds, kinds)
  func allTold(seed: UInt64, kinds: [String]) throws {
    var random = SeededGenerator(seed: seed)
    let library = MemoryLibrary()
    library.isHurried = seed.isMultiple(of: 2)
    for path in ["a", "b", "a/c"] { library.disk.mkdir(path) }
    try library.rescan()
    var events: [MemoryLibrary.Event] = []
    for step in 0..<150 {
      events += operation(library.disk, step, kinds, &random).map { event in
        switch event {
        case .touched(let path): .touched(path, library.disk)
        case .moved(let path, let other): .moved(path, other, library.disk)
        }
      }
      if Int.random(in: 0..<4, using: &random) > 0 { continue }
      var looks = SeededGenerator(seed: seed + UInt64(step))
      library.disk.isAway = { _ in Int.random(in: 0..<8, using: &looks) == 0 }
      try library.tell(events)
      events.removeAll()
      try library.hintsOfMissed()
      library.librarian.context.now += 100_000
    }
    try library.tell(events)
    try library.tellOfRemovedDirectories()
    try check(library, seed)
  }

  private func check(_ library: MemoryLibrary, _ seed: UInt64) throws {
    let expected = library.disk.files.filter { path, _ in !path.contains("/.") }
    let indexed = library.indexed
    #expect(Set(indexed.keys) == Set(expected.keys), "seed \(seed)")
    var assetOf: [UInt64: AssetID] = [:]
    for (path, inode) in expected {
      let id = try #require(indexed[path], "\(path), seed \(seed)")
      if FileName(path).isSidecar {
        try checkSidecar(path, inode, library, seed)
        continue
      }
      if try isPartOfPhoto(path, library, seed) { continue }
      #expect(
        assetOf.updateValue(id, forKey: inode) ?? id == id, "links are one asset: \(path), seed \(seed)")
      let asset = try #require(library.index.asset(id))
      #expect(asset.identity.inode == inode, "\(path), seed \(seed)")
      #expect(asset.byteCount == library.disk.inodes[inode]?.byteCount, "\(path), seed \(seed)")
      #expect(asset.links.contains(try #require(library.location(path))))
    }
    for asset in library.index.assets.values {
      let rows = asset.links.map(library.index.link)
      #expect(rows.allSatisfy { $0?.asset == asset.id && $0?.resource == .main }, "\(asset), seed \(seed)")
      let sidecars = library.index.linksByLocation.values.filter {
        $0.resource == .sidecar && $0.asset == asset.id
      }
      #expect(asset.sidecars == Set(sidecars.map(\.identity)).count, "\(asset), seed \(seed)")
      let hasRaw = library.index.linksByLocation.values.contains {
        $0.resource == .alternatePhoto && $0.asset == asset.id
      }
      #expect(asset.hasRaw == hasRaw, "S99: \(asset), seed \(seed)")
    }
    #expect(Set(assetOf.values).count == assetOf.count, "no two files share an asset, seed \(seed)")
    #expect(Set(assetOf.values) == Set(library.index.assets.keys), "seed \(seed)")
    for node in library.librarian.directories.tree.all {
      #expect(node.counts == library.index.countNames(in: node.id), "seed \(seed)")
    }
    var told: Set<Change.Subject> = []
    for change in library.changes {
      switch change.operation {
      case .inserted: #expect(told.insert(change.subject).inserted, "\(change), seed \(seed)")
      case .removed: #expect(told.remove(change.subject) != nil, "\(change), seed \(seed)")
      case .changed, .moved: #expect(told.contains(change.subject), "\(change), seed \(seed)")
      }
    }
    let albums = library.librarian.directories.tree.all.map(\.id).filter { !$0.isRoot }.map {
      Change.Subject.album($0)
    }
    #expect(told == Set(library.index.assets.keys.map { .asset($0) } + albums), "seed \(seed)")
  }

  /// Checks a sidecar: it belongs to the file of its name, else to what has its stem, else to nothing.
  private func checkSidecar(_ path: String, _ inode: UInt64, _ library: MemoryLibrary, _ seed: UInt64) throws
  {
    let row = try #require(library.location(path).flatMap(library.index.link))
    #expect(row.resource == .sidecar && row.identity.inode == inode, "\(path), seed \(seed)")
    let stem = path.dropLast(4)
    let owners = [stem, stem + ".dng", stem + ".jpg", stem + ".mov"].map {
      library.location($0).flatMap(library.index.link)
    }
    let film = owners[3]?.resource == .main ? owners[3] : nil
    let owner = (owners[0] ?? owners[1] ?? owners[2] ?? film)?.asset ?? .nobody
    #expect(row.asset == owner, "\(path), seed \(seed)")
  }

  /// Checks a movie or RAW: it is an asset of its own, or belongs to the photo beside it.
  private func isPartOfPhoto(_ path: String, _ library: MemoryLibrary, _ seed: UInt64) throws -> Bool {
    let row = try #require(library.location(path).flatMap(library.index.link))
    #expect(library.index.asset(row.asset) != nil, "\(path) is of an asset that is not there, seed \(seed)")
    let name = FileName(path)
    let photos = (name.isPairableMovie ? ["jpg", "dng"] : name.isRaw ? ["jpg"] : []).compactMap {
      library.location(path.dropLast(3) + $0).flatMap(library.index.link)
    }
    .filter { $0.resource == .main }
    guard row.resource != .main else {
      // Both are names of one file, or there would be a pair.
      #expect(photos.allSatisfy { $0.asset == row.asset }, "\(path) has no pair, seed \(seed)")
      return false
    }
    #expect(row.resource == name.part, "\(path), seed \(seed)")
    #expect(
      photos.contains { $0.asset == row.asset }, "\(path) belongs to what is not beside it, seed \(seed)")
    #expect(row.identity.inode == library.disk.files[path], "\(path), seed \(seed)")
    return true
  }

  /// One operation, and what the kernel would tell of it.
  private func operation(_ disk: MemoryDisk, _ step: Int, _ kinds: [String], _ random: inout SeededGenerator)
    -> [Event]
  {
    let directories = ["", "a/", "b/", "a/c/", "d/"]
    func anyFile() -> String {
      let directory = directories.randomElement(using: &random) ?? ""
      let kind = kinds.randomElement(using: &random) ?? "jpg"
      return "\(directory)\(Int.random(in: 0..<5, using: &random)).\(kind)"
    }
    let (file, other) = (anyFile(), anyFile())
    let one = ["a", "b", "a/c", "d"].randomElement(using: &random) ?? "a"
    let two = ["a", "b", "b/c", "d"].randomElement(using: &random) ?? "a"
    switch Int.random(in: 0..<14, using: &random) {
    case 0...3: return disk.write(file, Int64(step)) ? [.touched(file)] : []
    case 4, 5: return disk.rename(file, other) ? [.moved(file, other)] : []
    case 6: return disk.remove(file) ? [.touched(file)] : []
    case 7: return disk.link(file, other) ? [.touched(other)] : []
    case 8: return disk.exchange(file, other) ? [.moved(file, other), .moved(other, file)] : []
    case 9:
      disk.write("a/.tmp", Int64(step))
      return disk.rename("a/.tmp", file) ? [.moved("a/.tmp", file)] : []
    case 10: return disk.mkdir(one) ? [.touched(one)] : []
    case 11: return disk.rename(one, two) ? [.moved(one, two)] : []
    case 12: return disk.exchange(one, two) ? [.moved(one, two), .moved(two, one)] : []
    default: return Bool.random(using: &random) && disk.remove(one) ? [.touched(one)] : []
    }
  }
}
