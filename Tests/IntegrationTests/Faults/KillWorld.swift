import AlbumAPI
import Foundation
import Glibc
import Linux
import TestSupport
import Testing
import Varlink
import VarlinkTransport

/// A daemon that is killed while much is asked of it, and what it may have come to: what was acknowledged, and of what
/// was not, either.
final class KillWorld {
  typealias Status = AuthorizationInterface.AuthorizationStatus

  /// Where an asset is.
  enum Whereabouts {
    case there, deleted, gone
  }

  let host: Host
  /// One is decided about in settings, the other one asks.
  private let wallpapers: TestApp
  private let mail: TestApp
  private var random: SeededGenerator
  /// What a decision of the owner's may be.
  private var decisions: Set<Status> = [.notDetermined]
  /// Where each asset may be, by its id.
  private var assets: [String: Set<Whereabouts>] = [:]
  private var added = 0

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    host = try Host { library in
      for number in 0..<20 { try library.add("A/p\(number).jpg", Self.content("p\(number).jpg")) }
    }
    wallpapers = try host.app()
    mail = try host.app(.mail)
    for asset in try host.owner().assets() { assets[asset.id] = [.there] }
  }

  /// Large enough that writing one takes a while.
  private static func content(_ name: String) -> [UInt8] {
    Photo.jpeg(name) + Array(repeating: Array(name.utf8), count: 20_000).joined()
  }

  // MARK: A round

  /// Asks for much at once, kills the daemon at some moment, and takes what was answered until then.
  func killUnderLoad() throws {
    let agent = try host.agent()
    let asking = try beginAsking(agent)
    let (deciding, expected) = try beginDeciding()
    let (there, deleted) = (some(.there), some(.deleted))
    let deleting = try begin(LibraryInterface.DeleteAssets.self, .init(ids: there), unless: there.isEmpty)
    let restored = Array(deleted.prefix(2))
    let restoring = try begin(
      ManagerInterface.RestoreDeleted.self, .init(ids: restored), unless: restored.isEmpty)
    let purged = Array(deleted.dropFirst(2))
    let purging = try begin(ManagerInterface.PurgeDeleted.self, .init(ids: purged), unless: purged.isEmpty)
    let adding = try beginAdding()
    // Each is answered between two turns of what is being done.
    let bystander = try host.connect()
    for _ in 0..<Int.random(in: 0..<12, using: &random) { try bystander.roundTrip() }
    try withExtendedLifetime((agent, asking)) { try host.daemon.kill() }

    for status in expected {
      let isAcknowledged = try reply(ManagerInterface.SetAuthorization.self, on: deciding) != nil
      decisions = isAcknowledged ? [status] : decisions.union([status])
    }
    take(there, .deleted, try reply(LibraryInterface.DeleteAssets.self, on: deleting)?.deleted)
    take(restored, .there, try reply(ManagerInterface.RestoreDeleted.self, on: restoring)?.restored)
    let count = try reply(ManagerInterface.PurgeDeleted.self, on: purging)?.count
    take(purged, .gone, count == purged.count ? purged : nil)
    for id in try reply(LibraryInterface.AddAssets.self, on: adding)?.ids ?? [] { assets[id] = [.there] }
    try host.daemon.start()
    try check(asking.answering)
  }

  private func some(_ place: Whereabouts) -> [String] {
    assets.filter { $0.value == [place] }.keys.sorted().shuffled(using: &random).prefix(4).map(\.self)
  }

  private func take(_ ids: [String], _ place: Whereabouts, _ done: [String]?) {
    for id in ids {
      if done?.contains(id) ?? false { assets[id] = [place] } else { assets[id]?.insert(place) }
    }
  }

  private func begin<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, unless isNothing: Bool
  ) throws -> Connection? {
    if isNothing { return nil }
    let connection = try host.owner()
    try connection.begin(method, parameters)
    return connection
  }

  /// Several settings, of which the last one counts.
  private func beginDeciding() throws -> (Connection, [Status]) {
    let statuses = (0..<4).map { _ in
      [Status.authorized, .denied].randomElement(using: &random) ?? .denied
    }
    let connection = try host.connect()
    for status in statuses {
      try connection.begin(
        ManagerInterface.SetAuthorization.self,
        .init(
          appId: AppDescription.wallpapers.id, uid: Int(getuid()), accessLevel: .readWrite, status: status))
    }
    return (connection, statuses)
  }

  private func beginAdding() throws -> Connection {
    let connection = try host.owner()
    let batch = DescriptorBatch()
    let items = try (0..<3).map { _ in
      added += 1
      let name = "n\(added).jpg"
      let path = try host.library.add("../sources/\(name)", Self.content(name))
      let source = try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC), call: "open", subject: path)
      unlink(path)
      return LibraryInterface.AddItem(fileDescriptor: batch.append(source), filename: name)
    }
    try connection.send(Call(LibraryInterface.AddAssets.self, .init(items: items)), descriptors: batch)
    return connection
  }

  /// The next reply, if it came before the end.
  private func reply<Method: VarlinkMethod>(
    _ method: Method.Type, on connection: Connection?
  ) throws -> Method.Reply? {
    try (try? connection?.receive())?.decoded(method)
  }

  // MARK: A prompt

  /// An app asks, and the owner's answer is on its way.
  private func beginAsking(_ agent: Agent) throws -> (app: Connection, answering: Connection) {
    try host.connect().call(ManagerInterface.Reset.self, .init(appId: AppDescription.mail.id))
    let app = try mail.connect()
    try app.beginRequest()
    let prompt = try agent.prompt()
    let answering = try host.connect()
    try answering.begin(
      AgentInterface.Respond.self, .init(prompt: prompt.id, answer: .init(decision: .allow)))
    return (app, answering)
  }

  /// What was acknowledged is not asked again; what was not is asked once, or was stored.
  private func checkPrompt(_ answering: Connection) throws {
    let isAcknowledged = try reply(AgentInterface.Respond.self, on: answering) != nil
    let agent = try host.agent()
    let app = try mail.connect()
    let status = try app.status()
    #expect(status == .authorized || !isAcknowledged && status == .notDetermined)
    try app.beginRequest()
    if status == .notDetermined { try agent.answer(agent.prompt(), .allow) }
    #expect(try app.requestReply().status == .authorized)
    #expect(try agent.isQuiet)
  }

  // MARK: Checking

  private func check(_ answering: Connection) throws {
    try checkPrompt(answering)
    let status = try wallpapers.connect().status()
    #expect(decisions.contains(status), "\(status), not one of \(decisions)")
    decisions = [status]

    let present = try host.owner().assets(.init(sort: .filename, limit: 1000))
    let deleted = try Set(host.connect().call(ManagerInterface.ListDeleted.self, .init()).assets.map(\.id))
    let there = Set(present.map(\.id))
    #expect(there.isDisjoint(with: deleted))
    for (id, places) in assets {
      let place: Whereabouts = there.contains(id) ? .there : deleted.contains(id) ? .deleted : .gone
      #expect(places.contains(place), "\(id) is \(place), not one of \(places)")
      assets[id] = place == .gone ? nil : [place]
    }
    // What was added and not acknowledged.
    for id in there where assets[id] == nil { assets[id] = [.there] }
    #expect(deleted.allSatisfy { assets[$0] != nil })
    try checkFiles(present, deletedCount: deleted.count)
  }

  /// Every file is whole and an asset, and there are no others.
  private func checkFiles(_ assets: [LibraryInterface.Asset], deletedCount: Int) throws {
    let photos = host.library.photos
    let all = FileManager.default.enumerator(atPath: photos)?.compactMap { $0 as? String } ?? []
    let isHidden = { (name: String) in name.split(separator: "/").contains { $0.hasPrefix(".") } }
    let files = all.filter { !isHidden($0) && $0.hasSuffix(".jpg") }
    #expect(
      files.compactMap { $0.split(separator: "/").last }.sorted() == assets.map { $0.filename[...] }.sorted())
    for file in files {
      let name = file.split(separator: "/").last.map(String.init) ?? ""
      let content = try Data(contentsOf: URL(filePath: "\(photos)/\(file)"))
      #expect(content.elementsEqual(Self.content(name)), "\(file) is whole")
    }
    let kept = try? FileManager.default.contentsOfDirectory(atPath: "\(photos)/.albumd-deleted")
    #expect(kept?.count ?? 0 == deletedCount)
  }
}
