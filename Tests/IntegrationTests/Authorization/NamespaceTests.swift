import AlbumAPI
import Foundation
import Glibc
import TestSupport
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
    #expect(result.text.contains("usermod -aG albumd-owners"), "\(result.text)")
  }

  @Test(
    "S44: on the host, and in a namespace that hides no files and no processes, it may",
    .enabled(if: isRoot, "making namespaces needs root"), arguments: [["--uts"], ["--net"]])
  func together(_ options: [String]) throws {
    let result = try listApps(try Host(), options)
    #expect(result.exit == .status(0), "\(result.text)")
  }

  /// What albumctl says of itself in a root directory of its own making, with a `.flatpak-info` of its own.
  private func whoAmI(_ host: Host, id: String) throws -> String {
    let root = "\(host.library.directory)/root"
    let script = """
      set -e; root=$1; id=$2; shift 2
      mkdir -p "$root"; mount -t tmpfs none "$root"
      for path in /*; do
        [ -d "$path" ] || continue
        mkdir "$root$path"; mount --rbind "$path" "$root$path"
      done
      printf '[Application]\nname=%s\n' "$id" > "$root/.flatpak-info"
      exec /usr/sbin/chroot "$root" "$@"
      """
    let log = "\(host.library.directory)/whoami-\(UInt32.random(in: 0...UInt32.max))"
    _ = try ChildProcess(
      "/usr/bin/unshare",
      ["--user", "--map-root-user", "--mount", "/bin/sh", "-c", script, "sh", root, id]
        + [Self.albumctl, "whoami", "--socket", host.library.socket],
      log: log
    ).wait()
    return (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
  }

  @Test(
    "S35, S36: a sandbox that its user has made tells what they like, which is never told as verified",
    .enabled(if: isRoot, "making namespaces needs root"))
  func forged() throws {
    let host = try Host()
    let forged = try whoAmI(host, id: "org.example.Forged")
    #expect(forged.contains("org.example.Forged") && forged.contains("no: another program"), "\(forged)")
    let long = try whoAmI(host, id: "org.example." + String(repeating: "a", count: 60_000))
    #expect(long.contains("255 bytes") && long.count < 1000, "\(long.prefix(1000))")
    let path = try whoAmI(host, id: host.library.executable(of: "wallpapers"))
    #expect(path.contains("is no id of a Flatpak"), "\(path)")
  }

  @Test(
    "S36: lines of a Flatpak's file end where GLib has them end, so that no value is another app's id",
    .enabled(if: isRoot, "making namespaces needs root"), arguments: ["\u{b}", "\u{85}", "\u{2028}"])
  func lines(end: String) throws {
    let id = "org.evil.App\nruntime=x\(end)[Application]\(end)name=org.victim.Gallery\(end)"
    let text = try whoAmI(try Host(), id: id)
    #expect(text.contains("org.evil.App") && !text.contains("victim"), "\(text)")
  }

  @Test(
    "S36: a program that another is bound over, in a namespace of its user's, is not that program",
    .enabled(if: isRoot, "making namespaces needs root"))
  func boundOver() throws {
    let host = try Host()
    let victim = host.library.executable(of: "wallpapers")
    _ = try host.app()
    let log = "\(host.library.directory)/bound"
    _ = try ChildProcess(
      "/usr/bin/unshare",
      [
        "--user", "--map-root-user", "--mount", "/bin/sh", "-c",
        "mount --bind \"$1\" \"$2\" && exec \"$2\" whoami --socket \"$3\"", "sh", Self.albumctl, victim,
        host.library.socket,
      ], log: log
    ).wait()
    let text = try String(contentsOfFile: log, encoding: .utf8)
    #expect(text.contains("sandbox:\(getuid())") && !text.contains(victim), "\(text)")
  }
}
