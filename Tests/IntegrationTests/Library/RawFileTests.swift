import AlbumAPI
import CLinux
import Foundation
import Linux
import TestSupport
import Testing
import Varlink

@Suite("RAW beside a photo, by whoever asks (S99)", .blocking)
struct RawFileTests {
  private typealias Open = LibraryInterface.OpenAsset
  private typealias Item = LibraryInterface.AddItem

  private static let raw = SmallTIFF.file(TakenFacts().raw())

  private func host() throws -> Host {
    let host = try Host {
      try $0.add("Trip/a.jpg", Photo.jpeg("a"))
      try $0.add("Trip/a.dng", Self.raw)
      try $0.makeAlbum("../out")
      try $0.describe(.map)
    }
    return host
  }

  private func content(_ connection: Connection, _ id: String) throws -> (ending: String?, bytes: [UInt8]) {
    try connection.begin(Open.self, .init(id: id, resource: .alternatePhoto))
    let answer = try connection.receive()
    let reply = try answer.decoded(Open.self)
    guard let file = answer.descriptors.take(reply.fileDescriptor) else {
      throw DaemonProcess.Failure("no descriptor came")
    }
    return (reply.alternatePhotoExtension, try file.readAll())
  }

  /// Adds a photo and its RAW as one.
  private func add(
    _ connection: Connection, _ photo: [UInt8], _ raw: [UInt8], _ ending: String?,
    named name: String = "a.jpg"
  ) throws -> [String] {
    let batch = DescriptorBatch()
    func send(_ content: [UInt8]) throws -> Int {
      let file = try OwnedDescriptor(linux_memory_file(), call: "memfd_create")
      try file.write(content)
      return batch.append(file)
    }
    let item = Item(
      fileDescriptor: try send(photo), filename: name, alternatePhotoFileDescriptor: try send(raw),
      alternatePhotoExtension: ending)
    return try connection.call(LibraryInterface.AddAssets.self, .init(items: [item]), descriptors: batch).ids
  }

