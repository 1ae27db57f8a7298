internal import EventLoop

/// The turns of a monitor: what asks for one, and that nobody is told anything while something is half done.
@EventLoopActor
final class Turns {
  private let news: LibraryNews
  private var take: (@EventLoopActor () -> Void)?
  private var next: DeferredCall?
  private lazy var alarm = Timer { [unowned self] in now() }
  /// How many turns, or changes between two, are under way, one within the other.
  private var depth = 0
  /// How many edits are half done whose next step is taken elsewhere, and whether a turn was asked for meanwhile.
  private var holds = 0
  private var isDue = false
  /// Edits that let the turn go first that was asked for.
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ news: LibraryNews) {
    self.news = news
  }

  /// From now on, turns are taken.
  func begin(_ take: @escaping @EventLoopActor () -> Void) {
    self.take = take
    next = DeferredCall(priority: 10) { [unowned self] in now() }
  }

  /// None is taken any more.
  func end() {
    take = nil
    next?.cancel()
    next = nil
    alarm.disarm()
    letGoOn()
  }

  /// Whether one is being taken, or something is changed between two.
  var isUnderWay: Bool { depth > 0 }

  /// Takes one, unless one is under way.
  func now() {
    guard depth == 0, let take else { return }
    guard holds == 0 else { return isDue = true }
    alone(take)
    letGoOn()
  }

  private func letGoOn() {
    isDue = false
    let waiting = waiting
    self.waiting = []
    for continuation in waiting { goOn(continuation) }
  }

  /// Holds before anything else can happen: none of those who have waited keeps another waiting once more.
  private func goOn(_ continuation: CheckedContinuation<Void, Never>) {
    hold()
    continuation.resume()
  }

  /// Takes one when requests and events have had theirs.
  func soon() { next?.arm() }

  /// Takes one then.
  func after(_ microseconds: UInt64) { alarm.arm(after: .microseconds(microseconds)) }

  /// Takes none until ``release()``: what is on disk is about to be told by whoever has put it there. Not for long.
  func hold() { holds += 1 }

  /// The same for what may take a while: if others have held a turn up, it is taken before. So edits that follow one
  /// another keep nobody from hearing news for longer than the longest of them takes.
  func holdAfterTurn() async {
    await withCheckedContinuation { continuation in
      // Looked at within: waiting may begin with a turn of the loop, in which it is taken.
      if isDue { waiting.append(continuation) } else { goOn(continuation) }
    }
  }

  /// Goes on, with the turn that was asked for.
  func release() {
    holds -= 1
    if holds == 0, isDue { soon() }
  }

  /// Changes something, of which nobody is told before all of it is.
  func alone<Value>(_ body: () throws -> Value) rethrows -> Value {
    depth += 1
    defer {
      depth -= 1
      if depth == 0 { news.tell() }
    }
    return try body()
  }
}
