import AlbumAPI
import Foundation
import TestSupport
import Testing
import Varlink

/// Random histories of the daemon itself, with all that can come between: it is killed and stopped, its queue
/// overflows, roots go away and come back, and something is mounted over them. A follower has the library in the end,
/// by what it was told alone.
///
/// `STORM_SEEDS=1000-1300` runs those seeds instead. Those that once failed stay for good.
@Suite("A storm (R1, S26, S39, S41, S42)", .blocking, .timeLimit(.minutes(30)))
struct StormTests {
  private static let seeds = StormSeeds.chosen(else: [
    1, 2, 59, 75, 214, 1394, 31_133, 41_682, 61_818, 81_181, 81_425, 202_316,
  ])

  /// What comes between.
  private enum Incident: CaseIterable {
    case none, kill, stop, overflow, rootAway, rootCovered, rescan
  }

  @Test("R1: whatever happens, a follower ends with what is on disk, told once", arguments: seeds)
  func storm(seed: UInt64) throws {
    let library = try TemporaryLibrary()
    var disk = try StormDisk(library, seed: seed)
    let host = try Host(library)
    let follower = try Follower(host)
    try follower.follow {
      Self.difference(disk, $0) == nil
    } or: {
      "at the start, seed \(seed)"
    }
    let kept = Self.kept(follower)
    for _ in 0..<12 {
      disk.act(Int.random(in: 5..<40, using: &disk.random))
      host.daemon.hear()
      if Bool.random(using: &disk.random) { try follower.drain() }
      do {
        try Self.meet(Incident.allCases.randomElement(using: &disk.random) ?? .none, &disk, host, follower)
      } catch let error as Replica<LibraryInterface.Asset>.Contradiction {
        Issue.record("\(error), seed \(seed)")
        return
      }
    }
    // A file with a name in a place that is not watched may have been written by that name (race 12).
    let owner = try host.owner()
    try owner.call(ManagerInterface.Rescan.self, .init())
    // The copy may be the disk while the daemon is still to hear of something that came and went.
    try follower.follow {
      try Self.difference(disk, $0) == nil && owner.info().state == .ready
    } or: {
      "\(Self.difference(disk, follower) ?? "the library is not ready"), seed \(seed)"
    }
    try compare(host, disk, follower, kept, "seed \(seed)")
  }

  private static func meet(
    _ incident: Incident, _ disk: inout StormDisk, _ host: Host, _ follower: Follower
  ) throws {
    let count = Int.random(in: 0..<20, using: &disk.random)
    switch incident {
    case .none: break
    case .kill, .stop:
      follower.disconnect()
      if incident == .kill { try host.daemon.kill() } else { try host.daemon.stop() }
      disk.act(count)
      try host.daemon.start()
    case .overflow:
      host.daemon.pause()
      try disk.flood()
      disk.act(count)
      host.daemon.goOn()
    case .rootAway:
      try disk.takeAway()
      disk.act(count)
      try follower.drain()
      try disk.bringBack()
    case .rootCovered:
      guard SmallDisk.isPossible else { return }
      try disk.coverUp()
      disk.act(count)
      try follower.drain()
      disk.uncover()
    case .rescan: try host.connect().call(ManagerInterface.Rescan.self, .init())
    }
  }

  // MARK: Comparing

  /// The ids of files that nothing is done to but what is done to the directories around them, by length.
  private static func kept(_ follower: Follower) -> [Int64: String] {
    let assets = follower.assets.items.values.filter { $0.filename == "kept.jpg" }
    return Dictionary(uniqueKeysWithValues: assets.map { ($0.byteCount, $0.id) })
  }

  /// In what the copy is not the disk; `nil` when it is.
  private static func difference(_ disk: StormDisk, _ follower: Follower) -> String? {
    let content = disk.content()
    let albums = follower.albums.items.keys.compactMap(follower.path).sorted()
    if albums != content.albums { return "albums \(albums), not \(content.albums)" }
    let assets = follower.assets.items.values
    let lengths = assets.map { Int($0.byteCount) }.sorted()
    if lengths != content.files.keys.sorted() {
      return "files of \(lengths) bytes, not \(content.files.keys.sorted())"
    }
    for asset in assets {
      guard let file = content.files[Int(asset.byteCount)] else { continue }
      let albums = asset.albums.compactMap(follower.path).sorted()
      guard file.names.contains(asset.filename), file.albums == albums,
        file.modified == asset.modified.microseconds
      else { return "\(asset.filename) in \(albums), not \(file)" }
    }
    return nil
  }

  /// The index agrees with the copy, and every file can be had.
  private func compare(
    _ host: Host, _ disk: StormDisk, _ follower: Follower, _ kept: [Int64: String], _ comment: Comment
  ) throws {
    let owner = try host.owner()
    let fetched = try owner.call(LibraryInterface.FetchAssets.self, .init(limit: 1000)).assets
    #expect(Set(fetched.map(\.id)) == Set(follower.assets.items.keys), comment)
    let files = disk.content().files
    for asset in fetched {
      let file = try #require(files[Int(asset.byteCount)], comment)
      #expect(!asset.offline, comment)
      #expect(try owner.content(of: asset.id) == Array(Data(contentsOf: URL(filePath: file.path))), comment)
      guard let id = kept[asset.byteCount] else { continue }
      #expect(asset.id == id, "S39: \(file), \(comment)")
    }
  }
}
