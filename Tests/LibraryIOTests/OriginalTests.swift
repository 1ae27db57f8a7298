import CLinux
import EventLoop
import Glibc
@testable import LibraryIO
import LibraryModel
import Linux
import Storage
import Testing
import TestSupport

/// Edits that can be undone (S94), and what a crash between two steps leaves.
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct OriginalTests {
  /// An asset in two albums: its original has three bytes.
  @EventLoopActor
  private func library() async throws -> (TestLibrary, Asset) {
    let library = try await TestLibrary.make { files in
      try files.directory("in/a")
      try files.directory("in/b")
      try files.put("in/a/p.jpg", "old")
      try files.link("in/a/p.jpg", "in/b/q.jpg")
    }
    return (library, try #require(try library.asset("a/p.jpg")))
  }

  private let names = ["in/a/p.jpg", "in/b/q.jpg"]

  private func hidden(_ record: DeletedAsset, _ number: Int) -> String {
    "in/.albumd-deleted/\(record.key.name(number))"
  }

  private func adjustment(_ data: UInt8) -> Adjustment {
    Adjustment(
      formatIdentifier: "org.example.Editor", formatVersion: "1", data: [data], mayTellPlace: false)
  }

  /// Writes down that an asset is edited, and puts what it is to be where that is expected.
  @EventLoopActor
  private func begin(
    _ library: TestLibrary, _ asset: Asset, _ content: String, _ adjustment: Adjustment?
  ) async throws -> DeletedAsset {
    let record = try library.monitor.edits.replacements.record(
      asset, adjustment: adjustment, by: "app", at: 1)
    _ = try await library.monitor.edits.records.openHidden(of: record, for: 1).number
    try library.files.put(hidden(record, 0), content)
    return record
  }

  @EventLoopActor
  @discardableResult
  private func edit(
    _ library: TestLibrary, _ asset: Asset, _ content: String, _ adjustment: Adjustment?
  ) async throws -> Asset {
    let record = try await begin(library, asset, content, adjustment)
    return try await library.monitor.edits.replacements.carryOut(record, of: asset.id)
  }

  @EventLoopActor
  private func revert(_ library: TestLibrary, _ asset: Asset) async throws -> Asset {
    let reversions = library.monitor.edits.reversions
    let record = try #require(try reversions.record(asset, by: "app", at: 2))
    return try await reversions.carryOut(record, of: asset.id)
  }

  /// How long the original is; nil where none can be opened.
  @EventLoopActor
  private func original(_ library: TestLibrary, _ id: AssetID) async throws -> Int64? {
    guard let file = try await library.monitor.edits.originals.open(id, for: 1) else { return nil }
    var facts = linux_facts()
    try #require(linux_look(file.number, "", &facts) == 0)
    return Int64(facts.size)
  }

  @EventLoopActor
  private func rests(_ library: TestLibrary) -> Int {
    entries(of: library.base + "/in/.albumd-deleted").count
  }

  @EventLoopActor
  private func sizes(_ library: TestLibrary) throws -> [Int64] {
    try names.map { Int64(try library.files.status($0).size) }
  }

  @Test(
    "S94: of several edits the first original is kept; what was between can be restored; put back, it is what it was"
  )
  @EventLoopActor
  func reverted() async throws {
    let (library, asset) = try await library()
    let once = try await edit(library, asset, "newer", adjustment(1))
    #expect(once.id == asset.id && once.byteCount == 5 && once.edit == .adjusted && once.links == asset.links)
    #expect(try await original(library, asset.id) == 3)
    // One name of it is enough, and it is nothing that was deleted.
    #expect(try rests(library) == 1 && library.monitor.edits.records.all().isEmpty)
    let twice = try await edit(library, once, "newest!", adjustment(2))
    #expect(try library.adjustment(of: twice) == adjustment(2))
    #expect(try await original(library, asset.id) == 3)
    #expect(try library.monitor.edits.records.all().map(\.asset.byteCount) == [5])

    let reverted = try await revert(library, twice)
    #expect(reverted.id == asset.id && reverted.identity == asset.identity && reverted.edit == EditState.none)
    #expect(try sizes(library) == [3, 3] && reverted.links == asset.links)
    #expect(try await original(library, asset.id) == nil)
    #expect(try library.adjustment(of: reverted) == nil)
    #expect(try library.monitor.edits.records.all().map(\.asset.byteCount).sorted() == [5, 7])
    try await library.settle()
    #expect(library.operations(asset.id) == .init(repeating: .changed(content: true), count: 3))
    #expect(try library.monitor.edits.reversions.record(reverted, by: nil, at: 3) == nil)
    // What it was last can be restored beside it, and edits begin anew.
    let last = try #require(try library.monitor.edits.records.all().first { $0.asset.byteCount == 7 })
    let restored = try await library.monitor.edits.restorations.carryOut(
      library.monitor.edits.restorations.record(last.id))
    #expect(restored.byteCount == 7 && restored.edit == EditState.none)
    _ = try await edit(library, reverted, "once more", adjustment(3))
    #expect(try await original(library, asset.id) == 3)
    library.end()
  }

  @Test(
    "S94: overwritten without saying how, it is something else: what it was, and its original, can be restored"
  )
  @EventLoopActor
  func ended() async throws {
    let (library, asset) = try await library()
    let edited = try await edit(library, asset, "newer", adjustment(1))
    let other = try await edit(library, edited, "another", nil)
    #expect(other.id == asset.id && other.edit == EditState.none)
    #expect(try await original(library, asset.id) == nil)
    let kept = try library.monitor.edits.records.all()
    #expect(kept.map(\.asset.byteCount).sorted() == [3, 5] && kept.allSatisfy { $0.id != asset.id })
    for record in kept {
      _ = try await library.monitor.edits.restorations.carryOut(
        library.monitor.edits.restorations.record(record.id))
    }
    #expect(rests(library) == 0)
    #expect(try library.files.status("in/a/p.jpg").size == 7)
    library.end()
  }

  @Test(
    "S94: changed by another program, its adjustment is not of it any more; its original is still put back")
  @EventLoopActor
  func changedByOthers() async throws {
    let (library, asset) = try await library()
    let edited = try await edit(library, asset, "newer", adjustment(1))
    try library.files.put(names[0], "by others")
    try await library.until { try $0.asset("a/p.jpg")?.byteCount == 9 }
    let changed = try #require(try library.asset("a/p.jpg"))
    #expect(changed.id == edited.id && changed.edit == .changedSince)
    #expect(try library.adjustment(of: changed) == nil)
    // A restart finds the same.
    try await library.restart { _ in }
    #expect(try library.asset("a/p.jpg") == changed)
    #expect(try await revert(library, changed).identity == asset.identity)
    #expect(try sizes(library) == [3, 3])
    #expect(try library.monitor.edits.records.all().map(\.asset.byteCount) == [9])
    library.end()
  }

  @Test("S94, S33: deleted and restored, it has its original; removed for good, that is gone as well")
  @EventLoopActor
  func deleted() async throws {
    let (library, asset) = try await library()
    let edited = try await edit(library, asset, "newer", adjustment(1))
    let edits = library.monitor.edits
    try await edits.deletions.carryOut(edits.deletions.record(edited, by: nil, at: 1))
    #expect(try await !edits.originals.giveUpLost(at: 1, now: .max).isAny)
    let back = try await edits.restorations.carryOut(edits.restorations.record(asset.id))
    #expect(back.id == asset.id && back.edit == .adjusted)
    #expect(try library.adjustment(of: back) == adjustment(1))
    #expect(try await original(library, asset.id) == 3)
    try await edits.deletions.carryOut(edits.deletions.record(back, by: nil, at: 1))
    #expect(try await edits.records.purge(#require(try edits.records[asset.id])))
    #expect(rests(library) == 0 && edits.originals.isEmpty)
    library.end()
  }

  @Test("S94: what a failed deletion could not put back goes without the original of the asset that is there")
  @EventLoopActor
  func savedMeanwhile() async throws {
    let (library, asset) = try await library()
    let edited = try await edit(library, asset, "newer", adjustment(1))
    let edits = library.monitor.edits
    let record = try edits.deletions.record(edited, by: nil, at: 1)
    _ = try await edits.records.openHidden(of: record, for: 1).number
    try library.files.move(names[0], hidden(record, 0))
    try library.files.put(names[0], "another")
    try await library.until { try $0.asset("a/p.jpg")?.byteCount == 7 }
    try edits.deletions.abandon(record, isLeft: true)
    edits.records.leave(asset.id)
    try edits.halfDone.complete()
    let left = try #require(try edits.records[asset.id])
    #expect(try left.state == .deleted && library.asset("b/q.jpg")?.id == asset.id)
    #expect(try await edits.records.purge(left))
    #expect(try edits.records[asset.id] == nil && rests(library) == 1)
    #expect(try await original(library, asset.id) == 3)
    library.end()
  }

  @Test(
    "S94: of an asset that somebody removed, the original can be restored, for as long as what was deleted")
  @EventLoopActor
  func lost() async throws {
    let (library, asset) = try await library()
    try await edit(library, asset, "newer", adjustment(1))
    for name in names { try library.files.unlink(name) }
    try await library.until { try $0.store.files.asset(asset.id) == nil }
    let edits = library.monitor.edits
    #expect(
      try await edits.originals.giveUpLost(at: 77, now: .max) == .init(isAny: true, isAnyAwaited: false))
    let kept = try #require(try edits.records.all().first)
    #expect(kept.deleted == 77 && kept.id != asset.id && edits.originals.isEmpty)
    let back = try await edits.restorations.carryOut(edits.restorations.record(kept.id))
    #expect(back.byteCount == 3 && back.edit == EditState.none)
    #expect(try library.asset("a/p.jpg")?.identity == asset.identity)
    library.end()
  }

  @Test(
    "S39, S94: of an asset that has gone only now the original is kept for it, and is its own when it is back"
  )
  @EventLoopActor
  func back() async throws {
    let (library, asset) = try await library()
    try await edit(library, asset, "newer", adjustment(1))
    for name in names { try library.files.move(name, "out/\(name.suffix(5))") }
    try await library.until { try $0.store.files.asset(asset.id) == nil }
    let originals = library.monitor.edits.originals
    #expect(try await originals.giveUpLost(at: 77) == .init(isAny: false, isAnyAwaited: true))
    for name in names { try library.files.move("out/\(name.suffix(5))", name) }
    try await library.until { try $0.asset("a/p.jpg")?.links.count == 2 }
    let back = try #require(try library.asset("a/p.jpg"))
    #expect(back.id == asset.id && back.edit == .adjusted)
    #expect(try await originals.giveUpLost(at: 78, now: .max) == .init())
    #expect(try await original(library, asset.id) == 3 && library.monitor.edits.records.all().isEmpty)
    #expect(try await revert(library, back).identity == asset.identity)
    library.end()
  }

  @Test("R2, S94: killed while editing, either nothing has happened or all of it", arguments: -1...2)
  @EventLoopActor
  func killedEditing(exchanged: Int) async throws {
    let (library, asset) = try await library()
    let record = try library.monitor.edits.replacements.record(
      asset, adjustment: adjustment(1), by: nil, at: 1)
    if exchanged >= 0 {
      _ = try await library.monitor.edits.records.openHidden(of: record, for: 1).number
      try library.files.put(hidden(record, 0), "newer")
      try noteSuccessor(of: record, library)
    }
    try await library.restart { files in
      if exchanged > 0 { try files.link(hidden(record, 0), hidden(record, 1)) }
      for number in 0..<max(0, exchanged) { try files.exchange(names[number], hidden(record, number)) }
    }
    let isDone = exchanged > 0
    let present = try #require(try library.asset("a/p.jpg"))
    #expect(try present.id == asset.id && sizes(library) == (isDone ? [5, 5] : [3, 3]))
    #expect(present.edit == (isDone ? .adjusted : EditState.none))
    #expect(library.operations(asset.id) == (isDone ? [.changed(content: true)] : []))
    #expect(try library.monitor.edits.records.all().isEmpty)
    #expect(library.monitor.edits.originals.isEmpty == !isDone && rests(library) == (isDone ? 1 : 0))
    #expect(try library.store.edits.adjustment(of: record.id) == nil)
    if isDone { #expect(try await revert(library, present).identity == asset.identity) }
    library.end()
  }

  @Test(
    "R2, S94: killed while an original is put back, either nothing has happened or all of it",
    arguments: 0...3)
  @EventLoopActor
  func killedReverting(step: Int) async throws {
    let (library, asset) = try await library()
    let edited = try await edit(library, asset, "newer", adjustment(1))
    let record = try #require(try library.monitor.edits.reversions.record(edited, by: nil, at: 2))
    try await library.restart { files in
      if step > 0 { try files.link(hidden(record, 0), hidden(record, 1)) }
      for number in 0..<max(0, step - 1) { try files.exchange(names[number], hidden(record, number)) }
    }
    let isDone = step > 1
    let present = try #require(try library.asset("a/p.jpg"))
    #expect(try present.id == asset.id && sizes(library) == (isDone ? [3, 3] : [5, 5]))
    #expect(present.edit == (isDone ? EditState.none : .adjusted))
    #expect(try library.monitor.edits.records.all().map(\.asset.byteCount) == (isDone ? [5] : []))
    #expect(rests(library) == (isDone ? 2 : 1))
    #expect(try await original(library, asset.id) == (isDone ? nil : 3))
    if !isDone { #expect(try await revert(library, present).identity == asset.identity) }
    library.end()
  }

  /// How far a file was put in another's place where that takes several steps.
  enum Step: CaseIterable { case putAside, reserved, linked, moved }

  /// What such a step leaves.
  private func exchange(_ record: DeletedAsset, _ step: Step, _ files: TestFiles) throws {
    try files.link(hidden(record, 0), hidden(record, 1))
    try files.move(names[0], hidden(record, 0) + ".former")
    switch step {
    case .putAside: break
    case .reserved: try files.put(names[0], "")
    case .linked: try files.link(hidden(record, 0), names[0])
    case .moved: try files.move(hidden(record, 0), names[0])
    }
  }

  @Test(
    "R2, S86, S94: killed while files change places in steps, nothing or all of it has happened",
    arguments: Step.allCases)
  @EventLoopActor
  func killedBetweenSteps(step: Step) async throws {
    let (library, asset) = try await library()
    let record = try await begin(library, asset, "newer", adjustment(1))
    try noteSuccessor(of: record, library)
    try await library.restart { try exchange(record, step, $0) }
    let isDone = step == .linked || step == .moved
    let present = try #require(try library.asset("a/p.jpg"))
    #expect(try present.id == asset.id && sizes(library) == (isDone ? [5, 5] : [3, 3]))
    #expect(present.edit == (isDone ? .adjusted : EditState.none))
    #expect(try library.monitor.edits.records.all().isEmpty && rests(library) == (isDone ? 1 : 0))

    let edited = isDone ? present : try await edit(library, present, "newer", adjustment(1))
    let back = try #require(try library.monitor.edits.reversions.record(edited, by: nil, at: 2))
    try await library.restart { try exchange(back, step, $0) }
    let reverted = try #require(try library.asset("a/p.jpg"))
    #expect(try reverted.id == asset.id && sizes(library) == (isDone ? [3, 3] : [5, 5]))
    #expect(reverted.edit == (isDone ? EditState.none : .adjusted))
    #expect(try library.monitor.edits.records.all().map(\.asset.byteCount) == (isDone ? [5] : []))
    library.end()
  }

  @Test("S33, S86: what somebody saved just then keeps its name, and what had it gets one with a number")
  @EventLoopActor
  func savedBetweenSteps() async throws {
    let (library, asset) = try await library()
    let record = try await begin(library, asset, "newer", adjustment(1))
    try noteSuccessor(of: record, library)
    try await library.restart { files in
      try exchange(record, .putAside, files)
      try files.put(names[0], "precious")
    }
    #expect(try sizes(library) == [8, 3] && library.files.status("in/a/p (2).jpg").size == 3)
    #expect(rests(library) == 0 && library.monitor.edits.originals.isEmpty)
    library.end()
  }

  @Test("S86, S94: where files get other numbers with every mount, an original is known by length and times")
  @EventLoopActor
  func renumbered() async throws {
    let (library, asset) = try await library()
    let edited = try await edit(library, asset, "newer", adjustment(1))
    let known = try #require(try library.monitor.edits.originals.edit(of: asset.id))
    func renumbered(_ stamp: ContentStamp) -> ContentStamp {
      var identity = stamp.identity
      identity.inode ^= 1 << 40
      return ContentStamp(identity: identity, byteCount: stamp.byteCount, modified: stamp.modified)
    }
    let original = AssetEdit.Original(
      stamp: renumbered(known.original.stamp), created: known.original.created, mediaType: .image,
      location: known.original.location)
    let other = AssetEdit(
      asset: asset.id, key: known.key, root: known.root, place: known.place, original: original,
      content: renumbered(known.content))
    try library.store.begin()
    try library.store.edits.put(other)
    try library.store.commit()
    #expect(other.state(of: ContentStamp(edited)) == .adjusted)
    #expect(try await self.original(library, asset.id) == 3)
    let reverted = try await revert(library, edited)
    #expect(try reverted.identity == asset.identity && sizes(library) == [3, 3])
    library.end()
  }

  @Test(
    "R2, S94: put back where the index has nothing, what is deleted has one record, and there is no original")
  @EventLoopActor
  func revertedElsewhere() async throws {
    let (library, asset) = try await library()
    let edited = try await edit(library, asset, "newer", adjustment(1))
    let edits = library.monitor.edits
    let record = try #require(try edits.reversions.record(edited, by: nil, at: 2))
    for name in names { try library.files.unlink(name) }
    try await library.until { try $0.store.files.asset(asset.id) == nil }
    // It is under way still.
    #expect(try await !edits.originals.giveUpLost(at: 3, now: .max).isAny)
    var facts = linux_facts()
    try #require(linux_look(AT_FDCWD, "\(library.base)/\(hidden(record, 0))", &facts) == 0)
    try edits.reversions.completed(record, FileFacts(facts, on: asset.identity.volume))
    #expect(try edits.originals.edit(of: asset.id) == nil && edits.originals.isEmpty)
    #expect(try await !edits.originals.giveUpLost(at: 4, now: .max).isAny)
    #expect(try edits.records.all().map(\.id) == [record.id])
    library.end()
  }

  @Test(
    "S43, S94: what has become another file is not overwritten with the original, nor is another file put back"
  )
  @EventLoopActor
  func replacedBefore() async throws {
    let (library, asset) = try await library()
    let edited = try await edit(library, asset, "newer", adjustment(1))
    let edits = library.monitor.edits
    let record = try #require(try edits.reversions.record(edited, by: nil, at: 2))
    // One at a time.
    #expect(failure { _ = try edits.reversions.record(edited, by: nil, at: 2) } == .replaced)
    try library.files.put("out/new.jpg", "precious")
    try library.files.move("out/new.jpg", names[0])
    #expect(await failure { _ = try await edits.reversions.carryOut(record, of: asset.id) } == .replaced)
    #expect(try sizes(library) == [8, 5])
    #expect(try await original(library, asset.id) == 3)
    #expect(try edits.records.all().isEmpty && rests(library) == 1)
    try await library.settle()

    try library.files.put("out/other.jpg", "not the one")
    let kept = try #require(try edits.originals.edit(of: asset.id))
    try library.files.move("out/other.jpg", "in/.albumd-deleted/\(kept.key.name(0))")
    let present = try #require(try library.store.files.asset(asset.id))
    #expect(await failure { _ = try await revert(library, present) } == .replaced)
    #expect(await failure { _ = try await edits.originals.open(asset.id, for: 1) } == .replaced)
    library.end()
  }

  @Test("S94: what an app did not get done leaves nothing: neither its file nor what it said of it")
  @EventLoopActor
  func forgotten() async throws {
    let (library, asset) = try await library()
    let record = try await begin(library, asset, "newer", adjustment(1))
    await library.monitor.edits.replacements.forget(record)
    #expect(rests(library) == 0 && library.monitor.edits.originals.isEmpty)
    #expect(try library.store.edits.adjustment(of: record.id) == nil)
    // A deletion that fails leaves an edit as it is.
    let edited = try await edit(library, asset, "newer", adjustment(1))
    let edits = library.monitor.edits
    let deletion = try edits.deletions.record(edited, by: nil, at: 1)
    try library.files.put("out/new.jpg", "precious")
    try library.files.move("out/new.jpg", names[0])
    #expect(await failure { try await edits.deletions.carryOut(deletion) } == .replaced)
    #expect(try await original(library, asset.id) == 3)
    library.end()
  }

  /// Writes down which file is to take the place of one that is overwritten, as is done before it does.
  @EventLoopActor
  private func noteSuccessor(of record: DeletedAsset, _ library: TestLibrary) throws {
    var known = record
    var facts = linux_facts()
    try #require(linux_look(AT_FDCWD, "\(library.base)/\(hidden(record, 0))", &facts) == 0)
    known.successor = FileIdentity(
      volume: record.asset.identity.volume, inode: facts.inode, birthTime: facts.birth)
    try library.store.begin()
    try library.store.deleted.put(known)
    try library.store.commit()
  }
}

extension TestLibrary {
  /// What was done to an asset, as long as that has led to what it is now.
  @EventLoopActor
  fileprivate func adjustment(of asset: Asset) throws -> Adjustment? {
    asset.edit == .adjusted ? try store.edits.adjustment(of: asset.id) : nil
  }
}
