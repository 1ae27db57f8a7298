import EventLoop
import LoopTesting
import Testing

@testable import AlbumDaemon

/// The configuration is read so (S38).
@Suite("What is done for all who ask at the same time", .timeLimit(.minutes(30)))
struct SharedRunsTests {
  init() { LoopThread.start() }

  /// Runs that end when they are told to.
  @EventLoopActor
  private final class Runs {
    struct Failed: Error, Equatable {
      let number: Int
    }
    private(set) var begun = 0
    private(set) var mostAtOnce = 0
    private var underWay: [CheckedContinuation<Void, any Error>] = []
    private(set) lazy var shared = SharedRuns { [unowned self] in try await run() }

    private func run() async throws -> Int {
      begun += 1
      let number = begun
      try await withCheckedThrowingContinuation { continuation in
        underWay.append(continuation)
        mostAtOnce = max(mostAtOnce, underWay.count)
      }
      return number
    }

    /// Lets the run end that is under way, waiting for it to be.
    func end(failing: Bool = false) async {
      while underWay.isEmpty { await EventLoopActor.giveWay() }
      let continuation = underWay.removeFirst()
      if failing { continuation.resume(throwing: Failed(number: begun)) } else { continuation.resume() }
    }
  }

  /// So many ask, one after the other and before anything else happens.
  @EventLoopActor
  private static func ask(_ runs: Runs, _ count: Int) -> [Task<Int, any Error>] {
    (0..<count).map { _ in Task.immediate { @EventLoopActor in try await runs.shared.next() } }
  }

  @EventLoopActor
  private static func answers(_ tasks: [Task<Int, any Error>]) async throws -> [Int] {
    var answers: [Int] = []
    for task in tasks { answers.append(try await task.value) }
    return answers
  }

  @Test("S38: a thousand who ask while it is done are answered by one more, which begins after they asked")
  @EventLoopActor
  func shared() async throws {
    let runs = Runs()
    let first = Self.ask(runs, 1)
    while runs.begun == 0 { await EventLoopActor.giveWay() }
    let later = Self.ask(runs, 1000)
    while runs.shared.waiting.count < 1000 { await EventLoopActor.giveWay() }
    await runs.end()
    #expect(try await Self.answers(first) == [1])
    while runs.begun == 1 { await EventLoopActor.giveWay() }
    let last = Self.ask(runs, 2)
    while runs.shared.waiting.count < 2 { await EventLoopActor.giveWay() }
    await runs.end()
    #expect(try await Self.answers(later) == Array(repeating: 2, count: 1000))
    await runs.end()
    #expect(try await Self.answers(last) == [3, 3])
    #expect(runs.begun == 3 && runs.mostAtOnce == 1)
    let again = Self.ask(runs, 1)
    await runs.end()
    #expect(try await Self.answers(again) == [4], "and whoever asks when nothing is under way is answered")
  }

  @Test("S38: one that fails fails for those who asked for it, and not for those who come later")
  @EventLoopActor
  func failing() async throws {
    let runs = Runs()
    let first = Self.ask(runs, 1)
    while runs.begun == 0 { await EventLoopActor.giveWay() }
    let later = Self.ask(runs, 1)
    while runs.shared.waiting.isEmpty { await EventLoopActor.giveWay() }
    await runs.end(failing: true)
    await #expect(throws: Runs.Failed(number: 1)) { try await Self.answers(first) }
    await runs.end()
    #expect(try await Self.answers(later) == [2])
  }
}
