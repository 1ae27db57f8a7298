import AlbumAPI
import Glibc
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@Suite("Hashes of content", .blocking, .timeLimit(.minutes(30)))
struct ContentHashTests {
  private static let photo = TakenPhoto(time: "2024:05:01 12:30:15", offset: "+02:00", place: (48, 16)).bytes
  /// SHA-256 of `abc` (FIPS 180-2, appendix B).
  private static let abc = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

  private func host(_ prepare: (TemporaryLibrary) throws -> Void = { _ in }) throws -> Host {
    try Host {
      $0.hashes = true
      try prepare($0)
    }
  }

  /// Waits until all is hashed.
  private func hashed(_ connection: Connection) throws {
    let deadline = Deadline.generous
    while case let info = try connection.info(), info.unhashed != 0 || info.state == .scanning {
      if deadline.hasPassed { throw Deadline.Passed(what: "hashes") }
      usleep(10_000)
    }
  }

  @Test("S96: what is there is hashed behind, told as changed and not as new content, and found by its hash")
  func behind() throws {
    let host = try host()
    let owner = try host.owner()
    let subscriber = try Subscriber<LibraryInterface.Asset>(try host.owner(), .init())
    try host.library.add("a.jpg", Array("abc".utf8))
    let told = try #require(
      try subscriber.collect { $0.changed.contains { $0.asset?.contentHash != nil } }.changed.last)
    #expect(!told.contentChanged && told.asset?.contentHash == Self.abc)
    try host.library.add("b/c.jpg", Array("abc".utf8))
    try host.library.add("d.jpg", Array("other".utf8))
    try hashed(owner)
    #expect(try owner.asset("a.jpg") == told.asset)
    let found = try owner.assets(.init(sort: .filename, contentHashes: [Self.abc]))
    #expect(found.map(\.filename) == ["a.jpg", "c.jpg"])
    #expect(try owner.assets(.init(contentHashes: [])).isEmpty)
    let nobodys = "sha256:" + String(repeating: "0", count: 64)
    #expect(try owner.assets(.init(contentHashes: [nobodys])).isEmpty)
  }

  @Test("S96: other content drops the hash with the change that tells of it; a restart keeps what is known")
  func dropped() throws {
    let host = try host()
    let owner = try host.owner()
    try host.library.add("a.jpg", Array("abc".utf8))
    try host.library.add("b.jpg", Array("b".utf8))
    try hashed(owner)
    let subscriber = try Subscriber<LibraryInterface.Asset>(try host.owner(), .init())
    try host.library.add("a.jpg", Array("other".utf8))
    let dropped = try #require(
      try subscriber.collect { !$0.changed.isEmpty || !$0.inserted.isEmpty }.changed.first)
    #expect(dropped.contentChanged && dropped.asset?.contentHash == nil)
    let again = try #require(
      try subscriber.collect { $0.changed.contains { $0.asset?.contentHash != nil } }.changed.last)
    #expect(!again.contentChanged && again.asset?.contentHash != Self.abc)
    try host.daemon.restart()
    let after = try host.owner()
    #expect(try after.info().unhashed == 0)
    #expect(try after.asset("a.jpg") == again.asset && after.asset("b.jpg").contentHash != nil)
  }

  @Test(
    "S26, S96: who comes back with a token is told the hash that came meanwhile, and ends with what is fetched"
  )
  func followed() throws {
    let host = try host()
    let owner = try host.owner()
    let token = try owner.info().token
    try host.library.add("a.jpg", Array("abc".utf8))
    try hashed(owner)
    let subscriber = try Subscriber<LibraryInterface.Asset>(try host.owner(), .init(since: token))
    let all = try subscriber.collect { $0.changed.contains { $0.asset?.contentHash != nil } }
    #expect(all.changed.last?.asset == (try owner.asset("a.jpg")))
  }

  @Test("S55, S57, S96: who is not told where pictures were taken is told no hash, and finds nothing by one")
  func location() throws {
    let host = try host { try $0.describe(.map) }
    try host.library.add("a.jpg", Self.photo)
    let owner = try host.owner()
    try hashed(owner)
    let hash = try #require(try owner.asset("a.jpg").contentHash)
    try host.set(.map, .authorized, location: false)
    let app = try host.app(.map).connect()
    #expect(try app.asset("a.jpg").contentHash == nil)
    #expect(try app.info().unhashed == 0)
    for guess in [hash, Self.abc] {
      #expect(
        try failure { _ = try app.assets(.init(contentHashes: [guess])) }.name == InvalidParameter.name)
    }
    #expect(
      try app.call(LibraryInterface.OpenAsset.self, .init(id: app.asset("a.jpg").id)).asset.contentHash == nil
    )
    // Nor by a subscription.
    let subscriber = try Subscriber<LibraryInterface.Asset>(try host.app(.map).connect(), .init())
    try host.library.add("b.jpg", Array("abc".utf8))
    let told = try subscriber.collect { $0.changed.count + $0.inserted.count >= 2 }
    #expect(told.changed.allSatisfy { $0.asset?.contentHash == nil })
    try host.set(.map, .authorized, location: true)
    #expect(try app.asset("a.jpg").contentHash == hash)
    #expect(try app.assets(.init(contentHashes: [hash])).map(\.filename) == ["a.jpg"])
  }

  @Test(
    "S16, S96: a limited app finds by a hash what it sees, and nothing else; nor does it learn how much there is"
  )
  func limited() throws {
    let host = try host { try $0.describe(.map) }
    for name in ["a.jpg", "b.jpg"] { try host.library.add(name, Array("abc".utf8)) }
    let owner = try host.owner()
    try hashed(owner)
    let app = try host.app(.map).connect()
    try host.limit(app, assets: [try owner.asset("a.jpg").id])
    try host.connect().call(
      ManagerInterface.SetLocation.self, .init(appId: AppDescription.map.id, location: true))
    let page = try app.call(LibraryInterface.FetchAssets.self, .init(contentHashes: [Self.abc]))
    #expect(page.assets.map(\.filename) == ["a.jpg"] && page.total == 1)
    #expect(page.assets.first?.contentHash == Self.abc)
    #expect(try app.info().unhashed == nil)
  }

  @Test("S96: what is no hash is refused, and more than a thousand of them")
  func bounds() throws {
    let host = try host()
    let owner = try host.owner()
    let many = (0..<1001).map { number in
      let digits = String(number, radix: 16)
      return "sha256:" + String(repeating: "0", count: 64 - digits.count) + digits
    }
    #expect(try owner.assets(.init(contentHashes: Array(many.prefix(1000)))).isEmpty)
    for bad in [many, ["sha256:"], [""], [Self.abc.uppercased()], [Self.abc, "md5:0"], [Self.abc + "0"]] {
      #expect(
        try failure { _ = try owner.assets(.init(contentHashes: bad)) }.name == InvalidParameter.name)
    }
  }

  @Test("S96: where the configuration wants none, nothing is hashed")
  func off() throws {
    let host = try Host()
    try host.library.add("a.jpg", Array("abc".utf8))
    let owner = try host.owner()
    try owner.waitUntilDescribed(.generous)
    #expect(try owner.info().unhashed == nil && owner.asset("a.jpg").contentHash == nil)
  }

  @Test("S96: albumctl shows the hash, and lists by it")
  func command() throws {
    let host = try host()
    for name in ["a.jpg", "b.jpg"] { try host.library.add(name, Array("abc".utf8)) }
    try host.library.add("c.jpg", Array("other".utf8))
    let owner = try host.owner()
    try hashed(owner)
    let listed = try host.albumctl("assets", "--owner", "--hash", Self.abc, "--json")
    #expect(listed.status == 0 && listed.output.split(separator: "\n").count == 2)
    #expect(listed.output.contains("\"contentHash\":\"\(Self.abc)\""))
    let repeated = try host.albumctl("duplicates", "--owner")
    #expect(repeated.status == 0 && repeated.output.contains("a.jpg") && repeated.output.contains("b.jpg"))
    #expect(!repeated.output.contains("c.jpg"))
    let groups = try host.albumctl("duplicates", "--owner", "--json").output.split(separator: "\n")
    #expect(groups.count == 1 && groups[0].contains("\"contentHash\":\"\(Self.abc)\""))
    try host.library.remove("a.jpg")
    let deadline = Deadline.generous
    while try owner.info().assetCount > 2, !deadline.hasPassed {}
    #expect(try host.albumctl("duplicates", "--owner").output.contains("There are no duplicates."))
    let described = try host.albumctl("describe", "--owner", try owner.asset("b.jpg").id)
    #expect(described.status == 0 && described.output.contains(Self.abc))
  }
}
