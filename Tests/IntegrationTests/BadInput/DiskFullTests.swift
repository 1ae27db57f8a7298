import AlbumAPI
import Glibc
import Linux
import TestSupport
import Testing
import Varlink

@Suite("A full disk", .blocking)
struct DiskFullTests {
  @Test(
    "a decision that cannot be stored is not made, everybody is told, and the daemon goes on",
    .enabled(if: SmallDisk.isPossible, "mounting a tmpfs is not permitted"))
  func decisions() throws {
    let library = try TemporaryLibrary()
    let disk = try SmallDisk(at: library.state, kilobytes: 4096)
    let host = try Host(library)
    let agent = try host.agent()
    let app = try host.app().connect()
    #expect(try app.status() == .notDetermined)
    try disk.fill()

    try app.beginRequest()
    let prompt = try agent.prompt()
    let refused = try failure { try agent.answer(prompt, .allow) }
    #expect(refused.description.contains("registry"), "\(refused)")
    // The app is not told of the daemon's files.
    let told = try failure { _ = try app.requestReply() }.description
    #expect(told.contains("log says why"))
    #expect(!told.contains(library.state) && !told.contains("registry"))
    #expect(try app.status() == .notDetermined)
    let setting = try failure { try host.set(.wallpapers, .authorized) }
    #expect(setting.description.contains("registry"), "\(setting)")
    #expect(host.daemon.isRunning)

    try disk.empty()
    try app.beginRequest()
    try agent.answer(agent.prompt(), .allow)
    #expect(try app.requestReply().status == .authorized)
    try host.daemon.kill()
    try host.daemon.start()
    #expect(try host.app().connect().status() == .authorized)
  }

  @Test(
    "S29: what an owner takes away counts on a full disk, and is on disk: there is room for that",
    .enabled(if: SmallDisk.isPossible, "mounting a tmpfs is not permitted"))
  func revocations() throws {
    let library = try TemporaryLibrary()
    let disk = try SmallDisk(at: library.state, kilobytes: 4096)
    let host = try Host(library)
    let app = try host.app().connect()
    try host.set(.wallpapers, .authorized)
    try host.set(.wallpapers, .authorized, .addOnly)
    try disk.fill()
    let denied = try host.albumctl("deny", AppDescription.wallpapers.id, "--level", "addOnly")
    #expect(denied.status == 0 && !denied.output.contains("could not write"), "\(denied.output)")
    let reset = try host.albumctl("reset", AppDescription.wallpapers.id, "--level", "readWrite")
    #expect(reset.status == 0)
    #expect(try app.status() == .notDetermined && app.status(.addOnly) == .denied)
    try host.daemon.kill()
    try disk.empty()
    try host.daemon.start()
    let again = try host.app().connect()
    #expect(try again.status() == .notDetermined && again.status(.addOnly) == .denied)
  }

  @Test(
    "S29: where even that room is taken, it counts, its owner is told, and it is written when there is room",
    .enabled(if: SmallDisk.isPossible, "mounting a tmpfs is not permitted"))
  func revocationsWithoutRoom() throws {
    let library = try TemporaryLibrary()
    let disk = try SmallDisk(at: library.state, kilobytes: 4096)
    let host = try Host(library)
    let app = try host.app().connect()
    try host.set(.wallpapers, .authorized)
    let agent = try host.agent()
    try app.beginRequest(.addOnly)
    let prompt = try agent.prompt()
    unlink("\(library.state)/registry.reserve")
    try disk.fill()
    let answered = try agent.answer(prompt, .deny)
    #expect(answered.stored == false && answered.reason?.contains("registry") == true)
    #expect(try app.requestReply().status == .denied)
    let denied = try host.albumctl("deny", AppDescription.wallpapers.id, "--level", "readWrite")
    #expect(denied.status == 0 && denied.output.contains("could not write it down yet"), "\(denied.output)")
    #expect(try app.status() == .denied)
    // What is given waits for it: it would be overtaken.
    #expect(try failure { try host.set(.wallpapers, .authorized) }.description.contains("registry"))
    #expect(try app.status() == .denied)
    try disk.empty()
    let deadline = Deadline.generous
    while !host.daemon.log.contains("is on disk now") {
      if deadline.hasPassed { throw DaemonProcess.Failure("the denial is not on disk:\n\(host.daemon.log)") }
      try app.roundTrip()
    }
    try host.daemon.kill()
    try host.daemon.start()
    let again = try host.app().connect()
    #expect(try again.status() == .denied && again.status(.addOnly) == .denied)
  }

  @Test(
    "S30: what apps add leaves room where the state is",
    .enabled(if: SmallDisk.isPossible, "mounting a tmpfs is not permitted"))
  func additionsLeaveRoom() throws {
    let library = try TemporaryLibrary()
    let disk = try SmallDisk(at: library.state, kilobytes: 4096)
    library.options.append("limits: {reserveBytes: 2097152}")
    let host = try Host(library)
    try host.set(.wallpapers, .authorized, .addOnly)
    let app = try host.app().connect()
    #expect(try add("a.jpg", by: app, host).ids.count == 1)
    try disk.fill()
    #expect(try failure { _ = try add("b.jpg", by: app, host) }.name == LibraryInterface.NoSpace.name)
    try disk.empty()
    #expect(try add("c.jpg", by: app, host).ids.count == 1)
  }

