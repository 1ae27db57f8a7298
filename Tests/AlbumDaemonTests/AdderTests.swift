import AlbumAPI
import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Linux
import LoopTesting
import Storage
import Synchronization
import TestSupport
import Testing

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
        monitor: monitor, renderer: renderer, threads: UserThreads(),
        saveTo: saveTo, limit: 1 << 20)
      try monitor.start()
    }

    isolated deinit { monitor.stop() }

    func add(
      _ descriptor: consuming OwnedDescriptor, allow: () throws -> Void = {}
    ) async -> AssetAdder.Outcome {
      let batch = DescriptorBatch()
      let index = batch.append(descriptor)
      return await adder.add(
        [.init(fileDescriptor: index, filename: "a.jpg")], batch, for: .init(uid: 0, appID: "a"), to: nil,
        allow: allow
      ) { _ in }
    }
  }

  private func source(_ bytes: [UInt8] = jpeg) throws -> OwnedDescriptor {
    let file = try OwnedDescriptor(
      open("\(directory.path)/source", O_RDWR | O_CREAT | O_CLOEXEC, 0o600), call: "open")
    try #require(pwrite(file.number, bytes, bytes.count, 0) == bytes.count)
    return file
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
    let failures = await library.add(try source()) { throw Revoked() }.failures.count
    #expect(failures == 1 && content("photos/Saved/a.jpg") == nil)
    let added = await library.add(try source()).assets.count
    #expect(added == 1 && content("photos/Saved/a.jpg") == Self.jpeg)
  }

  @Test("S31: what is media is found out of the copy: its bringer changes the file as often as it likes")
  func swapped() async throws {
    let path = directory.path
    let library = try await EventLoopActor.run { try Library(path, saveTo: "Saved") }
    let swapping = try source()
    let number = swapping.number
    // A thread of its own: the pool has as many as there are processors.
    let isOver = Flag()
    let ended = Gate()
    runDetached {
      while !isOver.isSet {
        for beginning in [[0x23, 0x21, 0x2F, 0x62], Array(Self.jpeg.prefix(4))] {
          _ = pwrite(number, beginning as [UInt8], 4, 0)
        }
      }
      ended.reach()
    }
    var added = 0
    for _ in 0..<60 {
      let again = try OwnedDescriptor(dup(number), call: "dup")
      added += await library.add(again).assets.count
    }
    isOver.set()
    await ended.untilReached()
    for index in 0..<added {
      let name = index == 0 ? "a.jpg" : "a (\(index + 1)).jpg"
      #expect(content("photos/Saved/\(name)")?.prefix(2) == [0xFF, 0xD8])
    }
    withExtendedLifetime(swapping) {}
  }

  @Test("S43, S47: `saveTo` is made part by part, and a symbolic link on the way is not followed")
  func nested() async throws {
    let path = directory.path
    mkdir("\(path)/outside", 0o755)
    try #require(symlink("../outside", "\(path)/photos/Link") == 0)
    let library = try await EventLoopActor.run { try Library(path, saveTo: "In/Here") }
    let added = await library.add(try source()).assets.count
    #expect(added == 1 && content("photos/In/Here/a.jpg") == Self.jpeg)
    let other = await EventLoopActor.run {
      AssetAdder(
        monitor: library.monitor, renderer: library.renderer, threads: UserThreads(), saveTo: "Link/Here",
        limit: 1 << 20)
    }
    let batch = DescriptorBatch()
    let index = batch.append(try source())
    let failures = await other.add(
      [.init(fileDescriptor: index, filename: "a.jpg")], batch, for: .init(uid: 0, appID: "a"), to: nil,
      allow: {}
    ) { _ in }.failures.count
    #expect(failures == 1 && access("\(path)/outside/Here", F_OK) != 0)
  }
}

private final class Flag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}
