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
        saveTo: saveTo, limit: 1 << 20, room: StateRoom(directory: path, reserveBytes: 0))
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

  @Test("S31: what is media is found out of the copy: its bringer changes the file whenever it likes")
  func swapped() throws {
    let swapping = try source()
    let number = swapping.number
    // Until the copy has its name the bringer has as many chances as the copy has parts, and one before.
    var isRefused: [Bool] = []
    for chance in 1... {
      try #require(pwrite(number, Self.jpeg, 4, 0) == 4)
      var asked = 0
      let copies = copies(of: number) {
        asked += 1
        if asked == chance { pwrite(number, "#!/b", 4, 0) }
      }
      if asked < chance { break }
      isRefused.append(copies == nil)
      if let copies { #expect(try MediaFormat(descriptor: copies.files.descriptor(0))?.type == .image) }
    }
    // Before the first part the script is what would be kept.
    #expect(isRefused.first == true)
    withExtendedLifetime(swapping) {}
  }

  @Test("S31: the name fits the copy, not what its bringer showed before")
  func swappedKind() throws {
    let swapping = try source()
    let number = swapping.number
    let film: [UInt8] = [0, 0, 0, 16] + Array("ftypqt  ".utf8)
    let copies = copies(of: number) { pwrite(number, film, film.count, 0) }
    #expect(copies?.name == FileName("a.jpg.mov"))
    withExtendedLifetime(swapping) {}
  }

  /// What an adder would name.
  ///
  /// - Parameter meanwhile: what its bringer does before each part is copied.
  private func copies(of source: CInt, meanwhile: () -> Void) -> AssetAdder.Copies? {
    let place = open("\(directory.path)/photos", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let files = NewFiles(in: OwnedDescriptor(owning: place))
    return try? AssetAdder.Transfer(source: source, video: nil).copy(
      into: files, as: FileName("a.jpg"), limit: 1 << 20
    ) {
      meanwhile()
      return true
    }
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
        limit: 1 << 20, room: StateRoom(directory: path, reserveBytes: 0))
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
