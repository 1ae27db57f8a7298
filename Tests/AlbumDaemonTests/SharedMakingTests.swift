import EventLoop
import LoopTesting
import Testing

@testable import AlbumDaemon

@Suite("What is made once for all who want it", .timeLimit(.minutes(30)))
struct SharedMakingTests {
  init() { LoopThread.start() }

  /// Makes a number when it is told to, and says whether it was to go on.
  @EventLoopActor
  private final class Maker {
    private(set) var begun = 0
    private(set) var isCancelled = false
    private var continuation: CheckedContinuation<Void, Never>?
    private(set) lazy var making = SharedMaking<Int> { [unowned self] in
      begun += 1
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation = $0 }
      } onCancel: {
        Task { @EventLoopActor in
          isCancelled = true
          end()
        }
      }
      return .success(7)
    }

    func end() {
      continuation?.resume()
      continuation = nil
    }

    func want() -> Task<Int?, Never> {
      making.enter()
      return Task.immediate { @EventLoopActor in
        let made = await making.result()
        _ = making.leave()
        return try? made?.get()
      }
    }
  }

  @Test("S53: it is made once, also for who comes later, and goes on until the last has gone")
  @EventLoopActor
  func shared() async {
    let maker = Maker()
    let (first, second) = (maker.want(), maker.want())
    while maker.begun == 0 { await EventLoopActor.giveWay() }
    first.cancel()
    #expect(await first.value == nil && !maker.isCancelled)
    let third = maker.want()
    maker.end()
    #expect(await (second.value, third.value) == (7, 7))
    #expect(await maker.want().value == 7)
    #expect(maker.begun == 1 && !maker.isCancelled)
  }

  @Test("S53: it is made no further when all have gone")
  @EventLoopActor
  func gone() async {
    let maker = Maker()
    let all = (0..<3).map { _ in maker.want() }
    while maker.begun == 0 { await EventLoopActor.giveWay() }
    for one in all { one.cancel() }
    for one in all { #expect(await one.value == nil) }
    while !maker.isCancelled { await EventLoopActor.giveWay() }
  }
}
