import EventLoop
import Logging
import LoopTesting
import Synchronization
import Testing

@testable import AlbumDaemon

@Suite("Log lines that peers bring about")
struct RefusalTests {
  @Test("so many of a user's are told, the rest as a number; the next interval begins anew")
  func perUser() {
    var throttle = LineThrottle()
    let told = (0..<100).count { _ in throttle.admits(1) }
    #expect(told == LineThrottle.perUser)
    let tellsOther = throttle.admits(2)
    #expect(tellsOther, "one user's do not hide another's")
    let rest = throttle.endInterval()
    #expect(rest.map { "\($0.uid ?? 0): \($0.count)" } == ["1: 90"])
    let tellsLater = throttle.admits(1)
    let none = throttle.endInterval()
    #expect(tellsLater && none.isEmpty)
  }

  @Test("a thousand users are no thousand lines, and no thousand counts")
  func inAll() {
    var throttle = LineThrottle()
    let told = (0..<3).map { _ in (0..<1000).count { throttle.admits(UInt32($0)) } }
    #expect(told == [LineThrottle.inAll, 0, 0])
    let rest = throttle.endInterval()
    #expect(rest.count == LineThrottle.inAll + 1)
    #expect(rest.map(\.count).reduce(0, +) == 3000 - LineThrottle.inAll)
    #expect(rest.last?.uid == nil)
  }

  @Test(
    "a failure that one peer brings about again and again is a few lines, and one with how many there were")
  func failures() async {
    LoopThread.start()
    let lines = Lines()
    await EventLoopActor.run {
      let log = ThrottledLog(log: Logger(label: "test") { _ in lines }, level: .error, "calls failed")
      for number in 0..<1000 { log.note("failure \(number)", uid: 7, metadata: ["appId": "a"]) }
      log.endInterval()
    }
    let told = lines.told.withLock { $0 }
    #expect(told.count == LineThrottle.perUser + 1)
    #expect(told.first == "error failure 0 a 7")
    #expect(
      told.last == "error more calls failed, which is not told of each: \(1000 - LineThrottle.perUser)  7")
  }
}
