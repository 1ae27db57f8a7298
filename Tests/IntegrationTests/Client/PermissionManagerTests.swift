import AlbumAPI
import AlbumClient
import Foundation
import Synchronization
import TestSupport
import Testing
import Varlink

@Suite("The permission manager (S74)", .blocking, .timeLimit(.minutes(30)))
struct PermissionManagerTests {
  private func host() throws -> (Host, PhotoLibrary) {
    let host = try Host { try $0.describeThisProcess() }
    return (host, PhotoLibrary(socketPath: host.library.socket, language: "en"))
  }

  /// Waits until what is read without asking is this.
  private func wait(_ manager: PhotoLibraryPermissionManager, for status: AuthorizationStatus?) async throws {
    while manager.permissionStatus != status { try await Task.sleep(for: .milliseconds(5)) }
  }

  @Test("S74: the status is read without asking the daemon, follows each change, and is unknown without one")
  func cache() async throws {
    let (host, library) = try host()
    let manager = PhotoLibraryPermissionManager(library, level: .readWrite)
    #expect(manager.permissionStatus == nil)
    try await wait(manager, for: .notDetermined)
    try host.set(.client, .authorized)
    try await wait(manager, for: .authorized)
    #expect(try await manager.checkPermissionStatus() == .authorized)
    let owner = try host.owner()
    let calls = try owner.call(ManagerInterface.GetStatistics.self, .init()).calls
    for _ in 0..<1000 where manager.permissionStatus != .authorized { Issue.record("it changed by itself") }
    // The question itself is one.
    #expect(try owner.call(ManagerInterface.GetStatistics.self, .init()).calls <= calls + 1)
    // Who may read may add (S2).
    let adding = PhotoLibraryPermissionManager(library, level: .addOnly)
    try await wait(adding, for: .authorized)
    try host.daemon.stop()
    try await wait(manager, for: nil)
    try host.daemon.start()
    try await wait(manager, for: .authorized)
    try host.set(.client, .denied)
    try await wait(manager, for: .denied)
  }

  @Test(
    "S74: one manager is there without arguments, and a handler of a pair is called, once, where one says")
  func callbacks() async throws {
    #expect(PhotoLibraryPermissionManager.shared === PhotoLibraryPermissionManager.shared)
    let (host, library) = try host()
    let manager = PhotoLibraryPermissionManager(library)
    let (told, continuation) = AsyncStream.makeStream(of: String.self)
    var iterator = told.makeAsyncIterator()
    func ask(explain: (@Sendable () async -> Bool)? = nil) -> Task<Void, Never> {
      manager.requestPermissionAndExecute(
        explain: explain,
        onAuthorized: {
          MainActor.assumeIsolated { _ = continuation.yield("authorized") }
        },
        onDenied: { guide in MainActor.assumeIsolated { _ = continuation.yield("denied: \(guide.title)") } },
        onFailure: { continuation.yield("failed: \($0)") })
    }
    // Nobody is there: nothing was refused, and the guide says what there is to say.
    await ask().value
    #expect(await iterator.next()?.hasPrefix("denied: ") == true)
    let agent = try host.agent()
    let asking = ask()
    try agent.answer(agent.prompt(), .deny)
    await asking.value
    #expect(await iterator.next()?.hasSuffix(" cannot add to your photos") == true)
    try host.set(.client, .authorized, .addOnly)
    await ask().value
    #expect(await iterator.next() == "authorized")

    let own = Place()
    let (saves, saving) = AsyncStream.makeStream(of: String.self)
    var outcomes = saves.makeAsyncIterator()
    func save(_ source: MediaSource, named name: String) -> Task<Void, Never> {
      manager.saveImage(
        source, named: name, on: own,
        onSuccess: { saved in
          own.assumeIsolated { _ in _ = saving.yield("saved \(saved.guide?.later ?? "")") }
        },
        onFailure: { sentence, guide in
          own.assumeIsolated { _ in _ = saving.yield("\(sentence) \(guide?.openSettings ?? "-")") }
        })
    }
    await save(.bytes(Photo.jpeg("a")), named: "a.jpg").value
    #expect(await outcomes.next() == "saved Done")
    await save(.bytes([1, 2, 3]), named: "b.jpg").value
    #expect(await outcomes.next()?.hasSuffix(" -") == true)
    try host.set(.client, .denied, .addOnly)
    await save(.bytes(Photo.jpeg("c")), named: "c.jpg").value
    #expect(await outcomes.next()?.hasSuffix(" Open settings") == true)
    let (results, reporting) = AsyncStream.makeStream(of: AuthorizationStatus?.self)
    var statuses = results.makeAsyncIterator()
    await manager.checkPermissionStatus { reporting.yield(try? $0.get()) }.value
    #expect(await statuses.next() == .denied)
  }

