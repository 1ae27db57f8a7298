import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Storage
import Testing

/// Random histories, with the loop reading at random moments, so that events come split, late and in
/// heaps; some with an overflow, some with a restart.
@Suite(.runningLoop, .timeLimit(.minutes(1)))
struct StormTests {
  @Test("R1: after any history the index is the disk, and the changes told lead to it", arguments: 1...12)
  @EventLoopActor
  func storm(seed: UInt64) async throws {
    var random = Random(state: seed)
    let library = try await TestLibrary.make { files in
      for name in ["in/a", "in/b", "in/a/c", "out/o"] { try files.directory(name) }
    }
    let directories = ["in", "in/a", "in/b", "in/a/c", "in/d", "out/o"]
    for step in 0..<600 {
      let (one, two) = (
        directories.randomElement(using: &random)!, directories.randomElement(using: &random)!
      )
      let file = "\(one)/\(Int.random(in: 0..<8, using: &random)).jpg"
      let other = "\(two)/\(Int.random(in: 0..<8, using: &random)).jpg"
      // What cannot be done on this disk is not done.
      switch Int.random(in: 0..<12, using: &random) {
      case 0...3: try? library.files.put(file, String(repeating: "x", count: step % 50))
      case 4, 5: try? library.files.move(file, other)
      case 6: try? library.files.unlink(file)
      case 7: try? library.files.link(file, other)
      case 8:
        try? library.files.put("\(one)/.tmp", "saved \(step)")
        try? library.files.move("\(one)/.tmp", file)
      case 9: try? library.files.exchange(file, other)
      case 10 where one != "in" && two != "in": try? library.files.move(one, two)
      default:
        if one != "in", Bool.random(using: &random) { library.files.remove(one) }
        try? library.files.directory(two)
      }
      if Int.random(in: 0..<20, using: &random) == 0 { await Task.yield() }
      if step == 300, seed.isMultiple(of: 3) { library.monitor.rescan() }
      if step == 450, seed.isMultiple(of: 4) {
        try await library.settle()
        try await library.restart { try? $0.move("in/a", "in/e") }
      }
    }
    try await library.settle("last.jpg")
    let expected = library.files.media(beneath: "in")
    try await library.until { try $0.indexed() == expected }
    // A file with a name outside may have been written by that name: only a scan finds it (race 12).
    library.monitor.rescan()
    await library.until { $0.monitor.state.summary == .ready }
    // Links of one file are one asset, and no two files share one.
    var assetOf: [UInt64: AssetID] = [:]
    for path in expected {
      let asset = try #require(try library.asset(path))
      let facts = try library.files.status("in/\(path)")
      #expect(asset.identity.inode == facts.inode && asset.byteCount == facts.size, "\(path)")
      #expect(assetOf.updateValue(asset.id, forKey: facts.inode) ?? asset.id == asset.id)
    }
    #expect(Set(assetOf.values).count == assetOf.count)
    #expect(library.store.assetCount == assetOf.count)
    // A subscriber that applies the changes has what is there.
    if !seed.isMultiple(of: 4) {
      var told: Set<AssetID> = []
      for change in library.changes {
        guard case .asset(let id) = change.subject else { continue }
        switch change.operation {
        case .inserted: #expect(told.insert(id).inserted)
        case .removed: #expect(told.remove(id) != nil)
        case .changed, .moved: #expect(told.contains(id))
        }
      }
      #expect(told == Set(assetOf.values))
    }
    library.end()
  }
}

/// SplitMix64: the same numbers from the same seed.
private struct Random: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension TestFiles {
  func status(_ path: String) throws -> (inode: UInt64, size: Int64) {
    var status = stat()
    guard lstat("\(base)/\(path)", &status) == 0 else { throw Failure(call: "lstat", code: errno) }
    return (UInt64(status.st_ino), Int64(status.st_size))
  }

  /// Paths, beneath a directory, of files that count.
  func media(beneath path: String) -> Set<String> {
    var found: Set<String> = []
    guard let directory = opendir("\(base)/\(path)") else { return [] }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix(".") { continue }
      if entry.pointee.d_type == 4 {
        found.formUnion(media(beneath: "\(path)/\(name)").map { "\(name)/\($0)" })
      } else if name.hasSuffix(".jpg") {
        found.insert(name)
      }
    }
    closedir(directory)
    return found
  }
}
