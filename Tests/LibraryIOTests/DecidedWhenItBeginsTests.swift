import EventLoop
import Glibc
import LibraryModel
import Linux
import LoopTesting
import TestSupport
import Testing

@testable import LibraryIO

/// What is decided about an edit counts when it begins, however long it has waited for those before it (S29, 0144).
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct DecidedWhenItBeginsTests {
  enum Edit: CaseIterable {
    case delete, replace, revert, restore, purge, rename, link, unlink, mark, makeAlbum, moveAlbum,
      removeAlbum
  }

  private struct Refused: Error {}

  /// An edit that lasts until it is told to end, and keeps all others waiting.
  @EventLoopActor
  private final class Holder {
    private var isHeld = false
    private var end: CheckedContinuation<Void, Never>?
    private var begun: CheckedContinuation<Void, Never>?
    private var task: Task<Void, any Error>?

    func begin(_ library: TestLibrary) async {
      task = Task { @EventLoopActor in
        let root = DirectoryID(of: RootID(rawValue: 1))
        try await library.monitor.between.editing([root], mayBegin: nobodyAsked) {
          isHeld = true
          begun?.resume()
          await withCheckedContinuation { end = $0 }
        }
      }
      if !isHeld { await withCheckedContinuation { begun = $0 } }
    }

    func letGo() async throws {
      end?.resume()
      try await task?.value
    }
  }

  @Test(
    "S29: what is refused when it is its turn is not done, now or later, whatever was said before",
    arguments: Edit.allCases)
  @EventLoopActor
  func refused(_ edit: Edit) async throws {
    let library = try await TestLibrary.make { files in
      for album in ["a", "b", "e"] { try files.directory("in/\(album)") }
      try files.put("in/a/p.jpg", "one")
      try files.link("in/a/p.jpg", "in/b/p.jpg")
      try files.put("in/q.jpg", "other")
      try files.put("in/z.jpg", "deleted")
    }
    let begin = try await prepare(edit, library)
    let before = (names(library), try library.monitor.edits.records.all())
    let holder = Holder()
    await holder.begin(library)
    var (mayBegin, asked) = (true, 0)
    let task = Task { @EventLoopActor in
      try await begin(
        MayBegin(by: 1) {
          asked += 1
          guard mayBegin else { throw Refused() }
        })
    }
    // It comes as far as to where it waits.
    for _ in 0..<50 { await EventLoopActor.giveWay() }
    #expect(asked == 0)
    mayBegin = false
    try await holder.letGo()
    await #expect(throws: Refused.self) { try await task.value }
    #expect(asked == 1)
    #expect(names(library) == before.0)
    #expect(try library.monitor.edits.records.all() == before.1)
    #expect(try library.monitor.edits.halfDone.complete(), "nothing is left to be ended")
    try await library.settle()
    #expect(names(library) == before.0)
    try await library.restart { _ in }
    #expect(names(library) == before.0)
    #expect(try library.monitor.edits.records.all() == before.1)
    library.end()
  }

  @Test(
    "S29: what is refused while the disk takes nothing is told as refused, and not done when it takes something again",
    arguments: Edit.allCases)
  @EventLoopActor
  func unwritable(_ edit: Edit) async throws {
    let library = try await TestLibrary.make { files in
      for album in ["a", "b", "e"] { try files.directory("in/\(album)") }
      try files.put("in/a/p.jpg", "one")
      try files.link("in/a/p.jpg", "in/b/p.jpg")
      try files.put("in/q.jpg", "other")
      try files.put("in/z.jpg", "deleted")
    }
    let begin = try await prepare(edit, library)
    let before = (names(library), try library.monitor.edits.records.all())
    let batches = library.monitor.batches
    await #expect(throws: Refused.self) {
      try await begin(
        MayBegin(by: 1) {
          batches.fail(SystemError("write", code: ENOSPC))
          throw Refused()
        })
    }
    // With this, all that is half done is brought to its end.
    batches.tryAgain()
    try await library.settle()
    #expect(names(library) == before.0)
    // At once, or where that was tried in vain before, after a pause.
    while try library.monitor.edits.records.all() != before.1 { await EventLoopActor.giveWay() }
    #expect(try library.monitor.edits.halfDone.complete(), "nothing is left to be ended")
    try await library.restart { _ in }
    #expect(names(library) == before.0)
    #expect(try library.monitor.edits.records.all() == before.1)
    library.end()
  }

  /// What has to be there, and then how it is asked for.
  @EventLoopActor
  private func prepare(
    _ edit: Edit, _ library: TestLibrary
  ) async throws -> @EventLoopActor (MayBegin) async throws -> Void {
    let edits = library.monitor.edits
    let (a, b) = (try #require(library.directory("a")), try #require(library.directory("b")))
    let empty = try #require(library.directory("e"))
    let asset = try #require(try library.asset("a/p.jpg"))
    let other = try #require(try library.asset("q.jpg"))
    let root = DirectoryID(of: RootID(rawValue: 1))
    func replacement(_ asset: Asset, _ adjustment: Adjustment?) async throws -> DeletedAsset {
      let record = try edits.replacements.record(asset, adjustment: adjustment, by: "app", at: 1)
      _ = try await edits.records.openHidden(of: record, for: 1).number
      try library.files.put("in/.albumd-deleted/\(record.key.name(0))", "newer")
      return record
    }
    switch edit {
    case .delete:
      return {
        try await edits.deletions.carryOut(edits.deletions.record(asset, by: "app", at: 1), mayBegin: $0)
      }
    case .replace:
      return {
        _ = try await edits.replacements.carryOut(
          try await replacement(asset, nil), of: asset.id, mayBegin: $0)
      }
    case .revert:
      let done = Adjustment(
        formatIdentifier: "org.example", formatVersion: "1", data: [1], mayTellPlace: false)
      let edited = try await edits.replacements.carryOut(try await replacement(asset, done), of: asset.id)
      return {
        let record = try #require(try edits.reversions.record(edited, by: "app", at: 2))
        _ = try await edits.reversions.carryOut(record, of: edited.id, mayBegin: $0)
      }
    case .restore, .purge:
      let gone = try #require(try library.asset("z.jpg"))
      try await edits.deletions.carryOut(edits.deletions.record(gone, by: nil, at: 1))
      if edit == .restore { return { _ = try await edits.restorations.record(gone.id, mayBegin: $0) } }
      let record = try #require(try edits.records[gone.id])
      return { _ = try await edits.records.purge(record, mayBegin: $0) }
    case .rename:
      return {
        let record = try #require(try edits.assetMoves.recordRename(asset, to: [FileName("n.jpg")]))
        _ = try await edits.assetMoves.carryOut(record, of: asset.id, mayBegin: $0)
      }
    case .link: return { try await edits.editor.link(other, into: b, mayBegin: $0) }
    case .unlink: return { try await edits.removals.unlink(asset, from: b, mayBegin: $0) }
    case .mark: return { try await edits.flags.set(.hidden, true, of: asset, mayBegin: $0) }
    case .makeAlbum: return { _ = try await edits.editor.makeAlbum(FileName("new"), in: root, mayBegin: $0) }
    case .moveAlbum:
      return {
        _ = try await edits.albumMoves.move(
          empty, to: [FileName("e")], in: a, keepsShared: false, mayBegin: $0)
      }
    case .removeAlbum: return { try await edits.albumRemovals.remove(empty, mayBegin: $0) }
    }
  }

  /// Every file and album, and every file that rests.
  @EventLoopActor
  private func names(_ library: TestLibrary) -> [String] {
    ["", "/a", "/b", "/e", "/.albumd-deleted"].flatMap { directory in
      entries(of: library.root + directory).filter {
        $0 != ".albumd-deleted" && !$0.hasPrefix("sentinel-")
      }.map { "\(directory)/\($0)" }
    }
    .sorted() + ["\(String(describing: try? library.asset("a/p.jpg")?.flags))"]
  }
}
