import AlbumAPI
import AlbumClient
import CLinux
import Glibc
import Linux
import TestSupport
import Testing
import Varlink

private actor Listener: PhotoLibraryChangeObserver {
  func photoLibraryDidChange(_ change: PhotoChange) async {}
}

/// Takes its time with each change.
private actor SlowListener: PhotoLibraryChangeObserver {
  private var count = 0
  private var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?
  private var held: CheckedContinuation<Void, Never>?

  func photoLibraryDidChange(_ change: PhotoChange) async {
    count += 1
    let isAlone = held == nil
    #expect(isAlone)
    if let (wanted, continuation) = waiting, wanted == count {
      waiting = nil
      continuation.resume()
    }
    await withCheckedContinuation { held = $0 }
  }

  /// Waits until it was told so often.
  func begun(_ wanted: Int) async {
    if count < wanted { await withCheckedContinuation { waiting = (wanted, $0) } }
  }

  /// Lets it return.
  func goOn() {
    held?.resume()
    held = nil
  }
}

extension Asset {
  fileprivate static let sample = Asset(
    id: "1", filename: "a.jpg", albums: [], mediaType: .image, byteCount: .max,
    created: Instant(microseconds: 0), modified: Instant(microseconds: 0), resources: [.photo], offline: false
  )
  fileprivate static var sampleText: String {
    String(decoding: (try? JSONEncoding.encode(sample)) ?? [], as: UTF8.self)
  }
}

/// A file without a name.
private func file(containing text: String) throws -> OwnedDescriptor {
  let file = try OwnedDescriptor(linux_memory_file(), call: "memfd_create")
  try #require(write(file.number, text, text.utf8.count) == text.utf8.count)
  return file
}

@Suite("What a library holds, and for how long", .blocking)
struct LifetimeTests {
  @Test("an observer has two connections, and none once it is unregistered")
  func unregister() throws {
    let daemon = try ScriptedDaemon()
    let library = PhotoLibrary(socketPath: daemon.path)
    let listener = Listener()
    try library.register(listener)
    try daemon.accept(2)
    library.unregisterChangeObserver(listener)
    #expect(daemon.allGone())
  }

  @Test("registering again takes the place of the first time")
  func twice() throws {
    let daemon = try ScriptedDaemon()
    let library = PhotoLibrary(socketPath: daemon.path)
    let listener = Listener()
    try library.register(listener)
    try daemon.accept(2)
    try library.register(listener)
    #expect(daemon.allGone())
  }

  @Test("an observer that went without a word is noticed when the next one comes")
  func forgotten() throws {
    let daemon = try ScriptedDaemon()
    let library = PhotoLibrary(socketPath: daemon.path)
    // Before the other, whose address it must not have.
    let listener = Listener()
    try {
      let forgotten = Listener()
      try library.register(forgotten)
      try daemon.accept(2)
    }()
    try library.register(listener)
    #expect(daemon.allGone())
    withExtendedLifetime(listener) {}
  }

  @Test("registered again while it is being told, an observer is not told two things at a time")
  func onceAtATime() async throws {
    let daemon = try ScriptedDaemon()
    let library = PhotoLibrary(socketPath: daemon.path)
    let listener = SlowListener()
    try library.register(listener)
    try daemon.acceptFeed().assets.deliver("t1", removed: ["1"])
    await listener.begun(1)
    try library.register(listener)
    #expect(!daemon.hasVisitor(within: 200))
    await listener.goOn()
    try daemon.acceptFeed().assets.deliver("t2", removed: ["2"])
    await listener.begun(2)
    library.unregisterChangeObserver(listener)
    try library.register(listener)
    #expect(!daemon.hasVisitor(within: 200))
    await listener.goOn()
    try daemon.accept(2)
  }

