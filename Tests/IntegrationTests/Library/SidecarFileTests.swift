import AlbumAPI
import CLinux
import Foundation
import Linux
import TestSupport
import Testing
import Varlink

@Suite("Sidecars, by whoever asks (S78, S79)", .blocking)
struct SidecarFileTests {
  private typealias Open = LibraryInterface.OpenAsset

  private static let packet = """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="33,51.4S"
      xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="5"/></rdf:RDF></x:xmpmeta>
    <?xpacket end="w"?>
    """
  private let adjustment = Array(#"<?xml version="1.0"?><!DOCTYPE plist><plist version="1.0"/>"#.utf8)

  private func host() throws -> Host {
    let host = try Host {
      try $0.add("Trip/a.jpg", Photo.jpeg("a"))
      try $0.add("Trip/a.jpg.xmp", Array(Self.packet.utf8))
      try $0.add("Trip/a.AAE", adjustment)
      try $0.makeAlbum("../out")
      try $0.describe(.map)
    }
    return host
  }

  /// Adds `a.jpg`, and sidecars of it.
  private func add(
    _ connection: Connection, _ host: Host, _ sidecars: [(String, [UInt8])], named name: String = "a.jpg"
  ) throws -> LibraryInterface.AddAssets.Reply {
    let batch = DescriptorBatch()
    func send(_ content: [UInt8]) throws -> Int {
      let file = try OwnedDescriptor(linux_memory_file(), call: "memfd_create")
      try file.write(content)
      return batch.append(file)
    }
    let photo = try send(Photo.jpeg("new"))
    let item = LibraryInterface.AddItem(
      fileDescriptor: photo, filename: name,
      sidecars: try sidecars.map { .init(fileDescriptor: try send($1), sidecarExtension: $0) })
    return try connection.call(LibraryInterface.AddAssets.self, .init(items: [item]), descriptors: batch)
  }

  @Test("S31, S79: sidecars are added with their photo, under its name and number, and told with it")
  func added() throws {
    let host = try host()
    try host.set(.map, .limited, location: true)
    let app = try host.app(.map)
    let (connection, subscriber) = (try app.connect(), try app.connect().subscribe())
    let packet = Array(Self.packet.utf8)
    let brought = [("AAE", adjustment), ("jpg.xmp", packet), ("xmp", [])]
    for stem in ["a", "a (2)"] {
      let id = try #require(try add(connection, host, brought).ids.first)
      let asset = try connection.asset("\(stem).jpg")
      #expect(asset.id == id && asset.resources == [.photo, .sidecar, .sidecar, .sidecar])
      for (number, sidecar) in brought.enumerated() {
        #expect(try content(connection, id, number) == sidecar)
      }
      #expect(
        ["", ".jpg"].map {
          FileManager.default.contents(atPath: host.library.path("Saved/\(stem)\($0).xmp"))
        }
          == [Data(), Data(packet)])
    }
    let seen = try subscriber.collect(2)
    #expect(seen.inserted.map(\.resources.count) == [4, 4] && seen.count == 2)
  }

