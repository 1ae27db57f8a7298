import AlbumAPI
import Foundation
import Testing
import Varlink

@Suite("albumctl settings, apps, deny and status for whoever is at no terminal", .blocking)
struct OwnerCommandTests {
  private let id = AppDescription.wallpapers.id

  private static let restricting = "effect: restrict\napps: [\"*\"]\naccessLevels: [readWrite]\n"

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
}
