import Glibc
import Linux
import Synchronization
import Testing

@testable import LibraryIO

/// In which order a root's thread does what is asked of it, by jobs that take as many steps as the test has them take.
@Suite(.timeLimit(.minutes(30)))
final class RootThreadTests: Sendable {
  private let thread = RootThread(Volumes())
  private let done = Mutex<[String]>([])

  deinit { thread.stop() }

  private func note(_ what: String) { done.withLock { $0.append(what) } }

  /// Has a job begun that goes on when it is told to.
  private func begin(_ turn: RootThread.Turn, _ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void
  {
    let (begun, goesOn) = (Answer<Void>(), Answer<Void>())
    thread.submit(turn) { _ in
      begun.give(())
      _ = goesOn.take(until: .max)
      body()
    }
    _ = begun.take(until: .max)
    return { goesOn.give(()) }
  }

  private func submit(_ turn: RootThread.Turn, _ name: String) -> Bool {
    thread.submit(turn) { [unowned self] _ in note(name) }
  }

  /// Waits until all is done.
  private func finish() {
    let last = Answer<Void>()
    thread.submit(.own) { _ in last.give(()) }
    _ = last.take(until: .max)
  }

  @Test("40: in the middle of a listing is done what somebody asks for, and of that first what an edit does")
  func middle() {
    let goOn = begin(.begun) { [unowned self] in
      thread.progress()
      note("listed")
    }
    for (turn, name) in [
      (RootThread.Turn.own, "own"), (.begun, "other listing"), (.asked(1), "opened"), (.edit, "edited"),
    ] {
      thread.submit(turn) { [unowned self] _ in note(name) }
    }
    goOn()
    finish()
    #expect(done.withLock { $0 } == ["edited", "opened", "listed", "other listing", "own"])
  }

  @Test("40: a listing goes on, whatever is asked for meanwhile")
  func both() {
    let isListed = Mutex(false)
    @Sendable func ask(_ count: Int) {
      thread.submit(.asked(1)) { [unowned self] _ in
        note("opened")
        if count < 1000, !isListed.withLock({ $0 }) { ask(count + 1) }
      }
    }
    let goOn = begin(.begun) { [unowned self] in
      thread.progress()
      thread.progress()
      isListed.withLock { $0 = true }
      note("listed")
    }
    ask(1)
    goOn()
    finish()
    #expect(done.withLock { $0 } == ["opened", "opened", "listed", "opened"])
  }

  @Test("40: a thread gets further with all that it does in the middle of something else")
  func getsOn() throws {
    let since = Mutex<[UInt64]>([])
    let goOn = begin(.begun) { [unowned self] in
      thread.progress()
      since.withLock { $0.append(thread.since ?? 0) }
    }
    thread.submit(.edit) { [unowned self] _ in
      since.withLock { $0.append(thread.since ?? 0) }
      // The clock has gone on when this is over.
      let now = Clock.monotonic
      while Clock.monotonic == now {}
    }
    goOn()
    finish()
    let found = since.withLock { $0 }
    #expect(found[0] < found[1])
  }

  @Test(
    "S41: beyond a user's questions that wait its own are refused; another's waits for one of them, and an edit for none"
  )
  func users() {
    let goOn = begin(.own) {}
    for number in 0..<RootThread.mostAsked { #expect(submit(.asked(1), "1.\(number)")) }
    #expect(!submit(.asked(1), "refused"))
    let others = [
      submit(.asked(2), "2.0"), submit(.asked(2), "2.1"), submit(.edit, "edit"), submit(.begun, "listing"),
      submit(.own, "own"),
    ]
    #expect(others == [true, true, true, true, true])
    goOn()
    while done.withLock({ $0.count }) < RootThread.mostAsked + 5 { finish() }
    let all = done.withLock { $0 }
    #expect(all.first == "edit")
    let asked = all.filter { $0.hasPrefix("1.") || $0.hasPrefix("2.") }
    #expect(asked.prefix(5) == ["1.0", "2.0", "1.1", "2.1", "1.2"])
    #expect(asked.filter { $0.hasPrefix("1.") } == (0..<RootThread.mostAsked).map { "1.\($0)" })
  }

  @Test(
    "40: who asks all the time keeps the daemon from nothing, and a listing goes on by a name for each thing asked for"
  )
  func alternately() {
    let goOn = begin(.begun) { [unowned self] in
      for name in 1...2 {
        thread.progress()
        note("name \(name)")
      }
    }
    let taken = [
      submit(.asked(1), "1.0"), submit(.asked(1), "1.1"), submit(.asked(2), "2.0"), submit(.asked(2), "2.1"),
      submit(.own, "own"), submit(.begun, "listing"),
    ]
    #expect(taken.allSatisfy { $0 })
    goOn()
    while done.withLock({ $0.count }) < 8 { finish() }
    #expect(done.withLock { $0 } == ["1.0", "name 1", "2.0", "name 2", "1.1", "listing", "2.1", "own"])
  }

  @Test(
    "21: so many wait that a user asks for, or the loop does; what is done, or was dropped, takes no place any more"
  )
  func refused() {
    for turn in [RootThread.Turn.asked(1), .loop] {
      let goOn = begin(.own) {}
      func fill() -> Int { (0..<2 * RootThread.mostAsked).count { _ in submit(turn, "") } }
      #expect(fill() == RootThread.mostAsked)
      let others = [submit(.own, ""), submit(.begun, ""), submit(.edit, "")]
      #expect(others == [true, true, true])
      thread.dropWaiting()
      #expect(fill() == RootThread.mostAsked)
      goOn()
      finish()
      #expect(submit(turn, ""))
    }
  }
}
