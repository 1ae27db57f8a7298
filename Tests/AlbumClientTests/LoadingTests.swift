import AlbumAPI
import Foundation
import Glibc
import Linux
import Synchronization
import TestSupport
import Testing

@testable import AlbumClient

@Suite("Loading what was picked")
struct LoadingTests {
  private let scratch: TemporaryDirectory
  private let reading = Turnstile(16)

  init() throws {
    scratch = try TemporaryDirectory()
    for name in ["library", "app"] {
      try FileManager.default.createDirectory(
        atPath: "\(scratch.path)/\(name)", withIntermediateDirectories: true)
    }
  }

  private var directory: String { "\(scratch.path)/app" }
  private var loaded: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory).sorted() }
  }

  private func file(_ name: String, _ bytes: [UInt8]) throws -> OwnedDescriptor {
    let path = "\(scratch.path)/library/\(name)"
    try Data(bytes).write(to: URL(filePath: path))
    return try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC), call: "open")
  }

  private func photo(_ name: String, _ bytes: [UInt8], file: String? = nil) throws -> PickedAsset {
    PickedAsset(
      .init(filename: name, mediaType: .image, accessible: true), file: try self.file(file ?? name, bytes),
      pairedVideo: nil, sidecars: [], reading: reading)
  }

  /// What says that it is there and cannot be read: a directory.
  private func broken(_ name: String) throws -> PickedAsset {
    let file = try OwnedDescriptor(open(scratch.path, O_RDONLY | O_CLOEXEC), call: "open")
    return PickedAsset(
      .init(filename: name, mediaType: .image, accessible: true), file: file, pairedVideo: nil, sidecars: [],
      reading: reading)
  }

  private func refused(_ name: String) -> PickedAsset {
    PickedAsset(
      .init(filename: name, mediaType: .image, accessible: false), file: nil, pairedVideo: nil, sidecars: [],
      reading: reading)
  }

  /// What a progress handler was told.
  private final class Told: Sendable {
    private let told = Mutex<[PickProgress]>([])
    var all: [PickProgress] { told.withLock { $0 } }
    func add(_ progress: PickProgress) { told.withLock { $0.append(progress) } }
  }

  @Test("each comes in its turn with its bytes, or with why not, and the others all the same")
  func memory() async throws {
    let large = [UInt8](repeating: 7, count: 600_000)
    let picked = PickResult([
      try photo("a.jpg", Array("a".utf8)), refused("b.jpg"), try broken("c.jpg"), try photo("d.jpg", large),
    ])
    let told = Told()
    var (contents, codes): ([Int: PickContent], [Int: AlbumError.Code]) = ([:], [:])
    for try await item in picked.loaded(progress: { told.add($0) }) {
      #expect(item.asset === picked[item.index])
      switch item.result {
      case .success(let content): contents[item.index] = content
      case .failure(let error):
        codes[item.index] = error.code
        #expect(error.message.contains(item.asset.filename))
      }
    }
    #expect(contents == [0: .data(Array("a".utf8)), 3: .data(large)])
    #expect(codes == [1: .noSuchResource, 2: .offline])
    let all = told.all
    #expect(all.map(\.completed) == all.map(\.completed).sorted())
    #expect(all.last?.fractionCompleted == 1 && all.last?.completed == all.last?.total)
    #expect(all.contains { $0.index == 3 && $0.itemCompleted == 1 << 18 && $0.itemTotal == 600_000 })
    #expect(Set(all.map(\.index)) == [0, 1, 2, 3])
  }

  @Test("nothing is loaded before it is asked for")
  func oneAtATime() async throws {
    let picked = PickResult([
      try photo("a.jpg", Array("a".utf8)), try photo("b.jpg", Array("b".utf8)),
    ])
    var iterator = picked.loaded(to: .directory(directory)).makeAsyncIterator()
    #expect(try await iterator.next()?.index == 0)
    #expect(try loaded == ["a.jpg"])
    #expect(try await iterator.next()?.index == 1)
    #expect(try await iterator.next() == nil)
    #expect(try loaded == ["a.jpg", "b.jpg"])
  }

  @Test("S79: files are called as they were, numbered where that is taken, with what belongs to them")
  func files() async throws {
    let live = PickedAsset(
      .init(filename: "IMG_1.HEIC", mediaType: .livePhoto, pairedVideoExtension: "MOV", accessible: true),
      file: try file("1", [1]), pairedVideo: try file("2", [2, 2]),
      sidecars: [PickedSidecar("xmp", try file("3", [3, 3, 3]))], reading: reading)
    let told = Mutex<[Int]>([])
    for _ in 0..<2 {
      let content = try await live.load(to: .directory(directory)) { done, total in
        #expect(total == 6)
        told.withLock { $0.append(done) }
      }
      guard case .files(let paths) = content else {
        Issue.record("files were asked for")
        return
      }
      #expect(try paths.map { try Array(Data(contentsOf: URL(filePath: $0))) } == [[1], [2, 2], [3, 3, 3]])
    }
    #expect(
      try loaded == [
        "IMG_1 (2).HEIC", "IMG_1 (2).MOV", "IMG_1 (2).xmp", "IMG_1.HEIC", "IMG_1.MOV", "IMG_1.xmp",
      ])
    #expect(told.withLock { $0 }.max() == 6)
    // It is the very content, with its time.
    var facts = (stat(), stat())
    stat("\(scratch.path)/library/1", &facts.0)
    stat("\(directory)/IMG_1.HEIC", &facts.1)
    #expect(facts.0.st_mtim.tv_sec == facts.1.st_mtim.tv_sec)
    #expect(facts.0.st_mtim.tv_nsec == facts.1.st_mtim.tv_nsec)
  }

  @Test("a name leads nowhere else, and never replaces or follows what is there")
  func names() async throws {
    symlink("\(scratch.path)/elsewhere", "\(directory)/link.jpg")
    for name in ["../../escape.jpg", ".hidden", "link.jpg"] {
      _ = try await photo(name, [1], file: "x").load(to: .directory(directory))
    }
    #expect(try loaded == ["_._.._escape.jpg", "_hidden", "link (2).jpg", "link.jpg"])
    #expect(!FileManager.default.fileExists(atPath: "\(scratch.path)/elsewhere"))
  }

  @Test("what fails in the middle, or is cancelled, leaves nothing behind")
  func halfway() async throws {
    let half = PickedAsset(
      .init(filename: "a.jpg", mediaType: .livePhoto, accessible: true), file: try file("a", [1]),
      pairedVideo: try OwnedDescriptor(open(scratch.path, O_RDONLY | O_CLOEXEC), call: "open"), sidecars: [],
      reading: reading)
    let error = await #expect(throws: AlbumError.self) { try await half.load(to: .directory(directory)) }
    #expect(error?.code == .offline)
    #expect(try loaded == [])
    let missing = await #expect(throws: AlbumError.self) {
      try await half.load(to: .directory("\(directory)/nowhere"))
    }
    #expect(missing?.code == .invalidFileDescriptor)

    let large = try photo("large.jpg", [UInt8](repeating: 1, count: 2 << 20))
    for destination in [PickDestination.memory, .directory(directory)] {
      let cancelled = Mutex<Task<PickContent, any Error>?>(nil)
      let task = Task {
        try await large.load(to: destination) { done, _ in
          guard done > 0 else { return }
          // In the middle of it.
          while cancelled.withLock({ $0 == nil }) { sched_yield() }
          cancelled.withLock { $0?.cancel() }
        }
      }
      cancelled.withLock { $0 = task }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try loaded == [])
    }
  }

  @Test(
    "where no file can be without a name, each has a hidden one until it is whole, and none replaces what is there"
  )
  func hiddenUntilWhole() throws {
    try Data([9]).write(to: URL(filePath: "\(directory)/a.jpg"))
    let source = try file("a", [UInt8](repeating: 1, count: 2 << 20))
    var target = try LoadingDirectory(directory, hasUnnamed: false)
    var seen: [[String]] = []
    let isThere = try target.add(source, as: ExportName(filename: "a.jpg")) { _ in
      seen.append((try? loaded) ?? [])
      return true
    }
    #expect(isThere && !seen.isEmpty)
    for names in seen {
      #expect(names.count == 2 && names.last == "a.jpg")
      #expect(names.first?.hasPrefix(".albumd-") == true && names.first?.hasSuffix(".part") == true)
    }
    #expect(try loaded == ["a (2).jpg", "a.jpg"])
    #expect(try Data(contentsOf: URL(filePath: "\(directory)/a (2).jpg")).count == 2 << 20)
    #expect(target.paths == ["\(directory)/a (2).jpg"])

    // Ended in the middle, and what cannot be read.
    let again = try file("a", [UInt8](repeating: 1, count: 2 << 20))
    #expect(try !target.add(again, as: ExportName(filename: "b.jpg")) { _ in false })
    let broken = try OwnedDescriptor(open(scratch.path, O_RDONLY | O_CLOEXEC), call: "open")
    var failure: SystemError?
    do throws(SystemError) {
      _ = try target.add(broken, as: ExportName(filename: "c.jpg")) { _ in true }
    } catch {
      failure = error
    }
    #expect(try failure != nil && loaded == ["a (2).jpg", "a.jpg"])
    target.removeAll()
    #expect(try loaded == ["a.jpg"])
  }
}
