import AlbumAPI
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
