import AlbumAPI
import CLinux
import Foundation
import Glibc
import Linux
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@Suite("Adding", .blocking)
struct AddingTests {
  private typealias Item = LibraryInterface.AddItem

  /// A descriptor of a file with that content, as an app would have it.
  private func source(_ host: Host, _ content: [UInt8]) throws -> OwnedDescriptor {
    let path = try host.library.add("../source-\(UInt64.random(in: 0...UInt64.max))", content)
    return try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC), call: "open", subject: path)
  }

  @discardableResult
  private func add(
    _ connection: Connection, _ host: Host, _ files: [(String, [UInt8])], album: String? = nil
  ) throws -> LibraryInterface.AddAssets.Reply {
    let batch = DescriptorBatch()
    let items = try files.map { name, content in
      Item(fileDescriptor: batch.append(try source(host, content)), filename: name)
    }
    return try connection.call(
      LibraryInterface.AddAssets.self, .init(items: items, album: album), descriptors: batch)
  }

  private func saved(_ host: Host) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: host.library.path("Saved"))) ?? []).sorted()
  }

  @Test("S30, S86: what is added is whole, has an id, and is told to subscribers once")
  func adds() throws {
    let host = try Host()
    try host.set(.wallpapers, .authorized)
    let app = try host.app()
    let connection = try app.connect()
    let subscriber = try app.connect().subscribe()
    let reply = try add(connection, host, [("IMG_1.jpg", Photo.jpeg("new"))])
    #expect(reply.failures.isEmpty)
    #expect(try connection.content(of: try #require(reply.ids.first)) == Photo.jpeg("new"))
    #expect(try connection.asset("IMG_1.jpg").albums == [try connection.album("Saved").id])
    let seen = try subscriber.rest(in: host.library)
    #expect(seen.inserted.map(\.id) == reply.ids)
    #expect(seen.count == 1)
  }

  @Test("S2, S30: who may see photos may add, all or some, whatever became of adding alone; who may add, too")
  func rights() throws {
    let host = try Host()
    let app = try host.app().connect()
    try host.set(.wallpapers, .authorized, .addOnly)
    try add(app, host, [("1.jpg", Photo.jpeg("1"))])
    try host.set(.wallpapers, .denied, .addOnly)
    #expect(
      try failure { try add(app, host, [("no.jpg", Photo.jpeg("no"))]) }.name
        == LibraryInterface.NotAuthorized.name)
    for (number, status) in [(2, AuthorizationInterface.AuthorizationStatus.authorized), (3, .limited)] {
      try host.set(.wallpapers, status)
      try add(app, host, [("\(number).jpg", Photo.jpeg("\(number)"))])
    }
    #expect(try app.status(.addOnly) == .denied)
    #expect(saved(host) == ["1.jpg", "2.jpg", "3.jpg"])
  }

  @Test("S30: a name that exists gets a number")
  func numbered() throws {
    let host = try Host()
    try host.set(.wallpapers, .authorized)
    let app = try host.app().connect()
    for number in 1...3 { try add(app, host, [("IMG_1.jpg", Photo.jpeg("\(number)"))]) }
    #expect(saved(host) == ["IMG_1 (2).jpg", "IMG_1 (3).jpg", "IMG_1.jpg"])
    #expect(try app.content(of: app.asset("IMG_1.jpg").id) == Photo.jpeg("1"))
  }

  @Test("S47: without an album it goes to `saveTo` of the first root, made when needed; with one, there")
  func saveTo() throws {
    let host = try Host {
      try $0.makeAlbum("Trip")
      try $0.makeAlbum("../more")
      $0.moreRoots = [$0.path("../more")]
      $0.options = ["saveTo: From apps"]
    }
    let owner = try host.owner()
    #expect(try owner.albums().map(\.title) == ["Trip"])
    try add(owner, host, [("a.jpg", Photo.jpeg("a"))])
    let made = try owner.album("From apps")
    #expect(made.parent == nil)
    #expect(try owner.asset("a.jpg").albums == [made.id])
    #expect(FileManager.default.fileExists(atPath: host.library.path("From apps/a.jpg")))
    let trip = try owner.album("Trip").id
    try add(owner, host, [("b.jpg", Photo.jpeg("b"))], album: trip)
    #expect(try owner.asset("b.jpg").albums == [trip])
  }

  @Test("S30: without a right to add: NotAuthorized, and nothing appears")
  func notAuthorized() throws {
    let host = try Host()
    let app = try host.app().connect()
    let error = try failure { try add(app, host, [("a.jpg", Photo.jpeg())]) }
    #expect(error.typed(LibraryInterface.NotAuthorized.self)?.accessLevel == .addOnly)
    #expect(saved(host).isEmpty)
  }

  @Test("S32: an app that may only add gets a receipt that leads nowhere")
  func receipt() throws {
    let host = try Host()
    try host.set(.wallpapers, .authorized, .addOnly)
    let app = try host.app().connect()
    let receipt = try #require(try add(app, host, [("a.jpg", Photo.jpeg("a"))]).ids.first)
    #expect(saved(host) == ["a.jpg"])
    #expect(try failure { _ = try app.open(receipt) }.name == LibraryInterface.NotAuthorized.name)
    #expect(try failure { _ = try host.owner().open(receipt) }.name == LibraryInterface.NoSuchAsset.name)
    try host.set(.wallpapers, .authorized)
    #expect(try failure { _ = try app.open(receipt) }.name == LibraryInterface.NoSuchAsset.name)
  }

  @Test("S18: what a limited app adds joins its selection, for good")
  func limited() throws {
    let host = try Host { try $0.add("a.jpg") }
    let app = try host.app()
    let connection = try app.connect()
    try host.limit(connection, assets: [try host.owner().asset("a.jpg").id])
    let id = try #require(try add(connection, host, [("mine.jpg", Photo.jpeg("mine"))]).ids.first)
    #expect(try connection.content(of: id) == Photo.jpeg("mine"))
    #expect(try connection.assets().map(\.filename) == ["a.jpg", "mine.jpg"])
    try host.daemon.kill()
    try host.daemon.start()
    #expect(try app.connect().assets().map(\.filename) == ["a.jpg", "mine.jpg"])
  }

  @Test(
    "S16, S33: what a limited app adds is never paired with what it does not see, either way round",
    arguments: [("IMG_1.jpg", "IMG_1.mov"), ("IMG_1.mov", "IMG_1.jpg")])
  func besideHidden(hidden: String, name: String) throws {
    let host = try Host { try $0.add("Saved/\(hidden)", Photo.jpeg("hidden")) }
    let owner = try host.owner()
    let before = try owner.asset(hidden)
    let connection = try host.app().connect()
    try host.limit(connection)
    let content = name.hasSuffix("mov") ? Photo.mp4 : Photo.jpeg("mine")
    let id = try #require(try add(connection, host, [(name, content)]).ids.first)
    #expect(id != before.id)
    #expect(try connection.content(of: id) == content)
    #expect(try connection.assets().map(\.resources.count) == [1])
    #expect(try failure { _ = try connection.open(before.id) }.name == LibraryInterface.NoSuchAsset.name)
    #expect(try owner.asset(hidden) == before)
  }

  @Test("S31: what is no media is refused by its content, and the others of the batch are kept")
  func notMedia() throws {
    let host = try Host()
    let owner = try host.owner()
    let text = Array("#!/bin/sh\n".utf8)
    let error = try failure { try add(owner, host, [("script.jpg", text)]) }
    #expect(error.typed(LibraryInterface.NotMedia.self)?.item == 0)
    let reply = try add(owner, host, [("a.jpg", Photo.jpeg("a")), ("b.jpg", text), ("c.mp4", Photo.mp4)])
    #expect(reply.ids.count == 2)
    #expect(reply.failures.map(\.item) == [1])
    #expect(reply.failures.map(\.error) == [LibraryInterface.NotMedia.name])
    #expect(saved(host) == ["a.jpg", "c.mp4"])
  }

  @Test("S30, S31: a name without an extension of its content gets that, and then a number")
  func fittingNames() throws {
    let host = try Host()
    let owner = try host.owner()
    let files = [
      ("photo", Photo.jpeg("1")), ("photo", Photo.jpeg("2")), ("IMG.txt", Photo.jpeg("3")),
      ("a.jpg", Photo.mp4),
      ("b.mp4", Photo.jpeg("4")), ("c.png", Photo.jpeg("5")),
    ]
    let reply = try add(owner, host, files)
    #expect(reply.failures.isEmpty)
    let names = ["IMG.txt.jpg", "a.jpg.mp4", "b.mp4.jpg", "c.png", "photo (2).jpg", "photo.jpg"]
    #expect(saved(host) == names)
    for (id, file) in zip(reply.ids, files) { #expect(try owner.content(of: id) == file.1) }
    #expect(try owner.asset("a.jpg.mp4").mediaType == .video)
    #expect(try owner.asset("b.mp4.jpg").mediaType == .image)
    _ = try addLive(owner, host, Photo.jpeg("still"), Photo.mp4, name: "live")
    _ = try addLive(owner, host, Photo.jpeg("film"), Photo.mp4, name: "clip.mp4")
    let pairs = ["clip.mp4.jpg", "clip.mp4.mp4", "live.jpg", "live.mp4"]
    #expect(saved(host) == names.prefix(4) + pairs + names.suffix(2))
    #expect(try owner.asset("clip.mp4.jpg").mediaType == .livePhoto)
  }

  @Test(
    "names that lead elsewhere or would hide are refused",
    arguments: ["../a.jpg", "/tmp/a.jpg", ".a.jpg", "..", "", "a/b.jpg", "a/b", ".a"])
  func names(name: String) throws {
    let host = try Host()
    let owner = try host.owner()
    let error = try failure { try add(owner, host, [(name, Photo.jpeg())]) }
    #expect(error.typed(InvalidParameter.self)?.parameter == "items[0].filename")
    #expect(saved(host).isEmpty)
  }

  @Test("larger than the configuration allows: TooLarge, and nothing stays")
  func tooLarge() throws {
    let host = try Host { $0.options = ["limits: {addBytes: 1000}"] }
    let owner = try host.owner()
    let large = Photo.jpeg() + [UInt8](repeating: 0, count: 1000)
    let error = try failure { try add(owner, host, [("a.jpg", large)]) }
    #expect(error.typed(LibraryInterface.TooLarge.self)?.limit == 1000)
    #expect(saved(host).isEmpty)
  }

  @Test("descriptors of directories and pipes are refused, and none stays open")
  func descriptors() throws {
    let host = try Host()
    let owner = try host.owner()
    try add(owner, host, [("first.jpg", Photo.jpeg())])
    let before = host.daemon.descriptors
    #expect(mkfifo(host.library.path("../pipe"), 0o644) == 0)
    for path in ["/tmp", host.library.path("../pipe")] {
      let batch = DescriptorBatch()
      _ = batch.append(
        try OwnedDescriptor(open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), call: "open", subject: path))
      let error = try failure {
        try owner.call(
          LibraryInterface.AddAssets.self, .init(items: [.init(fileDescriptor: 0, filename: "a.jpg")]),
          descriptors: batch)
      }
      #expect(error.name == LibraryInterface.InvalidFileDescriptor.name)
    }
    // An index without a descriptor.
    let error = try failure {
      try owner.call(
        LibraryInterface.AddAssets.self, .init(items: [.init(fileDescriptor: 0, filename: "a.jpg")]))
    }
    #expect(error.typed(InvalidParameter.self)?.parameter == "fileDescriptor")
    try host.daemon.waitForDescriptors(before, owner)
  }

  private func addLive(
    _ connection: Connection, _ host: Host, _ still: [UInt8], _ movie: [UInt8], name: String = "IMG_1.HEIC"
  ) throws -> String? {
    let batch = DescriptorBatch()
    let movie = batch.append(try source(host, movie))
    let item = Item(
      fileDescriptor: batch.append(try source(host, still)), filename: name, pairedVideoFileDescriptor: movie)
    return try connection.call(LibraryInterface.AddAssets.self, .init(items: [item]), descriptors: batch).ids
      .first
  }

  @Test("S31: a live photo is two files and one asset; both can be opened, and are deleted together")
  func livePhoto() throws {
    let host = try Host()
    try host.set(.wallpapers, .authorized)
    let app = try host.app()
    let connection = try app.connect()
    let id = try #require(try addLive(connection, host, Photo.jpeg("still"), Photo.mp4))
    #expect(saved(host) == ["IMG_1.HEIC", "IMG_1.mp4"])
    let asset = try connection.asset("IMG_1.HEIC")
    #expect(asset.id == id && asset.mediaType == .livePhoto && asset.resources == [.photo, .pairedVideo])
    #expect(try connection.assets(.init(mediaTypes: [.livePhoto])).map(\.id) == [id])
    #expect(try connection.assets(.init(mediaTypes: [.image, .video])).isEmpty)
    #expect(try connection.info().assetCount == 1 && connection.album("Saved").assetCount == 1)
    #expect(try connection.content(of: id) == Photo.jpeg("still"))
    try connection.begin(LibraryInterface.OpenAsset.self, .init(id: id, resource: .pairedVideo))
    let answer = try connection.receive()
    let opened = try answer.decoded(LibraryInterface.OpenAsset.self)
    #expect(try answer.descriptors.take(opened.fileDescriptor)?.readAll() == Photo.mp4)
    #expect(opened.pairedVideoExtension == "mp4")
    // Again: both names get the number.
    _ = try addLive(connection, host, Photo.jpeg("second"), Photo.mp4)
    #expect(saved(host) == ["IMG_1 (2).HEIC", "IMG_1 (2).mp4", "IMG_1.HEIC", "IMG_1.mp4"])

    let owner = try host.owner()
    #expect(try owner.call(LibraryInterface.DeleteAssets.self, .init(ids: [id])).deleted == [id])
    #expect(saved(host) == ["IMG_1 (2).HEIC", "IMG_1 (2).mp4"])
    #expect(try owner.call(ManagerInterface.RestoreDeleted.self, .init(ids: [id])).restored == [id])
    #expect(try connection.asset("IMG_1.HEIC").mediaType == .livePhoto)
  }

  @Test("S30, S31: where one file of a live photo is refused, neither appears")
  func brokenLivePhoto() throws {
    let host = try Host()
    let owner = try host.owner()
    let text = Array("#!/bin/sh\n".utf8)
    for (still, movie) in [
      (Photo.jpeg(), text), (text, Photo.mp4), (Photo.jpeg(), Photo.jpeg()), (Photo.mp4, Photo.mp4),
    ] {
      let error = try failure { _ = try addLive(owner, host, still, movie) }
      #expect(error.typed(LibraryInterface.NotMedia.self)?.item == 0)
    }
    #expect(saved(host).isEmpty)
  }

  @Test("S30: killed in the middle of copying, the daemon leaves no half file")
  func killed() throws {
    let host = try Host { try $0.makeAlbum("Saved") }
    // Of another file system: it is copied part by part.
    let source = try OwnedDescriptor(linux_memory_file(), call: "memfd_create")
    try source.write(Photo.jpeg())
    try #require(ftruncate(source.number, 1 << 30) == 0)
    let batch = DescriptorBatch()
    let item = Item(fileDescriptor: batch.append(source), filename: "a.jpg")
    let owner = try host.owner()
    try owner.send(try Call(LibraryInterface.AddAssets.self, .init(items: [item])), descriptors: batch)
    let deadline = Deadline.generous
    while host.daemon.unnamedBytes == 0, saved(host).isEmpty, !deadline.hasPassed { sched_yield() }
    #expect(!deadline.hasPassed, "it copies")
    // Nor does it stop because its peer has gone.
    try withExtendedLifetime(owner) { try host.daemon.kill() }
    #expect(saved(host).isEmpty, "it was killed before the copy had its name")
    try host.daemon.start()
    #expect(try host.owner().assets().isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: host.library.path("Saved")).isEmpty)
  }
}