  @Test(
    "S33: what apps overwrite leaves it as well, and what could not be changed is as it was",
    .enabled(if: SmallDisk.isPossible, "mounting a tmpfs is not permitted"))
  func replacementsLeaveRoom() throws {
    let library = try TemporaryLibrary()
    let disk = try SmallDisk(at: library.state, kilobytes: 4096)
    library.options.append("limits: {reserveBytes: 2097152}")
    try library.add("a.jpg", Photo.jpeg("a"))
    let host = try Host(library)
    let owner = try host.owner()
    let asset = try owner.asset("a.jpg")
    try disk.fill()
    let path = try library.add("../new.jpg", Photo.jpeg("another"))
    func replace() throws -> LibraryInterface.ReplaceAsset.Reply {
      let batch = DescriptorBatch()
      let index = batch.append(
        try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC), call: "open", subject: path))
      return try owner.call(
        LibraryInterface.ReplaceAsset.self, .init(id: asset.id, fileDescriptor: index), descriptors: batch)
    }
    #expect(try failure { _ = try replace() }.name == LibraryInterface.NoSpace.name)
    #expect(try owner.asset("a.jpg") == asset)
    try disk.empty()
    #expect(try replace().asset.byteCount != asset.byteCount)
  }

  @Test(
    "an album that cannot be written down is NoSpace, and none",
    .enabled(if: SmallDisk.isPossible, "mounting a tmpfs is not permitted"))
  func albumWithoutRoom() throws {
    let library = try TemporaryLibrary()
    let disk = try SmallDisk(at: library.state, kilobytes: 4096)
    let host = try Host(library)
    let owner = try host.owner()
    try disk.fill()
    var refused: RemoteError?
    // What is put off has some room of its own.
    for number in 0..<5000 where refused == nil {
      do { try owner.call(LibraryInterface.CreateAlbum.self, .init(title: "a\(number)", parent: nil)) } catch
      {
        refused = try failure { throw error }
      }
    }
    #expect(refused?.name == LibraryInterface.NoSpace.name, "\(String(describing: refused))")
    #expect(
      try failure { try owner.call(LibraryInterface.CreateAlbum.self, .init(title: "b", parent: nil)) }.name
        == LibraryInterface.NoSpace.name)
    #expect(access("\(library.photos)/b", F_OK) != 0)
    try disk.empty()
  }

  private func add(
    _ name: String, by app: Connection, _ host: Host
  ) throws -> LibraryInterface.AddAssets.Reply {
    let path = try host.library.add("../\(name)", Photo.jpeg(name))
    let batch = DescriptorBatch()
    let source = try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC), call: "open", subject: path)
    let item = LibraryInterface.AddItem(fileDescriptor: batch.append(source), filename: name)
    return try app.call(LibraryInterface.AddAssets.self, .init(items: [item]), descriptors: batch)
  }

  @Test(
    "S42: what cannot be written to the journal is told when there is room again",
    .enabled(if: SmallDisk.isPossible, "mounting a tmpfs is not permitted"))
  func journal() throws {
    let library = try TemporaryLibrary()
    let disk = try SmallDisk(at: library.state, kilobytes: 4096)
    let host = try Host(library)
    let subscriber = try host.owner().subscribe()
    try disk.fill()
    for number in 0..<500 { try host.library.add("p\(number).jpg") }
    try host.daemon.waitForStatus { $0.hasPrefix("degraded") }
    try host.connect().roundTrip()
    try disk.empty()
    let seen: Collected<LibraryInterface.Asset>
    do { seen = try subscriber.collect(500) } catch {
      throw DaemonProcess.Failure(
        "\(error); the daemon is \(host.daemon.status) and said:\n\(host.daemon.log)")
    }
    #expect(Set(seen.inserted.map(\.filename)).count == 500)
    #expect(seen.count == 500)
    try host.daemon.waitForStatus { $0.hasPrefix("ready") }
  }

  @Test(
    "S27, S39: no album is shown that the journal does not tell of",
    .enabled(if: SmallDisk.isPossible, "mounting a tmpfs is not permitted"))
  func albums() throws {
    let library = try TemporaryLibrary()
    let disk = try SmallDisk(at: library.state, kilobytes: 4096)
    let host = try Host(library)
    let owner = try host.owner()
    let subscriber = try host.owner().subscribeToAlbums()
    try disk.fill()
    // In one directory that is moved in, so that they come in few batches.
    for number in 0..<2000 { try host.library.makeAlbum("../new/a\(number)") }
    try host.library.move("../new", to: "new")
    try host.daemon.waitForStatus { $0.hasPrefix("degraded") }
    let shown = Set(try owner.albums().map(\.id))
    var told: Set<String> = []
    try disk.empty()
    while told.count < 2001 { told.formUnion(try subscriber.next().inserted.map(\.id)) }
    #expect(shown.isSubset(of: told))
    #expect(Set(try owner.albums().map(\.id)) == told)
  }
}
