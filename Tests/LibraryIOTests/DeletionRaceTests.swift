import EventLoop
import LibraryModel
import Storage
import TestSupport
import Testing

@testable import LibraryIO

/// What happens to a photo, and beside it, between the moment in which its deletion was written down and that in which its files
/// are put away.
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct DeletionRaceTests {
  @EventLoopActor
  private func library(_ names: [String]) async throws -> (TestLibrary, Asset, DeletedAsset) {
    let library = try await TestLibrary.make { files in
      try files.directory("in/a")
      for name in names { try files.put("in/a/\(name)", name) }
    }
    let asset = try #require(try library.asset("a/p.jpg"))
    return (library, asset, try library.monitor.edits.deletions.record(asset, by: nil, at: 1))
  }

  private let all = ["p.jpg", "p.mov", "p.jpg.xmp"]

  @EventLoopActor
  private func names(_ library: TestLibrary) -> Set<String> { Set(entries(of: library.base + "/in/a")) }

  @EventLoopActor
  private func hidden(_ library: TestLibrary) -> [String] {
    entries(of: library.base + "/in/.albumd-deleted")
  }

  @Test(
    "S33: of a photo that was just renamed nothing is deleted, neither alone nor with what lies beside it")
  @EventLoopActor
  func renamed() async throws {
    let (library, asset, record) = try await library(all)
    try #require(record.files.count == 3)
    try library.files.move("in/a/p.jpg", "in/a/r.jpg")
    let code = await failure { try await library.monitor.edits.deletions.carryOut(record) }
    // As it comes: before the library knows the new name, or after.
    #expect(code == .gone || code == .replaced)
    #expect(names(library) == ["r.jpg", "p.mov", "p.jpg.xmp"] && hidden(library).isEmpty)
    #expect(try library.monitor.edits.records.all().isEmpty)
    try await library.until { try $0.asset("a/r.jpg")?.id == asset.id && $0.asset("a/p.mov") != nil }
    library.end()
  }

  @Test(
    "S33, R2: killed while it was deleted, and renamed before the next start, it is there, with what lies beside it"
  )
  @EventLoopActor
  func renamedWhileDown() async throws {
    let (library, asset, record) = try await library(all)
    try await library.restart { files in
      try files.directory("in/.albumd-deleted")
      for file in record.files.dropFirst() {
        try files.move("in/a/\(file.location.name)", "in/.albumd-deleted/\(file.name)")
      }
      try files.move("in/a/p.jpg", "in/a/r.jpg")
    }
    #expect(names(library) == ["r.jpg", "p.mov", "p.jpg.xmp"] && hidden(library).isEmpty)
    #expect(try library.monitor.edits.records.all().isEmpty)
    #expect(try library.asset("a/r.jpg")?.id == asset.id)
    library.end()
  }

  @Test("S33, S78, S99: what came beside a photo while it was deleted is there, and the library has it")
  @EventLoopActor
  func cameBeside() async throws {
    let (library, asset, record) = try await library(["p.jpg"])
    for name in ["p.mov", "p.dng", "p.jpg.xmp"] { try library.files.put("in/a/\(name)", name) }
    try await library.until {
      guard let asset = try $0.asset("a/p.jpg") else { return false }
      return asset.mediaType == .livePhoto && asset.hasRaw && asset.sidecars == 1
    }
    try await library.monitor.edits.deletions.carryOut(record)
    #expect(library.operations(asset.id).last == .removed && hidden(library).count == 1)
    #expect(names(library) == ["p.mov", "p.dng", "p.jpg.xmp"])
    try await library.until {
      try $0.asset("a/p.dng")?.mediaType == .livePhoto && $0.link("a/p.jpg.xmp") != nil
    }
    #expect(library.store.files.assetCount == 1)
    // Alone as well: not as parts of what they lay beside.
    #expect(try library.link("a/p.dng")?.resource == .main && library.asset("a/p.dng")?.id != asset.id)
    library.end()
  }
}
