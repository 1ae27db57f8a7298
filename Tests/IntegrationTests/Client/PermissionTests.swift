import AlbumAPI
import AlbumClient
import Foundation
import Glibc
import Linux
import TestSupport
import Testing

@Suite("The client library: asking, and saving", .blocking, .timeLimit(.minutes(30)))
struct PermissionTests {
  private func host() throws -> (Host, PhotoLibrary) {
    let host = try Host { try $0.describeThisProcess() }
    return (host, PhotoLibrary(socketPath: host.library.socket))
  }

  /// Asks while an agent answers so.
  private func ask(
    _ host: Host, _ library: PhotoLibrary, _ level: AccessLevel, _ decision: AgentInterface.Decision
  ) async throws -> AuthorizationStatus {
    let agent = try host.agent()
    async let status = library.requestAuthorization(for: level)
    try agent.answer(agent.prompt(), decision)
    return try await status
  }

  @Test("S5, S7, S8: the status, the one prompt, and the answer that is remembered")
  func request() async throws {
    let (host, library) = try host()
    #expect(try await library.authorizationStatus(for: .readWrite) == .notDetermined)
    #expect(try await ask(host, library, .readWrite, .allow) == .authorized)
    // Nobody is there, and nobody is needed.
    #expect(try await library.requestAuthorization(for: .readWrite) == .authorized)
    // The levels are apart (S2).
    #expect(try await library.authorizationStatus(for: .addOnly) == .notDetermined)
    #expect(try await library.identity().appId == AppDescription.client.id)
  }

  @Test("S12: a task that is cancelled withdraws its prompt")
  func cancelled() async throws {
    let (host, library) = try host()
    let agent = try host.agent()
    let asking = Task { try await library.requestAuthorization(for: .readWrite) }
    let prompt = try agent.prompt()
    asking.cancel()
    #expect(try agent.withdrawal().id == prompt.id)
    await #expect(throws: CancellationError.self) { try await asking.value }
    #expect(try await library.authorizationStatus(for: .readWrite) == .notDetermined)
  }

  @Test("S5: while the owner thinks, the status is answered")
  func notWaiting() async throws {
    let (host, library) = try host()
    let agent = try host.agent()
    async let asked = library.requestAuthorization(for: .readWrite)
    let prompt = try agent.prompt()
    #expect(try await library.authorizationStatus(for: .readWrite) == .notDetermined)
    try agent.answer(prompt, .deny)
    #expect(try await asked == .denied)
  }

  @Test("S20: the limited picker answers what is newly selected")
  func picker() async throws {
    let host = try Host {
      try $0.describeThisProcess()
      for name in ["a.jpg", "b.jpg"] { try $0.add(name) }
    }
    let library = PhotoLibrary(socketPath: host.library.socket)
    let ids = try host.owner().assets().map(\.id)
    try host.limit(host.connect(), assets: [ids[0]])
    #expect(try await library.fetchAssets().map(\.id) == [ids[0]])
    let agent = try host.agent()
    async let added = library.presentLimitedLibraryPicker()
    try agent.answer(agent.prompt(), .init(decision: .limited, assets: ids))
    #expect(try await added == [ids[1]])
    #expect(try await library.fetchAssets().count == 2)
  }

