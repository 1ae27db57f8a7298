import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Linux
import LoopTesting
import TestSupport
import Testing

/// A file system stops answering when an edit is done, and its names are looked at: what can be told without looking is told as
/// done, all else is undone when it answers again (S41, race 46).
@Suite(
  .runningLoop, .timeLimit(.minutes(30)),
  .enabled(if: HangingFileSystem.isPossible, "mounting a file system in user space is not permitted"))
struct DoneBeforeLookedAtTests {
  private final class Prepared: @unchecked Sendable {
    var files: HangingFileSystem?
  }

  /// A library with a root of which all is known.
  @EventLoopActor
  private func make() async throws -> (TestLibrary, HangingFileSystem) {
    let prepared = Prepared()
    let library = try await TestLibrary.make(roots: ["in", "slow"]) { files in
      try files.directory("slow")
      prepared.files = try HangingFileSystem(at: "\(files.base)/slow", ["X/1.jpg", "X/2.jpg"])
    }
    try await library.until { try $0.asset("X/2.jpg", root: 2) != nil && $0.monitor.state.summary == .ready }
    try await library.settle()
    return (library, try #require(prepared.files))
  }

  /// The root was offline by the end of the edit, and is back.
  @EventLoopActor
  private func goOn(_ library: TestLibrary, _ slow: HangingFileSystem) async {
    #expect(library.monitor.state.roots.last?.offline == .notAnswering)
    slow.answer()
    await library.until { $0.monitor.state.summary == .ready }
  }

  private func isThere(_ path: String, _ library: TestLibrary) -> Bool {
    access("\(library.base)/slow/\(path)", F_OK) == 0
  }

  @EventLoopActor
  private func code(_ body: @EventLoopActor () async throws -> Void) async -> LibraryFileError.Code? {
    do {
      try await body()
      return nil
    } catch { return (error as? LibraryFileError)?.code }
  }

  @Test("46, S77: an asset is renamed")
  @EventLoopActor
  func assetRenamed() async throws {
    let (library, slow) = try await make()
    let asset = try #require(try library.asset("X/1.jpg", root: 2))
    let moves = library.monitor.edits.assetMoves
    let relocation = try #require(try moves.recordRename(asset, to: [FileName("3.jpg")]))
    slow.hang(on: .lookUp, after: .renameWithFlags)
    let renamed = try await moves.carryOut(relocation, of: asset.id)
    #expect(renamed.id == asset.id && renamed.primary.name == FileName("3.jpg"))
    await goOn(library, slow)
    #expect(try library.asset("X/3.jpg", root: 2)?.id == asset.id)
    #expect(isThere("X/3.jpg", library) && !isThere("X/1.jpg", library))
    #expect(library.operations(asset.id) == [.changed(content: false)])
    library.end()
  }

  @Test("46, S75: an album is renamed")
  @EventLoopActor
  func albumRenamed() async throws {
    let (library, slow) = try await make()
    let album = try #require(library.directory("X", root: 2))
    let root = try #require(library.directory("", root: 2))
    let asset = try #require(try library.asset("X/1.jpg", root: 2))
    slow.hang(on: .lookUp, after: .renameWithFlags)
    let renamed = try await library.monitor.edits.albumMoves.move(
      album, to: [FileName("Y")], in: root, keepsShared: true)
    #expect(renamed.id == album && renamed.name == FileName("Y"))
    await goOn(library, slow)
    #expect(library.directory("Y", root: 2) == album)
    #expect(try library.asset("Y/1.jpg", root: 2)?.id == asset.id)
    #expect(isThere("Y/1.jpg", library))
    library.end()
  }

  @Test("46, S33: a deleted asset is restored")
  @EventLoopActor
  func restored() async throws {
    let (library, slow) = try await make()
    let asset = try #require(try library.asset("X/1.jpg", root: 2))
    let edits = library.monitor.edits
    try await edits.deletions.carryOut(edits.deletions.record(asset, by: nil, at: 1))
    let record = try await edits.restorations.record(asset.id)
    slow.hang(on: .lookUp, after: .renameWithFlags)
    #expect(try await edits.restorations.carryOut(record).id == asset.id)
    #expect(try edits.records.all().isEmpty)
    await goOn(library, slow)
    #expect(try library.asset("X/1.jpg", root: 2)?.id == asset.id)
    #expect(isThere("X/1.jpg", library))
    library.end()
  }

  @Test("46, S76: an album is removed")
  @EventLoopActor
  func albumRemoved() async throws {
    let (library, slow) = try await make()
    let root = try #require(library.directory("", root: 2))
    let edits = library.monitor.edits
    let album = try await edits.editor.makeAlbum(FileName("Y"), in: root)
    slow.hang(on: .lookUp, after: .removeDirectory)
    try await edits.albumRemovals.remove(album.id)
    #expect(library.directory("Y", root: 2) == nil)
    await goOn(library, slow)
    #expect(library.directory("Y", root: 2) == nil && !isThere("Y", library))
    library.end()
  }

  @Test("46, S30: an album of which nobody can say which it is, is made by nobody")
  @EventLoopActor
  func albumMade() async throws {
    let (library, slow) = try await make()
    let root = try #require(library.directory("", root: 2))
    slow.hang(on: .lookUp, after: .makeDirectory)
    let editor = library.monitor.edits.editor
    #expect(await code { _ = try await editor.makeAlbum(FileName("Y"), in: root) } == .offline)
    await goOn(library, slow)
    #expect(library.directory("Y", root: 2) == nil && !isThere("Y", library))
    #expect(try await editor.makeAlbum(FileName("Y"), in: root).name == FileName("Y"))
    library.end()
  }

  @Test("46, S30: a photo of which nobody can say which file it is, is added by nobody")
  @EventLoopActor
  func added() async throws {
    let (library, slow) = try await make()
    let album = try #require(library.directory("X", root: 2))
    let directory = try await library.monitor.contents.open(album, for: 1)
    let files = try await Task.detached(executorPreference: ThreadPerJob()) {
      let files = NewFiles(in: directory)
      _ = try files.make(as: FileName("3.jpg"))
      return files
    }.value
    slow.hang(on: .lookUp, after: .renameWithFlags)
    let editor = library.monitor.edits.editor
    #expect(await code { _ = try await editor.add(files, as: FileName("3.jpg"), in: album) } == .offline)
    await goOn(library, slow)
    #expect(try library.asset("X/3.jpg", root: 2) == nil)
    #expect(!isThere("X/3.jpg", library))
    library.end()
  }
}
