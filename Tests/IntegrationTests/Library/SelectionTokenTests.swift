import AlbumAPI
import Foundation
import TestSupport
import Testing
import Varlink

@Suite("Tokens of limited apps, across restarts of app and daemon (S26)", .blocking)
struct SelectionTokenTests {
  private func host() throws -> Host {
    try Host {
      try $0.add("one.jpg", Photo.jpeg("one"))
      try $0.add("two.jpg", Photo.jpeg("two"))
      try $0.add("three.jpg", Photo.jpeg("three"))
      try $0.add("Trip/four.jpg", Photo.jpeg("four"))
    }
  }

  /// The ids of the three photos that are in no album.
  private func ids(_ host: Host) throws -> (one: String, two: String, three: String) {
    let owner = try host.owner()
    return (
      try owner.asset("one.jpg").id, try owner.asset("two.jpg").id, try owner.asset("three.jpg").id
    )
  }

  @Test(
    "S22, S26: what was selected while the app was away comes once and in order", arguments: [true, false])
  func away(_ isDaemonKilled: Bool) throws {
    let host = try host()
    let (one, two, three) = try ids(host)
    var app = try host.app()
    try host.limit(try app.connect(), assets: [one, two])
    let token = try app.connect().subscribe().token
    try app.end()

    try host.library.add("one.jpg", Photo.jpeg("one, again"))
    try host.select(.remove, assets: [two])
    try host.select(.add, assets: [three])
    if isDaemonKilled {
      try host.daemon.kill()
      try host.library.add("three.jpg", Photo.jpeg("three, again"))
      try host.daemon.start()
    } else {
      try host.library.add("three.jpg", Photo.jpeg("three, again"))
    }

    app = try host.app()
    let subscriber = try app.connect().subscribe(since: token)
    let told = try subscriber.collect { $0.changed.contains { $0.id == three } }
    #expect(told.inserted.map(\.id) == [three])
    #expect(told.removed == [two])
    #expect(told.changed.map(\.id) == [one, three])
    // From the newest token, nothing comes a second time.
    let again = try app.connect().subscribe(since: subscriber.token)
    try host.library.add("one.jpg", Photo.jpeg("one, once more"))
    #expect(try again.next().changed.map(\.id) == [one])
  }

  @Test("S22, S26: a crash before the journal has what the registry has: the next start writes it")
  func crashBetween() throws {
    let host = try host()
    let (one, two, _) = try ids(host)
    let app = try host.app()
    try host.limit(try app.connect(), assets: [one])
    let token = try app.connect().subscribe().token
    // The journal as it is now takes the place of the one after the change.
    try host.daemon.stop()
    let (library, copy) = (host.library.state + "/library.sqlite", host.library.directory + "/journal")
    try FileManager.default.copyItem(atPath: library, toPath: copy)
    try host.daemon.start()
    try host.select(.replace, assets: [two])
    try host.daemon.stop()
    for suffix in ["", "-wal", "-shm", "-redo"] {
      try? FileManager.default.removeItem(atPath: library + suffix)
    }
    try FileManager.default.moveItem(atPath: copy, toPath: library)
    try host.daemon.start()
    let told = try app.connect().subscribe(since: token).collect(2)
    #expect(told.inserted.map(\.id) == [two] && told.removed == [one])
  }

  @Test("S29: what the app may not see any more is not told from earlier times either")
  func withheld() throws {
    let host = try host()
    let (one, two, _) = try ids(host)
    let app = try host.app()
    try host.limit(try app.connect(), assets: [one, two])
    let token = try app.connect().subscribe().token
    try host.library.move("two.jpg", to: "secret.jpg")
    let everyone = try host.owner().subscribe()
    try host.library.add("sentinel.jpg")
    _ = try everyone.collect { $0.inserted.contains { $0.filename == "sentinel.jpg" } }
    try host.select(.remove, assets: [two])
    let subscriber = try app.connect().subscribe(since: token)
    let told = try subscriber.next()
    #expect(told.removed == [two])
    #expect(told.changed.isEmpty && told.inserted.isEmpty && told.moved.isEmpty)
  }

  @Test("S29: access that returns with the same selection: a token from before loses nothing")
  func returning() throws {
    let host = try host()
    let (one, _, _) = try ids(host)
    let app = try host.app()
    try host.limit(try app.connect(), assets: [one])
    let subscriber = try app.connect().subscribe()
    let token = subscriber.token
    try host.set(.wallpapers, .denied)
    let error = try failure { _ = try subscriber.next() }
    #expect(error.typed(LibraryInterface.NotAuthorized.self)?.status == .denied)
    try host.library.add("one.jpg", Photo.jpeg("one, again"))
    let refused = try failure { _ = try app.connect().subscribe(since: token) }
    #expect(refused.name == LibraryInterface.NotAuthorized.name)
    try host.daemon.restart()
    try host.set(.wallpapers, .limited)
    let told = try app.connect().subscribe(since: token).next()
    #expect(told.hasIncrementalChanges && told.changed.map(\.id) == [one])
  }

  @Test(
    "S29: a token from before the access became another kind: fetch anew, once", arguments: [true, false])
  func otherKind(_ isLimitedFirst: Bool) throws {
    let host = try host()
    let (one, _, _) = try ids(host)
    let app = try host.app()
    if isLimitedFirst {
      try host.limit(try app.connect(), assets: [one])
    } else {
      try host.set(.wallpapers, .authorized)
      try host.select(.replace, assets: [one])
    }
    let token = try app.connect().subscribe().token
    try host.set(.wallpapers, isLimitedFirst ? .authorized : .limited)
    try host.daemon.kill()
    try host.daemon.start()
    let subscriber = try app.connect().subscribe(since: token)
    let told = try subscriber.next()
    #expect(!told.hasIncrementalChanges && told.isEmpty)
    try host.library.add("one.jpg", Photo.jpeg("one, again"))
    #expect(try subscriber.next().changed.map(\.id) == [one])
    let later = try app.connect().subscribe(since: told.token).next()
    #expect(later.hasIncrementalChanges && later.changed.map(\.id) == [one])
  }

  @Test("S29: a policy that came while the daemon was down is another kind of access")
  func policyMeanwhile() throws {
    let host = try host()
    let (one, _, _) = try ids(host)
    let app = try host.app()
    try host.limit(try app.connect(), assets: [one])
    let token = try app.connect().subscribe().token
    try host.daemon.stop()
    try host.library.policy("all", "effect: authorize\napps: [\"*\"]\naccessLevels: [readWrite]\n")
    try host.daemon.start()
    #expect(try !app.connect().subscribe(since: token).next().hasIncrementalChanges)
    #expect(try app.connect().assets().count == 4)
  }

  @Test("S19, S26: albums that became shared ones while the daemon was down")
  func sharedMeanwhile() throws {
    let host = try host()
    let (one, _, _) = try ids(host)
    let trip = try host.owner().album("Trip").id
    let four = try host.owner().asset("four.jpg").id
    let app = try host.app()
    try host.limit(try app.connect(), assets: [one], albums: [trip])
    let token = try app.connect().subscribe().token
    try host.daemon.stop()
    host.library.shared = ["Trip"]
    try host.library.configure()
    try host.daemon.start()
    let hidden = try app.connect().subscribe(since: token)
    #expect(try hidden.next().removed == [four])
    try host.daemon.stop()
    host.library.shared = []
    try host.library.configure()
    try host.daemon.start()
    let told = try app.connect().subscribe(since: hidden.token).next()
    #expect(told.inserted.map(\.id) == [four])
  }
}