  @Test("S23: what the owner picks comes as open files, and no access with it")
  func pick() async throws {
    let host = try Host {
      try $0.describeThisProcess()
      for name in ["a.jpg", "b.jpg"] { try $0.add(name, Photo.jpeg(name)) }
    }
    let library = PhotoLibrary(socketPath: host.library.socket)
    let id = try host.owner().asset("b.jpg").id
    let agent = try host.agent()
    async let picking = library.pick(selectionLimit: 1)
    let prompt = try agent.prompt()
    #expect(prompt.kind == .picker)
    try agent.answer(prompt, .init(decision: .allow, assets: [id]))
    let picked = try await picking
    #expect(picked.map(\.filename) == ["b.jpg"])
    #expect(picked.map(\.localIdentifier) == [nil])
    // Again and again: where the file stands does not matter.
    for _ in 0..<2 { #expect(try await picked.first?.loadData() == Photo.jpeg("b.jpg")) }
    #expect(try await library.authorizationStatus(for: .readWrite) == .notDetermined)
  }

  @Test("S73: guides and messages come in the library's language, which is the process's where none is named")
  func language() async throws {
    let host = try Host {
      try $0.describeThisProcess()
      for name in ["a.jpg", "b.jpg"] { try $0.add(name, Photo.jpeg(name)) }
    }
    try host.set(.client, .denied)
    let chinese = PhotoLibrary(socketPath: host.library.socket, language: "zh_CN.UTF-8")
    let refusal = try await chinese.requestAuthorization(for: .readWrite, waitForAgent: false)
    #expect(refusal.guide?.title.contains("无法访问你的照片") == true)
    let manager = PhotoLibraryPermissionManager(chinese, level: .readWrite)
    let outcome = try await manager.requestPermissionAndExecute {}
    #expect(outcome.guide?.openSettings == "打开设置" && outcome.guide?.heading == "如何开启权限")
    let other = try await chinese.requestAuthorization(for: .readWrite, waitForAgent: false, language: "en")
    #expect(other.guide?.openSettings == "Open settings")
    let ids = try host.owner().assets().map(\.id)
    let agent = try host.agent()
    async let picking = chinese.pick(requestAccess: true)
    try agent.answer(agent.prompt(), .init(decision: .allow, assets: ids.reversed()))
    try agent.answer(agent.prompt(), .init(decision: .limited, assets: [ids[0]]))
    let picked = try await picking
    #expect(picked.map(\.filename) == ["b.jpg", "a.jpg"])
    #expect(picked.map(\.isAccessible) == [false, true])
    #expect(picked.inaccessibleCount == 1 && picked.message == "有 1 张照片无法访问。")
  }

  @Test("S71: a limit above what one message carries is the limit, and all of it comes")
  func manyPicked() async throws {
    let host = try Host {
      try $0.describeThisProcess()
      for number in 0..<300 { try $0.add("\(number).jpg", Photo.jpeg("\(number)")) }
    }
    let library = PhotoLibrary(socketPath: host.library.socket)
    let assets = try host.owner().assets()
    let agent = try host.agent()
    async let picking = library.pick(selectionLimit: 300)
    let prompt = try agent.prompt()
    #expect(prompt.selectionLimit == 300)
    try agent.answer(prompt, .init(decision: .allow, assets: assets.reversed().map(\.id)))
    let picked = try await picking
    #expect(picked.map(\.filename) == assets.reversed().map(\.filename))
    #expect(picked.message == nil && picked.inaccessibleCount == 0)
  }

  @Test("S30, S31: changes are performed in their order, each file by itself")
  func adding() async throws {
    let (host, library) = try host()
    try host.set(.client, .authorized)
    let file = try host.library.add("../mine.jpg", Photo.jpeg("mine"))
    let (photo, bytes) = try await library.performChanges {
      ($0.addPhoto(from: .file(file)), $0.addPhoto(from: .bytes(Photo.jpeg("drawn")), named: "drawn.jpg"))
    }
    let assets = try await library.fetchAssets(with: FetchOptions(sortKey: .filename))
    #expect(assets.map(\.filename) == ["drawn.jpg", "mine.jpg"])
    #expect(assets.map(\.id) == [bytes.localIdentifier, photo.localIdentifier])
    #expect(try await library.requestImageData(for: assets[0]) == Photo.jpeg("drawn"))
    #expect(try await library.openResource(of: assets[1]).readAll() == Photo.jpeg("mine"))

    var placeholders: [PhotoObjectPlaceholder] = []
    let error = await #expect(throws: AlbumError.self) {
      try await library.performChanges { request in
        placeholders = [
          request.addPhoto(from: .bytes(Photo.jpeg("1")), named: "1.jpg"),
          request.addPhoto(from: .bytes([1, 2, 3]), named: "2.jpg"),
          request.addPhoto(from: .file("/nowhere.jpg")),
          request.addPhoto(from: .bytes(Photo.jpeg("4")), named: "4.jpg"),
          request.addPhoto(from: .bytes(Photo.jpeg("5")), named: "5.jpg", to: "no-such-album"),
        ]
      }
    }
    #expect(error?.code == .notMedia)
    #expect(error?.item == 1)
    #expect(placeholders.map { $0.localIdentifier != nil } == [true, false, false, true, false])
    #expect(placeholders.map { $0.error?.code } == [nil, .notMedia, .invalidFileDescriptor, nil, nil])
    #expect(try await library.fetchAssets().count == 4)
  }