  @Test("S26: a subscription that ends as soon as it begins is tried less and less often")
  func patience() throws {
    let daemon = try ScriptedDaemon()
    let library = PhotoLibrary(socketPath: daemon.path)
    let listener = Listener()
    let clock = ContinuousClock()
    let start = clock.now
    try library.register(listener)
    for _ in 0..<7 {
      let feed = try daemon.acceptFeed()
      feed.assets.hangUp()
      feed.albums.hangUp()
    }
    // 10 and 20 and 40 and 80 and 160 and 320.
    #expect(clock.now - start >= .milliseconds(630))
    withExtendedLifetime(listener) {}
  }

  @Test("S24: many changes of assets do not keep those of albums waiting")
  func inTurn() async throws {
    let daemon = try ScriptedDaemon()
    let library = PhotoLibrary(socketPath: daemon.path)
    let token = try #require(PersistentChangeToken(rawValue: "t0"))
    let (written, write) = AsyncStream<Void>.makeStream()
    async let told = collect(library.persistentChanges(since: token), afterFirst: written)
    let feed = try daemon.acceptFeed()
    try feed.assets.deliver("t1", removed: ["photo 1"])
    for number in 2...3 { try feed.assets.deliver("t\(number)", removed: ["photo \(number)"]) }
    try feed.albums.deliver("t4", removed: ["album"])
    write.yield()
    #expect(try await told == ["photo 1", "album", "photo 2", "photo 3"])
  }

  /// What is told to be gone, four times; after the first, when there is a sign.
  private func collect(
    _ changes: PhotoChanges, afterFirst sign: AsyncStream<Void>
  ) async throws -> [String] {
    var told: [String] = []
    for try await change in changes {
      told += change.assets.removed + change.albums.removed
      if told.count == 1 { for await _ in sign { break } }
      if told.count == 4 { break }
    }
    return told
  }

  @Test("the bytes of a photo do not wait for a fetch that takes its time")
  func besideFetch() async throws {
    let daemon = try ScriptedDaemon()
    let library = PhotoLibrary(socketPath: daemon.path)
    async let fetching = library.fetchAlbums()
    let fetch = try daemon.accept()
    _ = try fetch.call()
    async let data = library.requestImageData(for: .sample)
    let open = try daemon.accept()
    #expect(try open.call().contains("OpenAsset"))
    let batch = DescriptorBatch()
    // What the reply says of the length is not to be believed.
    let index = batch.append(try file(containing: "bytes"))
    try open.reply(
      #"{"asset":\#(Asset.sampleText),"fileDescriptor":\#(index)}"#, descriptors: batch)
    #expect(try await data == Array("bytes".utf8))
    try fetch.reply(#"{"albums":[],"token":"t"}"#)
    #expect(try await fetching.isEmpty)
  }

  @Test("a library that goes takes its connections along")
  func library() throws {
    let daemon = try ScriptedDaemon()
    let listener = Listener()
    try {
      let library = PhotoLibrary(socketPath: daemon.path)
      try library.register(listener)
      try daemon.accept(2)
    }()
    #expect(daemon.allGone())
  }

  @Test("S12: a request whose task is cancelled hangs up, also before it is answered")
  func cancelled() async throws {
    let daemon = try ScriptedDaemon()
    let library = PhotoLibrary(socketPath: daemon.path)
    let request = Task { try await library.requestAuthorization(for: .addOnly) }
    try daemon.accept(1)
    request.cancel()
    await #expect(throws: CancellationError.self) { try await request.value }
    #expect(daemon.allGone())
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await library.requestAuthorization(for: .addOnly)
    }
    await #expect(throws: CancellationError.self) { try await late.value }
  }

  @Test("a daemon that is not there is an error of the call, with what to do about it")
  func nobody() async throws {
    let library = PhotoLibrary(socketPath: "/nowhere/s")
    let error = await #expect(throws: AlbumError.self) {
      try await library.authorizationStatus(for: .addOnly)
    }
    #expect(error?.code == .notRunning)
    #expect(error?.advice.isEmpty == false)
  }
}
