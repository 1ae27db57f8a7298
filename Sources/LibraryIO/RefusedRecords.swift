internal import EventLoop
internal import LibraryModel

/// What was written down, was said not to be done, and cannot be taken back at the moment, as on a disk that is full: that is
/// tried again, later and later. Who asked was told already.
@EventLoopActor
final class RefusedRecords {
  private struct Refused {
    let takeBack: @EventLoopActor () async throws -> Void
    let done: @EventLoopActor () -> Void
    var isTried = true
  }

  /// So many are taken back before others have their turn.
  private static let slice = 16

  private var refused: [AssetID: Refused] = [:]
  private var isStopped = false
  private let pauses: (first: Duration, last: Duration)
  /// When that is tried again of itself.
  private(set) lazy var retry = Retry(after: pauses.first, atMost: pauses.last) { [unowned self] in
    Task.onLoop { [self] in await takeBackAll() }
  }

  /// Nothing yet.
  ///
  /// - Parameters:
  ///   - first: after how long it is tried again for the first time.
  ///   - last: after how long at most.
  init(after first: Duration = .seconds(1), atMost last: Duration = .seconds(30)) { pauses = (first, last) }

  /// Whether it is not taken back yet.
  func holds(_ id: AssetID) -> Bool { refused[id] != nil }

  /// Takes it back, now or later.
  ///
  /// - Parameter done: told when it is.
  func takeBack(
    _ id: AssetID, _ takeBack: @escaping @EventLoopActor () async throws -> Void,
    _ done: @escaping @EventLoopActor () -> Void
  ) async {
    guard !isStopped else {
      _ = try? await takeBack()
      return
    }
    let one = Refused(takeBack: takeBack, done: done)
    refused[id] = one
    if await !isTakenBack(id, one) { retry.later() }
  }

  /// Something can be written again, as it seems. Where that was tried in vain already, the pause counts: each failure has the
  /// library read anew.
  func takeBackSoon() async {
    guard retry.isFirst else { return }
    await takeBackAll()
  }

  /// Tries all of them once more.
  func takeBackAll() async {
    var count = 0
    for id in refused.keys.sorted() {
      guard let one = refused[id], !one.isTried else { continue }
      refused[id]?.isTried = true
      _ = await isTakenBack(id, one)
      count += 1
      if count.isMultiple(of: Self.slice) { await EventLoopActor.giveWay() }
    }
    guard !isStopped else { return }
    if refused.isEmpty { retry.reset() } else { retry.later() }
  }

  /// Nothing is taken back any more.
  func stop() {
    isStopped = true
    retry.stop()
    refused = [:]
  }

  private func isTakenBack(_ id: AssetID, _ one: Refused) async -> Bool {
    do { try await one.takeBack() } catch {
      refused[id]?.isTried = false
      return refused[id] == nil
    }
    if refused.removeValue(forKey: id) != nil { one.done() }
    return true
  }
}