  private func saved(_ host: Host) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: host.library.path("Saved"))) ?? []).sorted()
  }

  @Test(
    "S99: one asset with two files, each opened by itself; found as RAW, in fetches, counts and the smart album"
  )
  func opened() throws {
    let host = try host()
    let owner = try host.owner()
    let asset = try owner.asset("a.jpg")
    #expect(asset.resources == [.photo, .alternatePhoto] && asset.mediaType == .image)
    #expect(
      try owner.assets().count == 1 && owner.info().assetCount == 1 && owner.album("Trip").assetCount == 1)
    #expect(try owner.content(of: asset.id) == Photo.jpeg("a"))
    let raw = try content(owner, asset.id)
    #expect(raw.ending == "dng" && raw.bytes == Self.raw)
    #expect(try owner.assets(.init(subtypes: [.raw])).map(\.id) == [asset.id])
    #expect(try owner.assets(.init(albums: ["raw"])).map(\.id) == [asset.id])
    #expect(try owner.asset("a.jpg").subtypes?.contains(.raw) == true)

    let subscriber = try host.owner().subscribe()
    try FileManager.default.removeItem(atPath: host.library.path("Trip/a.dng"))
    let change = try #require(try subscriber.collect(1).changed.first)
    #expect(change.id == asset.id && change.contentChanged && change.asset?.resources == [.photo])
    let error = try failure { _ = try content(owner, asset.id) }
    #expect(
      error.typed(LibraryInterface.NoSuchResource.self) == .init(id: asset.id, resource: .alternatePhoto))
  }

  @Test(
    "S99, S33, S91: hidden, deleted and restored they go together; RAW says that it is hidden when it is alone"
  )
  func together() throws {
    let host = try host()
    let owner = try host.owner()
    let id = try owner.asset("a.jpg").id
    _ = try owner.call(LibraryInterface.SetHidden.self, .init(ids: [id], hidden: true))
    #expect(try owner.assets().isEmpty)
    #expect(try owner.call(LibraryInterface.DeleteAssets.self, .init(ids: [id])).deleted == [id])
    for name in ["a.jpg", "a.dng"] {
      #expect(!FileManager.default.fileExists(atPath: host.library.path("Trip/\(name)")))
    }
    #expect(try owner.call(ManagerInterface.RestoreDeleted.self, .init(ids: [id])).restored == [id])
    #expect(try content(owner, id).bytes == Self.raw && owner.assets().isEmpty)
    let subscriber = try host.owner().subscribe()
    try FileManager.default.removeItem(atPath: host.library.path("Trip/a.jpg"))
    try host.library.add("Trip/z.jpg", Photo.jpeg("z"))
    #expect(try subscriber.collect(1).inserted.map(\.filename) == ["z.jpg"])
    #expect(try owner.assets().map(\.filename) == ["z.jpg"])
  }

  @Test("S56, S99: who has no location gets RAW without the place, or none where it cannot be followed")
  func placeless() throws {
    let host = try host()
    try host.library.add("Trip/b.jpg", Photo.jpeg("b"))
    try host.library.add("Trip/b.x3f", Array("FOVb".utf8) + [UInt8](repeating: 7, count: 600))
    try host.set(.map, .authorized)
    let app = try host.app(.map).connect()
    let (a, b) = (try app.asset("a.jpg").id, try app.asset("b.jpg").id)
    let placeless = try content(app, a).bytes
    #expect(placeless.count == Self.raw.count && placeless != Self.raw)
    let error = try failure { _ = try content(app, b) }
    #expect(error.typed(LibraryInterface.LocationCannotBeRemoved.self) == .init(id: b))
    try host.set(.map, .authorized, location: true)
    #expect(try content(app, b).bytes.prefix(4) == Array("FOVb".utf8)[...])
  }

  @Test(
    "S16, S99: of a photo that a limited app does not see it opens no RAW, and what it adds is never a part of it"
  )
  func limited() throws {
    let host = try Host {
      try $0.add("Saved/a.jpg", Photo.jpeg("hidden"))
      try $0.add("Saved/b.cr3", Self.raw)
    }
    let id = try host.owner().asset("a.jpg").id
    let connection = try host.app().connect()
    try host.limit(connection)
    let error = try failure { _ = try content(connection, id) }
    #expect(error.name == LibraryInterface.NoSuchAsset.name)
    for name in ["b.jpg", "c.jpg"] { _ = try add(connection, Photo.jpeg(name), Self.raw, "dng", named: name) }
    #expect(
      saved(host) == ["a.jpg", "b (2).dng", "b (2).jpg", "b.cr3", "c.dng", "c.jpg"])
    #expect(try connection.assets().map(\.filename).sorted() == ["b (2).jpg", "c.jpg"])
    #expect(try host.owner().asset("a.jpg").resources == [.photo])
    #expect(try host.owner().asset("b.cr3").resources == [.photo])
  }

  @Test("S31, S99: a photo is added with its RAW, under one name and number, and told with it")
  func added() throws {
    let host = try host()
    try host.set(.wallpapers, .authorized)
    let connection = try host.app().connect()
    let id = try #require(try add(connection, Photo.jpeg("one"), Self.raw, "CR2").first)
    #expect(try connection.assets(.init(ids: [id])).first?.resources == [.photo, .alternatePhoto])
    _ = try add(connection, Photo.jpeg("two"), Self.raw, "CR2")
    #expect(saved(host) == ["a (2).CR2", "a (2).jpg", "a.CR2", "a.jpg"])
    #expect(try content(try host.owner(), id) == ("CR2", Self.raw))
  }

  @Test(
    "S31, S99: an extension that is none of RAW's, or none at all, is refused",
    arguments: ["jpg", "", "dng/", "../dng", "dng.dng", "xmp", nil])
  func refusedEndings(ending: String?) throws {
    let host = try host()
    let error = try failure { _ = try add(host.owner(), Photo.jpeg("a"), Self.raw, ending) }
    #expect(error.typed(InvalidParameter.self)?.parameter == "items[0].alternatePhotoExtension")
    #expect(saved(host).isEmpty)
  }

  @Test("S31, S99: what is no picture by its content is no RAW; RAW, and a film, have none")
  func refusedContent() throws {
    let host = try host()
    let owner = try host.owner()
    for (photo, raw, name) in [
      (Photo.jpeg("a"), Array("text".utf8), "a.jpg"), (Photo.jpeg("a"), Photo.mp4, "a.jpg"),
      (Self.raw, Self.raw, "a.dng"), (Photo.mp4, Self.raw, "a.mp4"),
    ] {
      let error = try failure { _ = try add(owner, photo, raw, "dng", named: name) }
      #expect(error.typed(LibraryInterface.NotMedia.self) == .init(item: 0), "\(name)")
    }
    #expect(saved(host).isEmpty)
  }

  @Test("S99: albumctl opens RAW, exports it beside its photo, and saves both as one")
  func commands() throws {
    let host = try host()
    let id = try host.owner().asset("a.jpg").id
    let out = host.library.path("../out")
    func file(_ name: String) -> Data? { FileManager.default.contents(atPath: "\(out)/\(name)") }
    let opened = try host.albumctl(
      ["open", id, "--owner", "--resource", "alternatePhoto", "-o", "\(out)/one"])
    #expect(opened.status == 0 && file("one") == Data(Self.raw), "\(opened.output)")
    for _ in 0..<2 { #expect(try host.albumctl(["export", id, out, "--owner"]).status == 0) }
    for stem in ["a", "a (2)"] {
      #expect(file("\(stem).jpg") == Data(Photo.jpeg("a")) && file("\(stem).dng") == Data(Self.raw))
    }
    try host.set(.wallpapers, .authorized)
    let saved = try host.albumctl(["save", "--raw", "\(out)/a.jpg", "\(out)/a.dng"], as: .wallpapers)
    #expect(saved.status == 0 && saved.lines.count == 1, "\(saved.output)")
    #expect(self.saved(host) == ["a.dng", "a.jpg"])
    let odd = try host.albumctl(["save", "--raw", "\(out)/a.jpg"], as: .wallpapers)
    #expect(odd.status == 2 && odd.output.contains("--raw takes a photo and its RAW each"))
  }
}
