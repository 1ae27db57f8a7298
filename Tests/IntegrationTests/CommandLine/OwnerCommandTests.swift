import AlbumAPI
import Foundation
import TestSupport
import Testing
import Varlink

@Suite("albumctl settings, apps, deny and status for whoever is at no terminal", .blocking)
struct OwnerCommandTests {
  private let id = AppDescription.wallpapers.id

  private static let restricting = "effect: restrict\napps: [\"*\"]\naccessLevels: [readWrite]\n"

  /// What `settings APP --json` prints.
  private struct Shown: Decodable {
    var id: String
    var grants: [ManagerInterface.Grant]
    var log: [ManagerInterface.AccessLogEntry]?
  }

  @Test("settings APP says what the app did, as text and as JSON")
  func history() throws {
    let host = try Host()
    try host.set(.wallpapers, .authorized)
    let shown = try host.albumctl("settings", id)
    #expect(shown.status == 0 && shown.output.contains("What it did, the newest first\n"), "\(shown.output)")
    #expect(shown.output.contains("readWrite is authorized, in settings"))
    let object = try host.albumctl("settings", id, "--json").object(Shown.self)
    #expect(object.id == id && object.log?.map(\.outcome) == ["authorized"])
    // Of all apps at once, what they did is not told.
    #expect(try !host.albumctl("settings", "--json").output.contains("\"log\""))
    #expect(try !host.albumctl("settings").output.contains("What it did"))
  }

  @Test("S37: what a policy decides is said with the policy, and no command that it forbids is named")
  func policy() throws {
    let host = try Host { try $0.policy("children", Self.restricting) }
    try host.set(.wallpapers, .denied, .addOnly)
    let shown = try host.albumctl("settings", id).output
    #expect(shown.contains("policies.d/children.yaml"), "\(shown)")
    #expect(shown.contains("albumctl allow \(id) --level addOnly"))
    #expect(!shown.contains("albumctl allow \(id) [") && !shown.contains("albumctl limit"))
    #expect(!shown.contains("albumctl deny \(id) ["))
    // The command that is named is one that works.
    #expect(try host.albumctl("allow", id, "--level", "addOnly").status == 0)
    #expect(try host.albumctl("allow", id).status == 1)
  }

  @Test("S37: of several users and levels one that a policy decides leaves all as they were; that is said")
  func policyAboutOne() throws {
    let host = try Host()
    let (own, nobody) = (Int(getuid()), 65534)
    try host.set(.wallpapers, .denied)
    try host.set(.wallpapers, .authorized, uid: UInt32(nobody))
    try host.set(.wallpapers, .authorized, .addOnly, uid: UInt32(nobody))
    let about = "effect: restrict\napps: [\"*\"]\nusers: [nobody]\naccessLevels: [readWrite]\n"
    try host.library.policy("guests", about)
    try host.daemon.reload()
    func grants() throws -> [Int: [ManagerInterface.Grant]] {
      let apps = try host.connect().call(ManagerInterface.ListApps.self, .init()).apps.filter { $0.id == id }
      return Dictionary(uniqueKeysWithValues: apps.map { ($0.uid, $0.grants) })
    }
    let before = try grants()
    #expect(before.count == 2)
    // All users at one level is one call; both levels are several.
    let commands = [["allow", id], ["deny", id], ["deny", id, "--uid", "\(nobody)"], ["limit", id]]
    for arguments in commands {
      let refused = try host.albumctl(arguments)
      #expect(refused.status == 1, "\(arguments)")
      #expect(
        refused.output.contains("policies.d/guests.yaml. Nothing was changed.")
          && refused.output.contains("--uid"), "\(arguments): \(refused.output)")
      #expect(try grants() == before, "\(arguments)")
    }
    // What it leaves open.
    #expect(try host.albumctl("deny", id, "--level", "addOnly", "--uid", "\(nobody)").status == 0)
    #expect(try host.albumctl("allow", id, "--uid", "\(own)").status == 0)
    let after = try grants()
    #expect(after[nobody]?.map(\.status) == [.denied, .restricted])
    #expect(after[own]?.map(\.status) == [.notDetermined, .authorized])
  }

  @Test("S37: a table of apps names a policy in a column of its own")
  func apps() throws {
    let host = try Host { try $0.policy("children", Self.restricting) }
    try host.set(.wallpapers, .denied, .addOnly)
    let lines = try host.albumctl("apps").lines
    let header = try #require(lines.first)
    #expect(header.hasSuffix("UNTIL  POLICY"), "\(header)")
    let column = header.distance(
      from: header.startIndex, to: try #require(header.range(of: "POLICY")).lowerBound)
    let restricted = try #require(lines.first { $0.hasPrefix(id) && $0.contains("restricted") })
    #expect(restricted.dropFirst(column).hasPrefix(host.library.directory), "\(lines)")
  }

  @Test("S2: whoever refuses only adding is told that readWrite brings it, and so is the app")
  func addingAnyway() throws {
    let host = try Host()
    let note = "It may add all the same: its readWrite access brings the right to add."
    try host.set(.wallpapers, .limited)
    let denied = try host.albumctl("deny", id, "--level", "addOnly")
    #expect(denied.status == 0 && denied.lines == [note])
    #expect(try host.albumctl("status", as: .wallpapers).lines.last == note)
    #expect(try host.albumctl("status", "--level", "readWrite", as: .wallpapers).lines.last != note)
    #expect(try host.albumctl("settings", id).output.contains(note))
    #expect(try host.albumctl("status", "--level", "addOnly", as: .wallpapers).lines.last == note)
    #expect(try host.albumctl("status", "--json", as: .wallpapers).lines.allSatisfy { $0.hasPrefix("{") })
    #expect(
      try host.albumctl("deny", id, "--level", "addOnly", "--json").lines.allSatisfy { $0.hasPrefix("{") })
    // The guide would say that it cannot.
    let asked = try host.albumctl("request", "--level", "addOnly", as: .wallpapers)
    #expect(asked.status == 3 && asked.lines == ["denied", note])
    // Where readWrite is refused as well, nothing is left to be said.
    let both = try host.albumctl("deny", id)
    #expect(both.status == 0 && both.output.isEmpty)
    #expect(try !host.albumctl("settings", id).output.contains(note))
    #expect(try !host.albumctl("status", as: .wallpapers).output.contains(note))
    let refused = try host.albumctl("request", "--level", "addOnly", as: .wallpapers)
    #expect(refused.status == 3 && refused.output.contains("cannot add to your photos"))
  }
}