  @Test("S16, S31: where something hidden has the name, all that is added gets a number")
  func addedBesideHidden() throws {
    let host = try Host {
      try $0.add("Saved/a.jpg", Photo.jpeg("hidden"))
      try $0.add("Saved/b.xmp", [1])
      try $0.add("Saved/c.dng", Photo.jpeg("raw"))
      try $0.add("Saved/d.dng", Photo.jpeg("raw"))
      try $0.add("Saved/d.xmp", [2])
    }
    let before = try host.owner().asset("a.jpg")
    let connection = try host.app().connect()
    try host.limit(connection)
    for name in ["a.jpg", "b.jpg", "c.jpg"] { _ = try add(connection, host, [("xmp", [3])], named: name) }
    // What gets no number would have the RAW that is there (S99).
    _ = try add(connection, host, [("jpg.xmp", [4])], named: "d.jpg")
    #expect(
      try connection.assets().map { "\($0.filename) \($0.resources.count)" }.sorted()
        == ["a (2).jpg 2", "b (2).jpg 2", "c (2).jpg 2", "d (2).jpg 2"])
    #expect(try host.owner().asset("a.jpg") == before)
    #expect(try host.owner().asset("d.dng").resources == [.photo, .sidecar])
  }

  @Test(
    "S31: what is no sidecar, is one too many, or comes twice is refused with its photo",
    arguments: [
      ["jpg"], [""], ["xmp", "xmp"], ["png.xmp"], ["../a.xmp"], [".xmp"], ["a.jpg.xmp"], ["jpg/../xmp"],
      (0..<49).map { "\($0).xmp" },
    ])
  func refusedSidecars(endings: [String]) throws {
    let host = try host()
    let owner = try host.owner()
    let error = try failure { _ = try add(owner, host, endings.map { ($0, [1]) }) }
    #expect(error.typed(InvalidParameter.self)?.parameter == "items[0].sidecars")
    #expect(saved(host).isEmpty)
  }

  private func saved(_ host: Host) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: host.library.path("Saved"))) ?? []
  }

  @Test("S31: all 48 that a photo can have are taken; none of more than 32 MiB, nor without room")
  func bounds() throws {
    let host = try host()
    let owner = try host.owner()
    let cases = ["xmp", "aae", "thm"].flatMap { word in
      (0..<8).map { bits in
        String(word.enumerated().map { bits & 1 << $0 == 0 ? $1 : Character($1.uppercased()) })
      }
    }
    _ = try add(owner, host, cases.map { ($0, [1]) } + cases.map { ("jpg.\($0)", [2]) })
    #expect(try owner.assets().map(\.resources.count).max() == 49)
    let large = try failure {
      _ = try add(owner, host, [("xmp", [UInt8](repeating: 32, count: 32 << 20 + 1))], named: "b.jpg")
    }
    #expect(large.typed(LibraryInterface.TooLarge.self) == .init(item: 0, limit: 32 << 20))
    let long = try failure {
      _ = try add(owner, host, [("jpg.xmp", [1])], named: String(repeating: "n", count: 243) + ".jpg")
    }
    #expect(long.typed(InvalidParameter.self)?.parameter == "items[0].filename")
    #expect(!saved(host).contains { $0.hasPrefix("b") || $0.hasPrefix("n") })
  }

  @Test("S31: albumctl save adds the sidecars among its files, and export gives them back")
  func savedByCommand() throws {
    let host = try host()
    try host.set(.wallpapers, .authorized)
    for (name, content) in [("b.jpg", Photo.jpeg("b")), ("b.xmp", [1]), ("b.jpg.aae", [2]), ("c.xmp", [3])] {
      try host.library.add("../files/\(name)", content)
    }
    func save(_ names: String...) throws -> CommandOutcome {
      try host.albumctl(["save"] + names.map { host.library.path("../files/\($0)") }, as: .wallpapers)
    }
    let saved = try save("b.jpg", "b.jpg.aae", "b.xmp")
    #expect(saved.status == 0 && saved.lines.count == 1)
    let id = try #require(saved.words.first)
    let exported = try host.albumctl(["export", id, host.library.path("../out"), "--owner"])
    #expect(exported.status == 0)
    for (name, content) in [("b.xmp", [UInt8(1)]), ("b.jpg.aae", [2])] {
      #expect(FileManager.default.contents(atPath: host.library.path("../out/\(name)")) == Data(content))
    }
    let alone = try save("b.jpg", "c.xmp")
    #expect(alone.status == 2 && alone.output.contains("c.xmp: the photo"))
  }

  private func content(_ connection: Connection, _ id: String, _ number: Int?) throws -> (String?, [UInt8]) {
    try connection.begin(Open.self, .init(id: id, resource: .sidecar, sidecar: number))
    let answer = try connection.receive()
    let reply = try answer.decoded(Open.self)
    guard let file = answer.descriptors.take(reply.fileDescriptor) else {
      throw DaemonProcess.Failure("no descriptor came")
    }
    return (reply.sidecarExtension, try file.readAll())
  }

  @Test("S78: listed with the asset, opened one by one, told when they come and change")
  func opened() throws {
    let host = try host()
    let owner = try host.owner()
    let asset = try owner.asset("a.jpg")
    #expect(asset.resources == [.photo, .sidecar, .sidecar])
    #expect(try owner.assets().count == 1)
    #expect(try content(owner, asset.id, nil) == ("AAE", adjustment))
    #expect(try content(owner, asset.id, 1) == ("jpg.xmp", Array(Self.packet.utf8)))
    for number in [2, -1, Int.max] {
      let error = try failure { _ = try content(owner, asset.id, number) }
      #expect(error.typed(LibraryInterface.NoSuchResource.self) == .init(id: asset.id, resource: .sidecar))
    }
    let subscriber = try host.owner().subscribe()
    try host.library.add("Trip/a.thm", Photo.jpeg("small"))
    let change = try #require(try subscriber.collect(1).changed.first)
    #expect(change.id == asset.id && change.contentChanged)
    #expect(change.asset?.resources == [.photo, .sidecar, .sidecar, .sidecar])
  }

  @Test("S79: who has no location gets an XMP sidecar without the place, and none that cannot be followed")
  func placeless() throws {
    let host = try host()
    try host.set(.map, .authorized)
    let app = try host.app(.map).connect()
    let id = try app.asset("a.jpg").id
    let text = String(decoding: try content(app, id, 1).1, as: UTF8.self)
    #expect(text.utf8.count == Self.packet.utf8.count)
    #expect(!text.contains("GPS") && !text.contains("33,51") && text.contains(#"xmp:Rating="5""#))
    let error = try failure { _ = try content(app, id, 0) }
    #expect(error.typed(LibraryInterface.LocationCannotBeRemoved.self) == .init(id: id))
    try host.set(.map, .authorized, location: true)
    #expect(try content(app, id, 1).1 == Array(Self.packet.utf8))
    #expect(try content(app, id, 0).1 == adjustment)
  }

  @Test("S16, S79: of a photo that a limited app does not see, it opens no sidecar")
  func limited() throws {
    let host = try host()
    let id = try host.owner().asset("a.jpg").id
    try host.set(.map, .limited, location: true)
    let app = try host.app(.map).connect()
    let error = try failure { _ = try content(app, id, 0) }
    #expect(error.name == LibraryInterface.NoSuchAsset.name)
  }

  @Test("S78, S79: albumctl opens any of them, and export writes them beside the photo")
  func commands() throws {
    let host = try host()
    let id = try host.owner().asset("a.jpg").id
    let out = host.library.path("../out")
    func saved(_ name: String) throws -> [UInt8] {
      [UInt8](try Data(contentsOf: URL(filePath: "\(out)/\(name)")))
    }
    for (options, expected) in [([], adjustment), (["--number", "2"], Array(Self.packet.utf8))] {
      let opened = try host.albumctl(
        ["open", id, "--owner", "--resource", "sidecar", "-o", "\(out)/one"] + options)
      #expect(opened.status == 0, "\(opened.output)")
      #expect(try saved("one") == expected)
    }
    #expect(
      try host.albumctl(["open", id, "--owner", "--resource", "sidecar", "--number", "3", "-o", "\(out)/one"])
        .status != 0)
    for _ in 0..<2 { #expect(try host.albumctl(["export", id, out, "--owner"]).status == 0) }
    for stem in ["a", "a (2)"] {
      #expect(try saved("\(stem).jpg") == Photo.jpeg("a") && saved("\(stem).AAE") == adjustment)
      #expect(try saved("\(stem).jpg.xmp") == Array(Self.packet.utf8))
    }
  }
}