  @Test(
    "S74: of many, each is told, where the caller says; and whoever named a language is told failures in it")
  func callbacksOfMany() async throws {
    let (host, library) = try host()
    let manager = PhotoLibraryPermissionManager(library, language: "zh-Hans")
    let own = Place()
    let (told, telling) = AsyncStream.makeStream(of: String.self)
    var outcomes = told.makeAsyncIterator()
    func save(_ sources: [MediaSource]) async -> String? {
      await manager.requestAndSave(
        sources.enumerated().map { MediaItem($1, named: "\($0).jpg") }, on: own,
        onDone: { saved in
          own.assumeIsolated { _ in _ = telling.yield("\(saved.identifiers.count) of \(saved.results.count)")
          }
        },
        onFailure: { sentence, guide in
          own.assumeIsolated { _ in _ = telling.yield("\(sentence) \(guide?.openSettings ?? "-")") }
        }
      ).value
      return await outcomes.next()
    }
    try host.set(.client, .authorized, .addOnly)
    #expect(await save([.bytes(Photo.jpeg("a")), .bytes([1, 2, 3])]) == "1 of 2")
    let failure = await save([.file("/nowhere.jpg")])
    #expect(failure?.contains("无法") == true && failure?.hasSuffix(" -") == true, "\(failure ?? "")")
    try host.set(.client, .denied, .addOnly)
    #expect(await save([.bytes(Photo.jpeg("b"))])?.hasSuffix(" 打开设置") == true)
    // No terminal here, and no desktop.
    let (opened, opening) = AsyncStream.makeStream(of: String.self)
    var openings = opened.makeAsyncIterator()
    await manager.openSettings(on: own) { result in
      own.assumeIsolated { _ in _ = opening.yield("\(result)") }
    }.value
    #expect(await openings.next()?.contains("albumctl settings") == true)
    let guide = Guide(title: "", message: "", steps: [])
    await manager.openWallpaperSettings(guide, on: own) { result in
      own.assumeIsolated { _ in _ = opening.yield((try? result.get()) == false ? "none" : "\(result)") }
    }.value
    #expect(await openings.next() == "none")
  }

  @Test("S74: what cannot be opened ends a save before anybody is asked")
  func checkedBefore() async throws {
    let (host, library) = try host()
    let manager = PhotoLibraryPermissionManager(library)
    let agent = try host.agent()
    let error = await #expect(throws: AlbumError.self) {
      try await manager.saveImage(.file("/nowhere.jpg"))
    }
    #expect(error?.code == .invalidFileDescriptor)
    let folder = await #expect(throws: AlbumError.self) {
      try await manager.saveImage(.file(host.library.path("")))
    }
    #expect(folder?.code == .invalidFileDescriptor)
    // The first prompt that there is is the one of the next.
    async let saved = manager.saveImage(.bytes(Photo.jpeg("a")), named: "a.jpg")
    try agent.answer(agent.prompt(), .allow)
    #expect(try await saved.value != nil)
  }

  @Test(
    "S74: a wallpaper comes with the way to set it; a message of the app's own replaces that and nothing else"
  )
  func wallpaper() async throws {
    let (host, library) = try host()
    try host.set(.client, .authorized, .addOnly)
    let manager = PhotoLibraryPermissionManager(library, title: "Mine", message: "For your walls.")
    let progress = Mutex<[SaveProgress]>([])
    let items = (0..<130).map { MediaItem(.bytes(Photo.jpeg("\($0)")), named: "\($0).jpg") }
    let saved = try await manager.requestAndSave(
      items + [MediaItem(.bytes([0]), named: "no.jpg")], purpose: .wallpaper,
      progress: { told in progress.withLock { $0.append(told) } }
    ).value
    #expect(saved?.identifiers.count == 130 && saved?.firstError?.code == .notMedia)
    #expect(saved?.guide?.heading == "How to set it as your wallpaper" && saved?.guide?.later == "Got it")
    let told = progress.withLock { $0 }
    #expect(told.map(\.completed) == told.map(\.completed).sorted())
    #expect(told.last?.completed == 131 && told.last?.total == 131 && told.last?.fraction == 1)
    #expect(told.allSatisfy { $0.completedBytes <= $0.totalBytes })
    let (_, guide) = try await library.performChanges(for: .wallpaper) {
      $0.addPhoto(from: .bytes(Photo.jpeg("x")), named: "x.jpg")
    }
    #expect(guide?.steps.count == 4)

    try host.set(.client, .denied, .addOnly)
    let refused = try await manager.requestPermissionAndExecute {}.guide
    #expect(refused?.title == "Mine" && refused?.message == "For your walls.")
    #expect(
      refused?.steps.count == 3 && refused?.later == "Later" && refused?.openSettings == "Open settings")
    let shown = Mutex<[Guide]>([])
    _ = try await manager.saveImage(
      .bytes(Photo.jpeg("y")), message: "Just this one.",
      onDenied: { guide in shown.withLock { $0.append(guide) } })
    #expect(shown.withLock { $0 }.map(\.message) == ["Just this one."])
    // Without a page or a terminal there is the command to say.
    guard case .command(let command) = try await manager.openSettings() else {
      Issue.record("no command")
      return
    }
    #expect(command.hasPrefix("albumctl settings "))
    // Nothing is run that is not known.
    var strange = try #require(refused)
    strange.settingsCommand = "touch \(host.library.path("../ran"))"
    #expect(try await manager.openWallpaperSettings(strange) == false)
    #expect(!FileManager.default.fileExists(atPath: host.library.path("../ran")))
  }

  @Test("S74: a save that is cancelled ends; what was saved by then stays")
  func cancelled() async throws {
    let (host, library) = try host()
    try host.set(.client, .authorized, .addOnly)
    let (told, continuation) = AsyncStream.makeStream(of: Int.self)
    let items = (0..<2000).map { MediaItem(.bytes(Photo.jpeg("\($0)")), named: "\($0).jpg") }
    let task = Task {
      try await library.save(items) { progress in continuation.yield(progress.completed) }
    }
    for await completed in told where completed > 0 { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(try host.owner().info().assetCount < items.count)
  }
}

/// An actor that is not the main one.
private actor Place {}
