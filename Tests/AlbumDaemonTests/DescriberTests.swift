import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Linux
import Logging
import LoopTesting
import PictureAPI
import Storage
import TestSupport
import Testing

@testable import AlbumDaemon

@Suite("The describer", .timeLimit(.minutes(30))) struct DescriberTests {
  private let directory: TemporaryDirectory

  init() throws {
    LoopThread.start()
    directory = try TemporaryDirectory()
  }

  /// Answers what a test says, when it says so.
  @EventLoopActor
  private final class ScriptedReader: PictureReading {
    typealias Completion = @EventLoopActor (Result<FileDescription, PictureFailure>) -> Void
    /// By what is in the file.
    var answers: [String: Result<FileDescription, PictureFailure>] = [:]
    private(set) var asked: [String] = []
    /// What happens before an answer.
    var before: (String) -> Void = { _ in }
    var isSilent = false

    func describe(
      _ file: borrowing OwnedDescriptor, _ demand: PictureDemand, completion: @escaping Completion
    ) -> PicturePlan.JobID {
      var bytes = [UInt8](repeating: 0, count: 100)
      let count = pread(file.number, &bytes, bytes.count, 0)
      #expect(Glibc.write(file.number, bytes, 1) < 0, "what reads pictures must not be able to write to them")
      let content = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
      asked.append(content)
      if isSilent { return asked.count }
      EventLoopActor.afterReturn { [self] in
        before(content)
        completion(answers[content] ?? .failure(.unreadable))
      }
      return asked.count
    }

    func cancel(_ id: PicturePlan.JobID) { asked.append("cancelled \(id)") }
  }

  @EventLoopActor
  private final class Library: LibraryObserver {
    let photos: PhotoLibrary
    let describer: Describer
    let reader = ScriptedReader()
    private(set) var changes: [Change] = []
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ path: String, _ names: [String], pause: Duration = .seconds(60)) throws {
      photos = try PhotoLibrary(path, names.map { "photos/\($0)" })
      describer = Describer(
        library: photos.monitor, store: photos.store, reader: reader, log: Logger(label: "test"), pause: pause
      )
    }

    func start() throws {
      try photos.monitor.start(telling: self)
      describer.start()
    }

    func libraryChanged(_ entries: [PlacedChange]) {
      changes += entries.compactMap(\.change)
      describer.libraryChanged(entries)
      resume()
    }

    func libraryStateChanged(_ state: LibraryState) {
      describer.libraryStateChanged()
      resume()
    }

    private func resume() {
      let all = waiting
      waiting = []
      for continuation in all { continuation.resume() }
    }

    func until(_ condition: (Library) throws -> Bool) async rethrows {
      while try !condition(self) { await withCheckedContinuation { waiting.append($0) } }
    }

    isolated deinit {
      describer.stop()
      photos.monitor.stop()
    }
  }

  private static func said(_ seconds: Int64, width: Int = 4) -> FileDescription {
    FileDescription(
      takenLocal: seconds * 1_000_000, takenOffset: 0, pixelWidth: width, pixelHeight: 3, duration: nil,
      subtypes: [], place: nil)
  }

  @Test("S48, S50: all that was there is described, once, and a restart goes on where it was")
  func described() async throws { try await described(directory.path) }

  @EventLoopActor
  private func described(_ path: String) async throws {
    do {
      let library = try Library(path, ["1.jpg", "2.jpg", "3.jpg"])
      library.reader.answers = [
        "photos/1.jpg": .success(Self.said(100)), "photos/2.jpg": .success(Self.said(200)),
      ]
      try library.start()
      await library.until {
        $0.photos.monitor.state.summary == .ready && $0.photos.store.described.undescribedCount == 0
      }
      let asset = try library.photos.asset("1.jpg")
      #expect(asset.created == 100_000_000_000 && asset.description?.file.pixelWidth == 4)
      #expect(try library.photos.asset("3.jpg").description == nil)
      #expect(try library.photos.store.described.unreadableCount() == 1)
      #expect(library.changes.map(\.operation) == [.changed(content: false), .changed(content: false)])
      #expect(library.reader.asked.count == 3)
      library.describer.stop()
      library.photos.monitor.stop()
    }
    let again = try Library(path, [])
    try again.start()
    await again.until { $0.photos.monitor.state.summary == .ready }
    _ = try again.photos.asset("1.jpg")
    #expect(again.reader.asked.isEmpty, "nothing is read twice")
  }

  @Test("S50: what changes is read again, and what is renamed is not")
  func changed() async throws { try await changed(directory.path) }

  @EventLoopActor
  private func changed(_ path: String) async throws {
    let library = try Library(path, ["1.jpg"])
    library.reader.answers = [
      "photos/1.jpg": .success(Self.said(100)), "other": .success(Self.said(300, width: 9)),
    ]
    try library.start()
    await library.until { $0.changes.count == 1 }
    #expect(rename("\(path)/photos/1.jpg", "\(path)/photos/2.jpg") == 0)
    try await library.until {
      try $0.photos.store.files.asset(AssetID(rawValue: 1))?.filename == FileName("2.jpg")
    }
    #expect(try library.photos.asset("2.jpg").created == 100_000_000_000)
    #expect(library.reader.asked.count == 1)
    try Self.write("other", to: "\(path)/photos/2.jpg")
    try await library.until { try $0.photos.asset("2.jpg").description?.file.pixelWidth == 9 }
    #expect(
      library.changes.suffix(2).map(\.operation) == [.changed(content: true), .changed(content: false)])
    #expect(try library.photos.asset("2.jpg").created == 300_000_000_000)
  }

  @Test("S50: what was read of a file that changed meanwhile is not told of it")
  func changedMeanwhile() async throws { try await changedMeanwhile(directory.path) }

  @EventLoopActor
  private func changedMeanwhile(_ path: String) async throws {
    let library = try Library(path, ["1.jpg"])
    library.reader.answers = ["photos/1.jpg": .success(Self.said(100)), "other": .success(Self.said(300))]
    library.reader.before = { content in
      if content != "other" { try? Self.write("other", to: "\(path)/photos/1.jpg") }
    }
    try library.start()
    try await library.until {
      try $0.photos.monitor.state.summary == .ready && $0.photos.asset("1.jpg").isDescribed
    }
    #expect(try library.photos.asset("1.jpg").created == 300_000_000_000)
    #expect(!library.changes.contains { $0.snapshot?.created == 100_000_000_000 })
  }

  @Test("S51, S52: a decoder that dies costs one file its description, and nobody else anything")
  func broke() async throws { try await broke(directory.path) }

  @EventLoopActor
  private func broke(_ path: String) async throws {
    let library = try Library(path, ["1.jpg", "2.jpg"])
    library.reader.answers = ["photos/1.jpg": .failure(.broke), "photos/2.jpg": .success(Self.said(100))]
    try library.start()
    await library.until {
      $0.photos.monitor.state.summary == .ready && $0.photos.store.described.undescribedCount == 0
    }
    #expect(try library.photos.asset("1.jpg").isDescribed && library.photos.asset("1.jpg").description == nil)
    #expect(try library.photos.asset("2.jpg").created == 100_000_000_000)
    #expect(try library.photos.store.described.unreadableCount() == 1)
  }

  @Test("S51: where nobody can read, nothing is given up")
  func unavailable() async throws { try await unavailable(directory.path) }

  @EventLoopActor
  private func unavailable(_ path: String) async throws {
    let library = try Library(path, ["1.jpg"])
    library.reader.answers = ["photos/1.jpg": .failure(.unavailable)]
    try library.start()
    await library.until { $0.photos.monitor.state.summary == .ready }
    while library.reader.asked.isEmpty { await Self.turn() }
    await Self.turn()
    #expect(library.photos.store.described.undescribedCount == 1)
    #expect(library.reader.asked.count == 1, "it is not asked again at once")
  }

  @Test("S51: a file that cannot be opened for lack of descriptors is read later")
  func shortage() async {
    // The limit is the whole process's.
    await #expect(processExitsWith: .success) {
      LoopThread.start()
      let directory = try TemporaryDirectory()
      try await DescriberTests.shortage(directory.path)
    }
  }

  @EventLoopActor
  private static func shortage(_ path: String) async throws {
    let library = try Library(path, ["1.jpg"], pause: .milliseconds(10))
    library.reader.answers = ["photos/1.jpg": .success(said(100))]
    try library.photos.monitor.start(telling: library)
    await library.until { $0.photos.monitor.state.summary == .ready }
    let limit = DescriptorLimit(0)
    library.describer.start()
    while !library.describer.isPutOff { await turn() }
    limit.end()
    try #require(library.reader.asked.isEmpty)
    await library.until { $0.photos.store.described.undescribedCount == 0 }
  }

  /// The loop does what there is to do.
  @EventLoopActor
  private static func turn() async {
    await withCheckedContinuation { continuation in EventLoopActor.afterReturn { continuation.resume() } }
  }

  @Test("S50: a copy that takes too long to read is added all the same")
  func patience() async throws { try await patience(directory.path) }

  @EventLoopActor
  private func patience(_ path: String) async throws {
    let reader = ScriptedReader()
    let place = try OwnedDescriptor(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), call: "open")
    let files = NewFiles(in: HeldFile(place, closedBy: nil))
    let file = try files.make(as: FileName("a.jpg"))
    #expect(pwrite(file, "a", 1, 0) == 1)
    reader.answers = ["a": .success(Self.said(7))]
    let read = await CopyReader(reader).read(files, hasMovie: false, for: 1)
    #expect(read != nil)
    reader.isSilent = true
    #expect(await CopyReader(reader, patience: .milliseconds(20)).read(files, hasMovie: false, for: 1) == nil)
    #expect(reader.asked == ["a", "a", "cancelled 2"])
  }

  @Test("S52: an answer is taken within what can be")
  func hostile() {
    let said = PicturesInterface.Description(
      takenLocal: .max, takenOffset: .min, pixelWidth: -5, pixelHeight: .max, duration: -1,
      subtypes: [.raw, .raw, .hdr],
      place: .init(latitude: .nan, longitude: .infinity, altitude: nil))
    let taken = FileDescription(said)
    #expect(
      taken.takenLocal == nil && taken.takenOffset == nil && taken.pixelWidth == nil && taken.place == nil)
    #expect(taken.duration == nil && taken.subtypes == [.raw, .hdr])
  }

  private static func write(_ text: String, to path: String) throws {
    let file = try OwnedDescriptor(open(path, O_WRONLY | O_TRUNC | O_CLOEXEC), call: "open")
    try #require(Glibc.write(file.number, text, text.utf8.count) == text.utf8.count)
  }
}

extension Change.Snapshot {
  fileprivate var created: Int64? {
    switch self {
    case .asset(_, _, _, let created, _, _, _, _, _, _): created
    case .album: nil
    }
  }
}
