import CLinux
import EventLoop
import Glibc
@testable import LibraryIO
import LibraryModel
import Linux
import Storage
import Testing
import TestSupport

/// Deleting, restoring, overwriting (S33), and what a crash between two steps leaves.
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct DeletingTests {
  /// An asset in two albums.
  @EventLoopActor
  private func library() async throws -> TestLibrary {
    try await TestLibrary.make { files in
      try files.directory("in/a")
      try files.directory("in/b")
      try files.put("in/a/p.jpg", "old")
      try files.link("in/a/p.jpg", "in/b/q.jpg")
      try files.put("in/a/other.jpg")
    }
  }

  private let names = ["in/a/p.jpg", "in/b/q.jpg"]

  private func hidden(_ deleted: DeletedAsset, _ number: Int) -> String {
    "in/.albumd-deleted/\(deleted.key.name(number))"
  }

  @EventLoopActor
  private func delete(_ library: TestLibrary) async throws -> AssetID {
    let asset = try #require(try library.asset("a/p.jpg"))
    try await library.monitor.edits.deletions.carryOut(
      library.monitor.edits.deletions.record(asset, by: "app", at: 1000))
    return asset.id
  }

  @EventLoopActor
  private func restore(_ id: AssetID, _ library: TestLibrary) async throws -> Asset {
    try await library.monitor.edits.restorations.carryOut(library.monitor.edits.restorations.record(id))
  }

  /// One that is about to be taken out of an album.
  @EventLoopActor
  private func takingOut() async throws -> (TestLibrary, Asset, DeletedAsset) {
    let library = try await library()
    let asset = try #require(try library.asset("a/p.jpg"))
    let album = try #require(library.directory("a"))
    return (library, asset, try #require(try await library.monitor.edits.removals.record(asset, from: album)))
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

  /// Whether nothing was put away, and nothing is written down.
  @EventLoopActor
  private func holdsNothing(_ library: TestLibrary) throws -> Bool {
    try entries(of: library.base + "/in/.albumd-deleted").isEmpty && library.store.deleted.all().isEmpty
  }

  @Test("S33, S25: deleted from all its albums it is removed, once; nothing under its name takes its id")
  @EventLoopActor
  func deleted() async throws {
    let library = try await library()
    let id = try await delete(library)
    #expect(library.operations(id) == [.removed])
    #expect(library.files.media(beneath: "in") == ["a/other.jpg"])
    try library.files.put("in/a/p.jpg", "new")
    try await library.until { try $0.asset("a/p.jpg") != nil }
    #expect(try library.asset("a/p.jpg")?.id != id)
    try await library.settle()
    #expect(library.operations(id) == [.removed])
    let kept = try library.monitor.edits.records.all()
    #expect(kept.map(\.id) == [id])
    #expect(kept.first?.app == "app")
    #expect(kept.first?.deleted == 1000)
    #expect(kept.first?.asset.links.count == 2)
    library.end()
  }

  @Test("S33, S39: restored, it has its id and both its albums; a name that is taken gets a number")
  @EventLoopActor
  func restored() async throws {
    let library = try await library()
    let id = try await delete(library)
    try library.files.put("in/a/p.jpg", "new")
    try await library.until { try $0.asset("a/p.jpg") != nil }
    let restored = try await restore(id, library)
    #expect(restored.id == id)
    #expect(try library.asset("a/p (2).jpg")?.id == id)
    #expect(try library.asset("b/q.jpg")?.id == id)
    #expect(library.operations(id).prefix(2) == [.removed, .inserted])
    #expect(!library.operations(id).dropFirst(2).contains(.inserted))
    try await library.settle()
    #expect(try library.monitor.edits.records.all().isEmpty)
    #expect(try library.files.status("in/b/q.jpg").size == 3)
    library.end()
  }

  @Test("S33, S47: restored after its albums have gone, it is in the root")
  @EventLoopActor
  func restoredToRoot() async throws {
    let library = try await library()
    let id = try await delete(library)
    library.files.remove("in/a")
    library.files.remove("in/b")
    await library.until { $0.directory("a") == nil && $0.directory("b") == nil }
    let restored = try await restore(id, library)
    #expect(restored.id == id && restored.albums.isEmpty)
    #expect(try library.indexed() == ["p.jpg", "q.jpg"])
    library.end()
  }

  @Test(
    "S39, S76: restored from an album that was deleted, it is in that again, which has its id"
  )
  @EventLoopActor
  func restoredWithAlbum() async throws {
    for isTaken in [false, true] {
      let library = try await TestLibrary.make { files in
        for path in ["in/c", "in/c/inner"] { try files.directory(path) }
        try files.put("in/c/inner/p.jpg", "old")
      }
      let (c, inner) = (try #require(library.directory("c")), try #require(library.directory("c/inner")))
      let asset = try #require(try library.asset("c/inner/p.jpg"))
      try await library.monitor.edits.deletions.carryOut(
        library.monitor.edits.deletions.record(asset, by: nil, at: 1))
      for album in [inner, c] { try await library.monitor.edits.albumRemovals.remove(album) }
      try await library.restart { files in if isTaken { try files.put("in/c", "a file") } }
      let back = try await restore(asset.id, library)
      let path = isTaken ? "c (2)" : "c"
      #expect(back.albums == [inner] && library.directory("\(path)/inner") == inner)
      #expect(library.directory(path) == c)
      #expect(try library.files.status("in/\(path)/inner/p.jpg").size == 3)
      // Nothing is kept from them any more: the next that is deleted forgets them.
      try await library.monitor.edits.deletions.carryOut(
        library.monitor.edits.deletions.record(back, by: nil, at: 1))
      try library.monitor.edits.records.forget(asset.id)
      for album in [inner, c] { try await library.monitor.edits.albumRemovals.remove(album) }
      #expect(try library.store.deleted.album(inner) == nil && library.store.deleted.album(c) == nil)
      library.end()
    }
  }

  @Test("R2: killed while deleting, it goes on at the next start, and removes once", arguments: 0...2)
  @EventLoopActor
  func killedDeleting(moved: Int) async throws {
    let library = try await library()
    let asset = try #require(try library.asset("a/p.jpg"))
    let record = try library.monitor.edits.deletions.record(asset, by: nil, at: 1)
    try await library.restart { files in
      try files.directory("in/.albumd-deleted")
      for number in 0..<moved { try files.move(names[number], hidden(record, number)) }
    }
    #expect(try library.indexed() == ["a/other.jpg"])
    #expect(library.files.media(beneath: "in") == ["a/other.jpg"])
    #expect(library.operations(asset.id) == [.removed])
    #expect(try library.monitor.edits.records[asset.id]?.state == .deleted)
    let back = try await restore(asset.id, library)
    #expect(back.id == asset.id && back.links.count == 2)
    library.end()
  }

  @Test(
    "R2: killed while taking out of an album, it is out or it is in, and nothing stays hidden",
    arguments: 0...1)
  @EventLoopActor
  func killedTakingOut(moved: Int) async throws {
    let (library, asset, record) = try await takingOut()
    try await library.restart { files in
      try files.directory("in/.albumd-deleted")
      if moved > 0 { try files.move(names[0], hidden(record, 0)) }
    }
    #expect(try holdsNothing(library))
    let left = moved > 0 ? ["b/q.jpg"] : ["a/p.jpg", "b/q.jpg"]
    #expect(try library.indexed() == Set(left + ["a/other.jpg"]))
    #expect(
      try library.asset("b/q.jpg")?.id == asset.id && library.asset("b/q.jpg")?.links.count == left.count)
    #expect(library.operations(asset.id) == (moved > 0 ? [.changed(content: false)] : []))
    library.end()
  }

  @Test(
    "R2: what lost its other name while it was taken out is given back, or can be restored",
    arguments: [false, true])
  @EventLoopActor
  func killedTakingOutLast(isTaken: Bool) async throws {
    let (library, asset, record) = try await takingOut()
    try await library.restart { files in
      try files.directory("in/.albumd-deleted")
      try files.move(names[0], hidden(record, 0))
      try files.unlink(names[1])
      if isTaken { try files.put(names[0], "another") }
    }
    if isTaken {
      let kept = try #require(try library.monitor.edits.records.all().first)
      #expect(kept.state == .deleted && kept.deleted > 1_000_000_000)
      _ = try await restore(kept.id, library)
      #expect(try library.files.status("in/a/p (2).jpg").size == 3)
    } else {
      #expect(try library.files.status(names[0]).size == 3)
      #expect(try library.asset("a/p.jpg")?.id == asset.id)
    }
    #expect(try holdsNothing(library))
    library.end()
  }

  @Test("S43: another file that was put away when it was killed is given back")
  @EventLoopActor
  func killedTakingOutAnother() async throws {
    let (library, _, record) = try await takingOut()
    try await library.restart { files in
      try files.directory("in/.albumd-deleted")
      try files.put("out/new.jpg", "precious")
      try files.link("out/new.jpg", hidden(record, 0))
      try files.unlink(names[0])
    }
    #expect(try library.files.status(names[0]).size == 8)
    #expect(try holdsNothing(library))
    library.end()
  }

  @Test("R2: killed while restoring, it goes on at the next start, with the id", arguments: 0...2)
  @EventLoopActor
  func killedRestoring(moved: Int) async throws {
    let library = try await library()
    let id = try await delete(library)
    let record = try await library.monitor.edits.restorations.record(id)
    try await library.restart { files in
      for number in 0..<moved { try files.move(hidden(record, number), names[number]) }
    }
    #expect(try library.asset("a/p.jpg")?.id == id)
    #expect(try library.asset("b/q.jpg")?.id == id)
    #expect(library.operations(id).first == .inserted)
    #expect(try library.monitor.edits.records.all().isEmpty)
    library.end()
  }

  @Test(
    "R2: killed within a step of restoring, where that takes two, it is back once, with the id",
    arguments: 0..<2, [false, true])
  @EventLoopActor
  func killedWithinStep(moved: Int, hasLinks: Bool) async throws {
    let library = try await library()
    let id = try await delete(library)
    let record = try await library.monitor.edits.restorations.record(id)
    try await library.restart { files in
      for number in 0..<moved { try files.move(hidden(record, number), names[number]) }
      if hasLinks {
        try files.link(hidden(record, moved), names[moved])
      } else {
        // An empty file takes the name before the photo does (0066).
        try files.put(names[moved], "")
      }
    }
    #expect(try library.asset("a/p.jpg")?.id == id && library.asset("b/q.jpg")?.id == id)
    #expect(try library.files.status(names[moved]).size == 3)
    #expect(try library.monitor.edits.records.all().isEmpty && holdsNothing(library))
    library.end()
  }

  @Test(
    "R2, S39: what is back and cannot be looked at is not forgotten, and has its id when it can be",
    .enabled(if: Mounting.isDeadPossible, "mounting is not permitted"))
  @EventLoopActor
  func unseenWhenRestored() async throws {
    let library = try await library()
    let asset = try #require(try library.asset("a/other.jpg"))
    try await library.monitor.edits.deletions.carryOut(
      library.monitor.edits.deletions.record(asset, by: "app", at: 1000))
    let record = try await library.monitor.edits.restorations.record(asset.id)
    let path = "\(library.root)/a/other.jpg"
    defer { Mounting.unmount(path) }
    try await library.restart { files in
      try files.move(hidden(record, 0), "in/a/other.jpg")
      try #require(Mounting.dead(over: path))
    }
    await library.until { $0.monitor.state.summary == .degraded }
    #expect(try library.asset("a/other.jpg") == nil)
    #expect(try library.monitor.edits.records.all().map(\.id) == [asset.id])
    try await library.restart { _ in Mounting.unmount(path) }
    #expect(try library.asset("a/other.jpg")?.id == asset.id)
    #expect(try library.monitor.edits.records.all().isEmpty)
    library.end()
  }

  @Test("R2, S33: what somebody has saved under a name meanwhile stays, and the photo stays deleted")
  @EventLoopActor
  func savedWhileRestoring() async throws {
    let library = try await library()
    let id = try await delete(library)
    _ = try await library.monitor.edits.restorations.record(id)
    try await library.restart { files in try files.put(names[0], "another") }
    #expect(try library.files.status(names[0]).size == 7)
    #expect(try library.monitor.edits.records.all().map(\.id) == [id])
    library.end()
  }

  @Test("S33, S39: overwritten, it keeps its id and its albums; what it was can be restored beside it")
  @EventLoopActor
  func overwritten() async throws {
    let library = try await library()
    let asset = try #require(try library.asset("a/p.jpg"))
    let record = try library.monitor.edits.replacements.record(asset, by: "app", at: 1)
    _ = try await library.monitor.edits.records.openHidden(of: record, for: 1).number
    try library.files.put(hidden(record, 0), "newer")
    let replaced = try await library.monitor.edits.replacements.carryOut(record, of: asset.id)
    #expect(replaced.id == asset.id && replaced.byteCount == 5)
    #expect(try library.monitor.edits.records.all().map(\.successor) == [replaced.identity])
    #expect(library.operations(asset.id) == [.changed(content: true)])
    for name in names { #expect(try library.files.status(name).size == 5) }
    try await library.settle()
    #expect(library.operations(asset.id) == [.changed(content: true)])
    #expect(try library.asset("b/q.jpg")?.id == asset.id)

    let former = try await restore(record.id, library)
    #expect(former.id == record.id && former.byteCount == 3)
    #expect(try library.asset("a/p (2).jpg")?.id == record.id)
    #expect(try library.asset("a/p.jpg")?.id == asset.id)
    library.end()
  }

  @Test("R2: killed while overwriting, either nothing has happened or all of it", arguments: -1...2)
  @EventLoopActor
  func killedOverwriting(exchanged: Int) async throws {
    let library = try await library()
    let asset = try #require(try library.asset("a/p.jpg"))
    let record = try library.monitor.edits.replacements.record(asset, by: nil, at: 1)
    try await library.restart { files in
      try files.directory("in/.albumd-deleted")
      // -1: not even copied.
      if exchanged < 0 { return }
      try files.put(hidden(record, 0), "newer")
      if exchanged > 0 { try files.link(hidden(record, 0), hidden(record, 1)) }
      for number in 0..<exchanged { try files.exchange(names[number], hidden(record, number)) }
    }
    let size: Int64 = exchanged > 0 ? 5 : 3
    for name in names { #expect(try library.files.status(name).size == size) }
    #expect(try library.asset("a/p.jpg")?.id == asset.id)
    #expect(try library.asset("b/q.jpg")?.id == asset.id)
    #expect(try library.asset("a/p.jpg")?.byteCount == size)
    #expect(library.operations(asset.id) == (exchanged > 0 ? [.changed(content: true)] : []))
    #expect(try library.monitor.edits.records.all().map(\.state) == (exchanged > 0 ? [.deleted] : []))
    library.end()
  }

  @Test(
    "R2, S33: killed before it could give back what was saved over an asset while that was overwritten, it keeps that",
    arguments: [false, true])
  @EventLoopActor
  func killedOverwritingAnother(isKnown: Bool) async throws {
    let library = try await library()
    let asset = try #require(try library.asset("a/p.jpg"))
    let record = try library.monitor.edits.replacements.record(asset, by: nil, at: 1)
    _ = try await library.monitor.edits.records.openHidden(of: record, for: 1).number
    try library.files.put(hidden(record, 0), "newer")
    try library.files.link(hidden(record, 0), hidden(record, 1))
    if isKnown { try noteSuccessor(of: record, library) }
    try await library.restart { files in
      try files.put("out/new.jpg", "precious")
      try files.move("out/new.jpg", names[0])
      try files.exchange(names[0], hidden(record, 0))
    }
    #expect(try library.files.status(hidden(record, 0)).size == 8)
    #expect(entries(of: library.base + "/in/.albumd-deleted").count == (isKnown ? 1 : 2))
    #expect(try library.monitor.edits.records.all().map(\.state) == [.deleted])
    _ = try await restore(record.id, library)
    #expect(try library.files.status("in/a/p (2).jpg").size == 8)
    #expect(try library.files.status("in/a/p.jpg").size == 5)
    #expect(try library.files.status("in/b/q.jpg").size == 3)
    library.end()
  }

  @Test("S33: what is under way is not taken for what a crash has left when the library is looked at")
  @EventLoopActor
  func underWay() async throws {
    let library = try await library()
    let asset = try #require(try library.asset("a/p.jpg"))
    let deletion = try library.monitor.edits.deletions.record(asset, by: "app", at: 1)
    try library.monitor.edits.halfDone.complete()
    for name in names { #expect(try library.files.status(name).size == 3) }
    try await library.monitor.edits.deletions.carryOut(deletion)

    let restoration = try await library.monitor.edits.restorations.record(asset.id)
    try library.monitor.edits.halfDone.complete()
    #expect(try library.asset("a/p.jpg") == nil)
    #expect(try await library.monitor.edits.restorations.carryOut(restoration).id == asset.id)
    #expect(try library.monitor.edits.records.all().isEmpty)

    let present = try #require(try library.asset("a/p.jpg"))
    let replacement = try library.monitor.edits.replacements.record(present, by: "app", at: 1)
    _ = try await library.monitor.edits.records.openHidden(of: replacement, for: 1).number
    try library.files.put(hidden(replacement, 0), "newer")
    try library.monitor.edits.halfDone.complete()
    #expect(try await library.monitor.edits.replacements.carryOut(replacement, of: asset.id).byteCount == 5)
    #expect(try library.monitor.edits.records.all().map(\.state) == [.deleted])
    library.end()
  }

  @Test("S33: what could not be synced is carried out when the library is looked at next")
  @EventLoopActor
  func leftToLater() async throws {
    let library = try await library()
    let id = try await delete(library)
    _ = try await library.monitor.edits.restorations.record(id)
    library.monitor.edits.records.leave(id)
    try library.monitor.edits.halfDone.complete()
    #expect(try library.asset("a/p.jpg")?.id == id)
    #expect(try library.monitor.edits.records.all().isEmpty)
    library.end()
  }

  @Test("S43: what has become another file since it was looked at is not deleted")
  @EventLoopActor
  func replacedBefore() async throws {
    let library = try await library()
    let asset = try #require(try library.asset("a/p.jpg"))
    let record = try library.monitor.edits.deletions.record(asset, by: nil, at: 1)
    try library.files.put("out/new.jpg", "precious")
    try library.files.move("out/new.jpg", "in/a/p.jpg")
    #expect(await failure { try await library.monitor.edits.deletions.carryOut(record) } == .replaced)
    #expect(try library.files.status("in/a/p.jpg").size == 8)
    #expect(try library.files.status("in/b/q.jpg").size == 3)
    #expect(try library.monitor.edits.records.all().isEmpty)
    library.end()
  }

  @Test("S33, S41: what was not deleted, because its root is offline, is not when that is back")
  @EventLoopActor
  func offline() async throws {
    let library = try await library()
    let asset = try #require(try library.asset("a/p.jpg"))
    let all = try library.indexed()
    try library.files.move("in", "out/in")
    await library.until { $0.monitor.state.summary == .offline }
    let record = try library.monitor.edits.deletions.record(asset, by: nil, at: 1)
    #expect(await failure { try await library.monitor.edits.deletions.carryOut(record) } == .offline)
    #expect(try library.monitor.edits.records[asset.id] == nil)
    try library.files.move("out/in", "in")
    library.monitor.rescan()
    await library.until { $0.monitor.state.summary == .ready }
    #expect(try library.monitor.edits.halfDone.complete())
    #expect(try library.indexed() == all && library.files.media(beneath: "in") == all)
    #expect(library.operations(asset.id) == [])
    library.end()
  }

  @Test("S33: what could not be put back when a deletion failed is put back later, and was never deleted")
  @EventLoopActor
  func leftBehind() async throws {
    let library = try await library()
    let asset = try #require(try library.asset("a/p.jpg"))
    let all = try library.indexed()
    let record = try library.monitor.edits.deletions.record(asset, by: nil, at: 1)
    _ = try await library.monitor.edits.records.openHidden(of: record, for: 1).number
    try library.files.move(names[0], hidden(record, 0))
    try library.monitor.edits.deletions.abandon(record, isLeft: true)
    library.monitor.edits.records.leave(asset.id)
    #expect(try library.monitor.edits.halfDone.complete())
    #expect(try library.monitor.edits.records[asset.id] == nil)
    try await library.settle("last.jpg")
    #expect(try library.indexed().subtracting(["last.jpg"]) == all)
    #expect(try library.asset("a/p.jpg")?.id == asset.id && library.asset("b/q.jpg")?.id == asset.id)
    library.end()
  }

  @Test("S33: a name in an album that was renamed a moment ago is not left behind")
  @EventLoopActor
  func renamedBefore() async throws {
    let library = try await library()
    let asset = try #require(try library.asset("a/p.jpg"))
    let record = try library.monitor.edits.deletions.record(asset, by: nil, at: 1)
    try library.files.move("in/b", "in/c")
    await #expect {
      try await library.monitor.edits.deletions.carryOut(record)
    } throws: {
      ($0 as? LibraryFileError)?.code == .replaced
    }
    #expect(try library.asset("a/p.jpg")?.id == asset.id)
    try await library.until { try $0.asset("c/q.jpg")?.id == asset.id }
    _ = try await delete(library)
    for name in ["in/a/p.jpg", "in/c/q.jpg"] {
      #expect(throws: (any Error).self) { try library.files.status(name) }
    }
    library.end()
  }

  @Test("S33: what could not be given back when an overwriting failed rests, and can be restored")
  @EventLoopActor
  func keptOriginal() async throws {
    let library = try await library()
    let asset = try #require(try library.asset("a/p.jpg"))
    let record = try library.monitor.edits.replacements.record(asset, by: nil, at: 1)
    _ = try await library.monitor.edits.records.openHidden(of: record, for: 1).number
    try library.files.put(hidden(record, 0), "newer")
    try noteSuccessor(of: record, library)
    try await library.restart { files in
      // Killed while both were given back: one was.
      try files.move(names[1], hidden(record, 1))
    }
    #expect(try library.files.status(hidden(record, 1)).size == 3)
    #expect(throws: (any Error).self) { try library.files.status(hidden(record, 0)) }
    #expect(try library.monitor.edits.records.all().map(\.state) == [.deleted])
    library.end()
  }
}
