import AlbumAPI
import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Linux
import LoopTesting
import Storage
import TestSupport
import Testing
import VarlinkServer

@testable import AlbumDaemon

@Suite("Copies of what apps bring", .timeLimit(.minutes(10)))
struct AdderTests {
  private let directory: TemporaryDirectory
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 0x20, count: 4096)

  init() throws {
    LoopThread.start()
    directory = try TemporaryDirectory()
    mkdir("\(directory.path)/photos", 0o755)
  }

  @EventLoopActor
  private final class Library {
    let monitor: LibraryMonitor
    let renderer: LibraryRenderer
    let adder: AssetAdder

    init(_ path: String, saveTo: String) throws {
      let store = try LibraryStore(path: "\(path)/library.sqlite")
      monitor = LibraryMonitor(database: store, roots: [LibraryRoot(path: "\(path)/photos")])
      renderer = LibraryRenderer(store: store, monitor: monitor)
      adder = AssetAdder(
        monitor: monitor, renderer: renderer, saveTo: saveTo, limit: 1 << 20,
        room: StateRoom(directory: path, reserveBytes: 0))
      try monitor.start(telling: NoObserver())
    }

    isolated deinit { monitor.stop() }

    func add(_ files: Brought, allow: () throws -> Void = {}) async -> AssetAdder.Outcome {
      await adder.add(
        [.init(fileDescriptor: 0, filename: "a.jpg")], files, to: nil, allow: allow
      ) { _ in }
    }
  }

  /// What an app brings: it shows one thing, and another may be copied.
  @EventLoopActor
  private final class Brought: BroughtFiles {
    private let shown: [UInt8]
    private let copied: [UInt8]

    nonisolated init(_ shown: [UInt8] = AdderTests.jpeg, copied: [UInt8]? = nil) {
      self.shown = shown
      self.copied = copied ?? shown
    }

    func look(at index: Int, _ count: Int) async throws(PeerFiles.Failure) -> [UInt8] {
      Array(shown.prefix(count))
    }

    func copy(_ index: Int, to target: CInt, limit: Int64) async throws(PeerFiles.Failure) -> Int64 {
      #expect(pwrite(target, copied, copied.count, 0) == copied.count)
      return Int64(copied.count)
    }
  }

  private func content(_ name: String) -> [UInt8]? {
    guard let file = try? OwnedDescriptor(open("\(directory.path)/\(name)", O_RDONLY), call: "open") else {
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = read(file.number, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  @Test("S18, S29: what was decided while it was copied counts: nothing appears")
  func revokedMeanwhile() async throws {
    struct Revoked: Error {}
    let path = directory.path
    let library = try await EventLoopActor.run { try Library(path, saveTo: "Saved") }
    let failures = await library.add(Brought()) { throw Revoked() }.failures.count
    #expect(failures == 1 && content("photos/Saved/a.jpg") == nil)
    let added = await library.add(Brought()).assets.count
    #expect(added == 1 && content("photos/Saved/a.jpg") == Self.jpeg)
  }

  @Test("S31: what is media is found out of the copy: its bringer changes the file whenever it likes")
  func swapped() async throws {
    let path = directory.path
    let library = try await EventLoopActor.run { try Library(path, saveTo: "Saved") }
    let outcome = await library.add(Brought(copied: Array("#!/bin/sh\n".utf8)))
    #expect(outcome.assets.isEmpty && outcome.failures.first?.error is LibraryInterface.NotMedia)
    #expect(content("photos/Saved/a.jpg") == nil)
  }

  @Test("S31: the name fits the copy, not what its bringer showed before")
  func swappedKind() async throws {
    let path = directory.path
    let library = try await EventLoopActor.run { try Library(path, saveTo: "Saved") }
    let film: [UInt8] = [0, 0, 0, 16] + Array("ftypqt  ".utf8)
    let outcome = await library.add(Brought(copied: film))
    #expect(outcome.assets.map(\.filename) == [FileName("a.jpg.mov")])
  }

  @Test("S43, S47: `saveTo` is made part by part, and a symbolic link on the way is not followed")
  func nested() async throws {
    let path = directory.path
    mkdir("\(path)/outside", 0o755)
    try #require(symlink("../outside", "\(path)/photos/Link") == 0)
    let library = try await EventLoopActor.run { try Library(path, saveTo: "In/Here") }
    let added = await library.add(Brought()).assets.count
    #expect(added == 1 && content("photos/In/Here/a.jpg") == Self.jpeg)
    let other = await EventLoopActor.run {
      AssetAdder(
        monitor: library.monitor, renderer: library.renderer, saveTo: "Link/Here", limit: 1 << 20,
        room: StateRoom(directory: path, reserveBytes: 0))
    }
    let failures = await other.add(
      [.init(fileDescriptor: 0, filename: "a.jpg")], Brought(), to: nil, allow: {}
    ) { _ in }.failures.count
    #expect(failures == 1 && access("\(path)/outside/Here", F_OK) != 0)
  }
}
