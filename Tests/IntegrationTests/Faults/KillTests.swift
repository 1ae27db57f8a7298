import Glibc
import TestSupport
import Testing

/// `KILLS=1000` kills it so often instead (`make faults`).
@Suite("Killed at any moment", .blocking, .timeLimit(.minutes(60)))
struct KillTests {
  private static let kills = {
    guard let text = getenv("KILLS").map({ String(cString: $0) }) else { return 20 }
    guard let kills = Int(text), kills > 0 else { fatalError("KILLS=\(text) is no number of kills") }
    return kills
  }()

  @Test(
    "R2: killed under load, no acknowledged decision is lost, no file is half there, nobody is asked twice")
  func kills() throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    let world = try KillWorld(seed: seed)
    for number in 0..<Self.kills {
      do { try world.killUnderLoad() } catch {
        Issue.record(
          "\(error) at kill \(number), seed \(seed):\n\(world.host.daemon.log.suffix(2000))")
        return
      }
    }
  }
}
