import Glibc
import TestSupport
import Testing

/// The daemon is killed before each time that it writes while albums are moved and removed by others. Whoever goes on
/// from a token, of albums too, has what is on disk, whenever it was given out.
@Suite("Killed at every step of an album's move and removal (R2, S26)", .blocking, .timeLimit(.minutes(30)))
struct AlbumKillTests {
  /// What is done to `A`, with two photos and the album `B` in it, beside which lies `C`.
  enum Act: String, CaseIterable {
    case moved = "mv A/B C/B"
    case renamed = "mv A/B A/D"
    case removed = "rm -r A"
    case movedAndRemoved = "mv A/B C/E; rm -r A"
    case replaced = "rm -r C; mv A C; mkdir A; mv C/B A/B"
    case exchanged = "mv A/B X; mv C A/B; mv X C"
  }

  /// Every step where kills are what is asked for (`make faults`), else some of them.
  private static let stride = getenv("KILLS") == nil ? 6 : 1

  @Test(
    "31, R2, S26: a token of before, and of any moment between, leads to what is on disk",
    arguments: Act.allCases)
  func everyStep(act: Act) throws {
    let library = try TemporaryLibrary()
    let faults = try Faults(library, beneath: library.state)
    let host = try Host(library)
    let follower = try Follower(host)
    for step in Swift.stride(from: 1 + act.rawValue.count % Self.stride, through: 500, by: Self.stride) {
      // More of them than it takes until it is killed.
      let trees = (0..<3).map { "\(step)-\($0)" }
      for tree in trees { try make(tree, in: library) }
      try follow([follower], library)
      var saved = [Follower(continuing: follower)]
      try faults.kill(before: step)
      for tree in trees where host.daemon.isRunning {
        try run(act.rawValue, in: library.path(tree), library)
        do { try follow([follower], library) } catch {
          guard try host.daemon.ended() == .signal(SIGKILL) else { throw error }
        }
        saved.append(Follower(continuing: follower))
      }
      try faults.endKilling()
      var isKilled = !host.daemon.isRunning
      if !isKilled {
        // It may be about to end.
        do { try follow([follower] + saved, library) } catch {
          guard try host.daemon.ended() == .signal(SIGKILL) else { throw error }
          isKilled = true
        }
      }
      if isKilled {
        follower.disconnect()
        try host.daemon.start()
      }
      do { try follow([follower] + saved, library) } catch {
        Issue.record("\(error), killed before step \(step) of “\(act.rawValue)”")
        return
      }
      // Nothing is written any more that it could be killed before.
      if !isKilled { return }
      try run("rm -r \(trees.joined(separator: " "))", in: library.photos, library)
    }
    Issue.record("it finds no end")
  }

  private func make(_ tree: String, in library: TemporaryLibrary) throws {
    for name in ["A/a.jpg", "A/b.jpg", "A/B/c.jpg", "C/d.jpg"] {
      try library.add("\(tree)/\(name)", Photo.jpeg("\(tree)/\(name)"))
    }
  }

  private func run(_ script: String, in directory: String, _ library: TemporaryLibrary) throws {
    let process = try ChildProcess("/bin/sh", ["-ec", "cd \(directory); \(script)"], log: library.log)
    try #require(try process.wait() == .status(0), "\(library.logText)")
  }

  /// Each ends with what is on disk.
  private func follow(_ followers: [Follower], _ library: TemporaryLibrary) throws {
    let tree = PhotoTree(library.photos)
    for follower in followers {
      try follower.follow {
        tree.difference($0) == nil
      } or: {
        tree.difference(follower) ?? ""
      }
    }
  }
}
