import AlbumAPI
import Glibc
import TestSupport
import Testing

/// Programs that nobody here wrote, writing into a library in their ways (S26, S39, S40). A follower, which knows only
/// what it was told, ends with what is on disk, and every asset with the id that the rule gives it.
@Suite("Foreign writers", .blocking, .timeLimit(.minutes(30)))
struct ForeignWriterTests {
  @Test(
    "29, S26, S39, S87: what any of them leaves is told, each thing once, under the id that it had",
    arguments: ForeignWriter.all)
  func followed(writer: ForeignWriter) throws {
    try #require(
      access("/usr/bin/\(writer.program)", X_OK) == 0, "\(writer.program) is not installed: scripts/deps unit"
    )
    let library = try TemporaryLibrary()
    try run(ForeignWriter.preparation, in: library)
    let host = try Host(library)
    let follower = try Follower(host)
    let before = PhotoTree(library.photos)
    try #require(before.files.count == 24 && before.difference(follower) == nil)
    let former = before.ids(follower)

    try run(writer.script, in: library, followed: follower)
    try follower.follow {
      PhotoTree(library.photos).difference($0) == nil
    } or: {
      PhotoTree(library.photos).difference(follower) ?? ""
    }

    let after = PhotoTree(library.photos)
    #expect(after.violations(before, former, after.ids(follower)) == [])
    // It is as the follower has it for whoever fetches it. What is read out of files by and by is told as well.
    try follower.follow {
      try $0.assets.items == Follower(host).assets.items
    } or: {
      (try? follower.assets.difference(Follower(host).assets)) ?? "it can be fetched"
    }
    let owner = try host.owner()
    for album in try owner.albums() {
      #expect(try owner.assets(.init(albums: [album.id])).count == album.assetCount, "S87: \(album.title)")
    }
  }

  /// Runs a script to its end.
  private func run(_ script: String, in library: TemporaryLibrary, followed follower: Follower? = nil) throws
  {
    let environment = [
      "LIBRARY=\(library.photos)", "COPY=\(library.directory)/copy", "SCRATCH=\(library.directory)",
    ]
    let process = try ChildProcess(
      "/bin/bash", ["-euo", "pipefail", "-c", script], environment: environment, log: library.log)
    try follower?.follow(until: process)
    try #require(try process.wait() == .status(0), "\(library.logText)")
  }
}