  @Test("S30, S31: bytes without a name are saved, with the extension of what they hold")
  func bytesWithoutName() async throws {
    let (host, library) = try host()
    for level in [AccessLevel.readWrite, .addOnly] { try host.set(.client, .authorized, level) }
    let saved = try await PhotoLibraryPermissionManager(library).saveImage(.bytes(Photo.jpeg("a")))
    try await library.performChanges { $0.addVideo(from: .bytes(Photo.mp4)) }
    let assets = try await library.fetchAssets(with: FetchOptions(sortKey: .filename))
    #expect(assets.map(\.filename) == ["Photo.jpg", "Video.mp4"])
    #expect(assets.first?.id == saved.value)
  }

  @Test("S31: more than one message carries: all are kept, and only those that are none are named")
  func many() async throws {
    let (host, library) = try host()
    try host.set(.client, .authorized)
    let connection = try AlbumConnection(socket: library.socketPath)
    let items = (0..<300).map {
      MediaItem(.bytes($0 % 100 == 99 ? [0] : Photo.jpeg("\($0)")), named: "p\($0).jpg")
    }
    let results = connection.save(items)
    let failed = results.indices.filter { (try? results[$0].get()) == nil }
    #expect(failed == [99, 199, 299])
    for number in failed {
      let error = #expect(throws: AlbumError.self) { try results[number].get() }
      #expect(error?.code == .notMedia && error?.item == number)
    }
    let fetched = try await library.fetchAssets()
    #expect(Set(fetched.map(\.id)) == Set(results.compactMap { try? $0.get() }))
    try host.set(.client, .denied)
    for result in connection.save(Array(items.prefix(2))) {
      let error = #expect(throws: AlbumError.self) { try result.get() }
      #expect(error?.code == .notAuthorized && error?.item == nil)
    }
  }

