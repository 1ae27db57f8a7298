import EventLoop
import Glibc
import LibraryModel
import Linux
import LoopTesting
import Testing

@testable import LibraryIO

@Suite("What was refused is taken back (S29)", .runningLoop)
struct RefusedRecordsTests {
  private let id = AssetID(rawValue: 7)

  @EventLoopActor
  private final class FullDisk {
    var isFull = true
    private(set) var tries = 0

    func write() throws {
      tries += 1
      if isFull { throw SystemError("write", code: ENOSPC) }
    }
  }

  @Test(
    "S29: on a disk that is full it is tried when something seems to be writable again, and after that was in vain later and later"
  )
  @EventLoopActor
  func pace() async {
    // Only the test says when time has passed.
    let refused = RefusedRecords(after: .seconds(3600), atMost: .seconds(24 * 3600))
    let disk = FullDisk()
    var isDone = false
    await refused.takeBack(id) {
      try disk.write()
    } _: {
      isDone = true
    }
    #expect(disk.tries == 1 && refused.holds(id) && refused.retry.isAwaited)
    await refused.takeBackSoon()
    #expect(disk.tries == 2)
    refused.retry.stop()
    refused.retry.tryNow()
    while !refused.retry.isAwaited { await EventLoopActor.giveWay() }
    for _ in 0..<10 { await refused.takeBackSoon() }
    #expect(disk.tries == 3 && refused.retry.delay == .seconds(7200))
    disk.isFull = false
    await refused.takeBackAll()
    #expect(disk.tries == 4 && isDone && !refused.holds(id) && refused.retry.isFirst)
  }

  @Test("S29: at the end of the daemon it is tried once, and nothing waits")
  @EventLoopActor
  func stopped() async {
    let refused = RefusedRecords()
    refused.stop()
    let disk = FullDisk()
    await refused.takeBack(id) {
      try disk.write()
    } _: {
      Issue.record("it is not taken back")
    }
    #expect(disk.tries == 1 && !refused.holds(id) && !refused.retry.isAwaited)
  }
}
