import AlbumAPI
import Foundation
import Glibc
import Testing

@Suite("Owners in namespaces", .blocking)
struct NamespaceTests {
  private static let albumctl = URL(filePath: BuildFolder.daemon).deletingLastPathComponent()
    .appending(path: "albumctl").path()

  /// Runs `albumctl apps` behind unshare(1).
  private func listApps(_ host: Host, _ options: [String]) throws -> (exit: ChildProcess.Exit, text: String) {
    let log = "\(host.library.directory)/apps"
    let exit = try ChildProcess(
      "/usr/bin/unshare", options + [Self.albumctl, "apps", "--socket", host.library.socket], log: log
    ).wait()
    return (exit, (try? String(contentsOfFile: log, encoding: .utf8)) ?? "")
  }

  @Test(
    "S44: an owner's process in another namespace may not act as an owner",
    .enabled(if: isRoot, "making namespaces needs root"),
    arguments: [["--mount"], ["--pid", "--fork"], ["--user", "--map-root-user"]])
  func apart(_ options: [String]) throws {
    let host = try Host()
    let result = try listApps(host, options)
    #expect(result.exit == .status(3))
    #expect(result.text.contains("Only an owner of this photo library may do this"), "\(result.text)")
  }

  @Test(
    "S44: on the host, and in a namespace that hides no files and no processes, it may",
    .enabled(if: isRoot, "making namespaces needs root"), arguments: [["--uts"], ["--net"]])
  func together(_ options: [String]) throws {
    let result = try listApps(try Host(), options)
    #expect(result.exit == .status(0), "\(result.text)")
  }
}