  @Test(
    "S18, S31, S32: while the rest is added, it is told what was, but not before that is in a selection",
    arguments: [
      (AuthorizationStatus.authorized, AccessLevel.readWrite), (.limited, .readWrite),
      (.authorized, .addOnly),
    ])
  func progress(status: AuthorizationStatus, level: AccessLevel) throws {
    let (host, library) = try host()
    try host.set(.client, status, level)
    let batch = DescriptorBatch()
    let items = try (0..<3).map { number in
      let path = try host.library.add("../\(number).jpg", number == 1 ? [0] : Photo.jpeg("\(number)"))
      return LibraryInterface.AddItem(
        fileDescriptor: batch.append(try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC), call: "open")),
        filename: "\(number).jpg")
    }
    let stream = try AlbumConnection(socket: library.socketPath).add(items, batch)
    var replies: [LibraryInterface.AddAssets.Reply] = []
    while let reply = try stream.next() { replies.append(reply) }
    let last = try #require(replies.last)
    #expect(replies.map(\.completed) == [1, 2, 3])
    #expect(replies.map { $0.failures.map(\.item) } == [[], [1], [1]])
    #expect(last.ids.count == 2)
    let first = status == .limited ? [] : Array(last.ids.prefix(1))
    #expect(replies.map(\.ids) == [first, first, last.ids])
  }

  @Test("S31: a name that cannot be used is that item's failure, and the others are asked for all the same")
  func names() throws {
    let (host, library) = try host()
    try host.set(.client, .authorized)
    let items = [
      MediaItem(.bytes(Photo.jpeg("1")), named: ".hidden.jpg"), MediaItem(.bytes([0]), named: "2.jpg"),
    ]
    let errors = try AlbumConnection(socket: library.socketPath).save(items).map { result -> AlbumError? in
      if case .failure(let error) = result { error } else { nil }
    }
    #expect(errors.map { $0?.code } == [.invalidParameter, .notMedia])
    #expect(errors.map { $0?.item } == [0, 1])
  }

  @Test("S19, S33, S34: an album, what goes into it and out of it, overwriting and deleting")
  func albums() async throws {
    let (host, library) = try host()
    try host.set(.client, .authorized)
    let (album, photo) = try await library.performChanges { request in
      let album = request.createAlbum(titled: "Stickers")
      let photo = request.addPhoto(from: .bytes(Photo.jpeg("a")), named: "a.jpg", to: album)
      let other = request.addPhoto(from: .bytes(Photo.jpeg("b")), named: "b.jpg")
      request.add([other], to: album)
      return (album, photo)
    }
    let stickers = try #require(try await library.fetchAlbums().first { $0.id == album.localIdentifier })
    #expect(stickers.title == "Stickers")
    #expect(stickers.createdByCaller)
    let byName = FetchOptions(sortKey: .filename)
    let inside = try await library.fetchAssets(in: stickers, options: byName)
    #expect(inside.map(\.filename) == ["a.jpg", "b.jpg"])
    try await library.performChanges { $0.remove([inside[1]], from: stickers) }
    #expect(try await library.fetchAssets(in: stickers).map(\.id) == [photo.localIdentifier])

    let agent = try host.agent()
    async let replaced = library.performChanges { $0.replace(inside[0], with: .bytes(Photo.jpeg("new"))) }
    let question = try agent.prompt()
    #expect(question.kind == .replacement)
    try agent.answer(question, .allow)
    try await replaced
    #expect(try await library.requestImageData(for: inside[0]) == Photo.jpeg("new"))
    let done = PhotoAdjustment(formatIdentifier: "org.example.Editor", formatVersion: "1", data: [0, 255])
    async let edited = library.performChanges {
      $0.replace(inside[0], with: .bytes(Photo.jpeg("edited")), adjustment: done)
    }
    try agent.answer(agent.prompt(), .allow)
    try await edited
    #expect(try await library.adjustment(of: inside[0]) == done)
    async let reverted = library.performChanges { $0.revert(inside[0]) }
    try agent.answer(agent.prompt(), .allow)
    try await reverted
    #expect(try await library.requestImageData(for: inside[0]) == Photo.jpeg("new"))
    let nothing = await #expect(throws: AlbumError.self) { try await library.adjustment(of: inside[0]) }
    #expect(nothing?.code == .noAdjustment)

    let refused = Task { try await library.performChanges { $0.delete(Array(inside)) } }
    try agent.answer(agent.prompt(), .deny)
    let error = await #expect(throws: AlbumError.self) { try await refused.value }
    #expect(error?.code == .userRefused)
    #expect(error?.photosErrorCode == 3072)
    // Where one is not there, nobody is asked, and nothing is deleted.
    let missing = await #expect(throws: AlbumError.self) {
      try await library.performChanges { $0.delete([inside[0], "nobody's"]) }
    }
    #expect(missing?.code == .noSuchAsset)
    async let deleted = library.performChanges { $0.delete(Array(inside)) }
    try agent.answer(agent.prompt(), .allow)
    try await deleted
    #expect(try await library.fetchAssets().isEmpty)
  }

  @Test("a request that uses what it makes only later says so, and has done what comes before")
  func order() async throws {
    let (host, library) = try host()
    try host.set(.client, .authorized)
    let error = await #expect(throws: AlbumError.self) {
      try await library.performChanges { request in
        request.addPhoto(from: .bytes(Photo.jpeg("a")), named: "a.jpg")
        request.add(["nobody's"], to: "nobody's")
        request.createAlbum(titled: "Never")
      }
    }
    #expect(error?.item == 1)
    #expect(try await library.fetchAssets().count == 1)
    #expect(try await library.fetchAlbums().map(\.title) == ["Saved"])
  }

  @Test("a block that throws changes nothing, and one that asks for nothing does nothing")
  func nothing() async throws {
    let (host, library) = try host()
    try host.set(.client, .authorized)
    struct Enough: Error {}
    await #expect(throws: Enough.self) {
      try await library.performChanges { request in
        request.addPhoto(from: .bytes(Photo.jpeg()))
        throw Enough()
      }
    }
    #expect(try await library.performChanges { _ in 7 } == 7)
    #expect(try await library.fetchAssets().isEmpty)
  }

  @Test("S2: what an action needs beyond the manager's level is its own affair")
  func beyond() async throws {
    let (host, library) = try host()
    try host.set(.client, .authorized, .addOnly)
    let manager = PhotoLibraryPermissionManager(library)
    let unread = await #expect(throws: AlbumError.self) {
      try await manager.requestPermissionAndExecute { try await library.fetchAssets().count }
    }
    #expect(unread?.code == .notAuthorized && unread?.status == .notDetermined)
    let unpicked = await #expect(throws: AlbumError.self) {
      try await manager.requestPermissionAndExecute { try await library.pick().count }
    }
    #expect(unpicked?.code == .noAgent)
    // Taken away in the meantime, it is an answer.
    let outcome = try await manager.requestPermissionAndExecute { [socket = host.library.socket] in
      let owner = try AlbumConnection(socket: socket)
      try owner.setAuthorization(
        .init(appId: AppDescription.client.id, uid: Int(getuid()), accessLevel: .addOnly, status: .denied))
      _ = try await library.performChanges { $0.addPhoto(from: .bytes(Photo.jpeg())) }
    }
    #expect(outcome.guide?.steps.isEmpty == false)
  }

  @Test("S2: who may read may add, and is not asked", arguments: [AuthorizationStatus.authorized, .limited])
  func readersAdd(reading: AuthorizationStatus) async throws {
    let (host, library) = try host()
    try host.set(.client, reading, .readWrite)
    let manager = PhotoLibraryPermissionManager(library)
    for adding in [AuthorizationStatus.notDetermined, .denied] {
      if adding != .notDetermined { try host.set(.client, adding, .addOnly) }
      #expect(try await manager.checkPermissionStatus() == .authorized)
      let saved = try await manager.saveImage(
        .bytes(Photo.jpeg("\(adding)")), named: "\(adding).jpg", explain: { false })
      #expect(try host.owner().asset("\(adding).jpg").id == saved.value)
    }
    // Nothing was stored of adding, and where reading ends it counts again.
    try host.set(.client, .denied, .readWrite)
    #expect(try await manager.saveImage(.bytes(Photo.jpeg())).guide != nil)
  }

  @Test("S7, S15, S32: saving a picture asks once, is then silent, and after a refusal has the guide at once")
  func manager() async throws {
    let (host, library) = try host()
    let manager = PhotoLibraryPermissionManager(library)
    #expect(try await manager.checkPermissionStatus() == .notDetermined)
    guard case .noAgent = try await manager.saveImage(.bytes(Photo.jpeg("a")), named: "a.jpg") else {
      Issue.record("nobody was there")
      return
    }
    let agent = try host.agent()
    guard case .notNow = try await manager.saveImage(.bytes(Photo.jpeg("a")), explain: { false }) else {
      Issue.record("the person here declined")
      return
    }
    async let asked = manager.saveImage(.bytes(Photo.jpeg("a")), named: "a.jpg")
    let prompt = try agent.prompt()
    #expect(prompt.accessLevel == .addOnly)
    try agent.answer(prompt, .deny)
    #expect(try await asked.guide?.steps.isEmpty == false)
    for _ in 0..<3 {
      let again = try await manager.saveImage(
        .bytes(Photo.jpeg("a")),
        explain: {
          Issue.record("asked"); return true
        })
      guard case .denied(let guide) = again else {
        Issue.record("it was refused")
        return
      }
      #expect(guide.settingsCommand == "albumctl settings \(AppDescription.client.id)")
    }
    #expect(try agent.isQuiet)
    // There is no terminal here.
    #expect(try await manager.openSettings() == .command("albumctl settings \(AppDescription.client.id)"))

    try host.set(.client, .authorized, .addOnly)
    let saved = try await manager.saveImage(.bytes(Photo.jpeg("a")), named: "a.jpg")
    #expect(saved.value?.hasPrefix("receipt-") == true)
    #expect(try host.owner().asset("a.jpg").byteCount == Int64(Photo.jpeg("a").count))

    try host.library.policy("all", "effect: restrict\napps: [\"*\"]\naccessLevels: [addOnly]\n")
    try host.daemon.reload()
    guard case .restricted = try await manager.saveImage(.bytes(Photo.jpeg("a"))) else {
      Issue.record("a policy forbids it")
      return
    }
  }
}
