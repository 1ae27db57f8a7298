import AlbumAPI
import AlbumClient
import Foundation
import Glibc
import Linux
import TestSupport
import Testing

@Suite("Dates survive (S72)", .blocking, .timeLimit(.minutes(30)))
struct DateTests {
  /// A day in 2008.
  private static let old = Instant(microseconds: 1_208_000_000_000_000)
  private static let older = Instant(microseconds: 1_100_000_000_123_456)

  /// A file whose content last changed then.
  private func file(_ host: Host, _ name: String, at time: Instant = old) throws -> String {
    let path = try host.library.add("../\(name)", Photo.jpeg(name))
    let seconds = time.microseconds / 1_000_000
    let times = [
      timespec(tv_sec: Int(seconds), tv_nsec: 0),
      timespec(tv_sec: Int(seconds), tv_nsec: Int(time.microseconds % 1_000_000) * 1000),
    ]
    try #require(utimensat(AT_FDCWD, path, times, 0) == 0)
    return path
  }

  private func modified(_ path: String) throws -> Instant {
    var facts = stat()
    try #require(stat(path, &facts) == 0)
    return Instant(
      microseconds: Int64(facts.st_mtim.tv_sec) * 1_000_000 + Int64(facts.st_mtim.tv_nsec) / 1000)
  }

  @Test("S72: a copy of a picture of 2008 is not of today")
  func kept() throws {
    let host = try Host { try $0.describeThisProcess() }
    try host.set(.client, .authorized)
    let connection = try AlbumConnection(socket: host.library.socket)
    let results = connection.save([MediaItem(.file(try file(host, "a.jpg")))])
    let id = try #require(try results.first?.get())
    let asset = try host.owner().asset("a.jpg")
    #expect(asset.id == id && asset.modified == Self.old && asset.created == Self.old)
    #expect(try modified(host.library.path("Saved/a.jpg")) == Self.old)
  }

  @Test("S72: the dates that an app names count, a time to come does not, and they stay after a restart")
  func named() throws {
    let host = try Host { try $0.describeThisProcess() }
    try host.set(.client, .authorized)
    let before = Instant(microseconds: Int64(Date.now.timeIntervalSince1970 * 1_000_000))
    let connection = try AlbumConnection(socket: host.library.socket)
    let future = Instant(microseconds: before.microseconds + 1_000_000_000_000)
    let results = connection.save([
      MediaItem(.bytes(Photo.jpeg("a")), named: "a.jpg", created: Self.older, modified: Self.old),
      MediaItem(.bytes(Photo.jpeg("b")), named: "b.jpg", modified: future),
      MediaItem(.bytes(Photo.jpeg("c")), named: "c.jpg", created: future, modified: Self.old),
      MediaItem(
        .file(try file(host, "d.jpg", at: future)), named: "d.jpg", created: Self.older),
      MediaItem(.bytes(Photo.jpeg("e")), named: "e.jpg", modified: Instant(microseconds: -1_000_000_500_000)),
    ])
    for result in results { _ = try result.get() }
    for isRestarted in [false, true] {
      if isRestarted {
        try host.daemon.stop()
        try host.daemon.start()
      }
      let owner = try host.owner()
      let a = try owner.asset("a.jpg")
      #expect(a.created == Self.older && a.modified == Self.old)
      let after = Instant(microseconds: Int64(Date.now.timeIntervalSince1970 * 1_000_000))
      let b = try owner.asset("b.jpg")
      #expect(b.modified <= after && b.modified.microseconds >= before.microseconds - 1_000_000)
      let c = try owner.asset("c.jpg")
      #expect(c.created == Self.old && c.modified == Self.old)
      let d = try owner.asset("d.jpg")
      #expect(d.created == Self.older && d.modified <= after)
      #expect(try owner.asset("e.jpg").modified == Instant(microseconds: -1_000_000_500_000))
    }
  }

  @Test("S72: the date that an app names is the photo's; the movie, RAW and sidecar beside it have their own")
  func ownDates() throws {
    let host = try Host { try $0.describeThisProcess() }
    try host.set(.client, .authorized)
    let connection = try AlbumConnection(socket: host.library.socket)
    let whole = Instant(microseconds: Self.older.microseconds / 1_000_000 * 1_000_000)
    let raw = try file(host, "r.dng", at: whole)
    let movie = try host.library.add(
      "../m.mov", [0, 0, 0, 20] + Array("ftypqt  ".utf8) + [0, 0, 0, 0] + Array("qt  ".utf8))
    try #require(
      utimensat(AT_FDCWD, movie, [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 2, tv_nsec: 0)], 0) == 0)
    let results = connection.save([
      MediaItem(.bytes(Photo.jpeg("r")), named: "r.jpg", modified: Self.old, alternatePhoto: .file(raw)),
      MediaItem(.bytes(Photo.jpeg("l")), named: "l.jpg", pairedVideo: .file(movie), modified: Self.old),
    ])
    for result in results { _ = try result.get() }
    #expect(try modified(host.library.path("Saved/r.jpg")) == Self.old)
    #expect(try modified(host.library.path("Saved/r.dng")) == whole)
    #expect(try modified(host.library.path("Saved/l.jpg")) == Self.old)
    #expect(try modified(host.library.path("Saved/l.mov")) == Instant(microseconds: 2_000_000))
    #expect(try host.owner().asset("l.jpg").modified == Self.old)
  }

  @Test("S72: what is written out has the time at which its content last changed: open, export, the library")
  func written() async throws {
    let host = try Host {
      try $0.describeThisProcess()
      try $0.makeAlbum("../out")
    }
    try host.set(.client, .authorized)
    let library = PhotoLibrary(socketPath: host.library.socket)
    let path = try file(host, "a.jpg")
    try await library.performChanges { $0.addPhoto(from: .file(path)) }
    let asset = try #require(try await library.fetchAssets().first)
    let out = host.library.path("../out")
    #expect(try host.albumctl("open", asset.id, "--owner", "-o", "\(out)/opened.jpg").status == 0)
    #expect(try host.albumctl("export", asset.id, out, "--owner").status == 0)
    try await library.writeData(for: asset, toFile: "\(out)/written.jpg")
    for name in ["opened.jpg", "a.jpg", "written.jpg"] {
      #expect(try modified("\(out)/\(name)") == Self.old, "\(name)")
      #expect(try [UInt8](Data(contentsOf: URL(filePath: "\(out)/\(name)"))) == Photo.jpeg("a.jpg"))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: out).count == 3)
    let error = await #expect(throws: AlbumError.self) {
      try await library.writeData(for: asset, toFile: "\(out)/no/where.jpg")
    }
    #expect(error?.code == .invalidFileDescriptor)
  }
}
