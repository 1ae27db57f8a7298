internal import EventLoop
internal import VarlinkServer

extension ServerCall {
  /// Does something with all that was named, some at a time: others have their turn in between, and what is looked at in a
  /// slice is as it is then.
  ///
  /// - Throws: what `body` throws; `CancellationError` when the caller has gone, where this runs in a task that is then
  ///   cancelled, as those of ``goOn(_:)`` are.
  func inSlices<Names: Collection>(
    _ names: Names, of size: Int = LibraryService.lookedUpAtOnce, _ body: (Names.SubSequence) throws -> Void
  ) async throws {
    var first = names.startIndex
    while first != names.endIndex {
      let end = names.index(first, offsetBy: size, limitedBy: names.endIndex) ?? names.endIndex
      // The first is a part of what is counted already, such as the turn of its connection.
      if first == names.startIndex {
        try body(names[first..<end])
      } else {
        try spending { try body(names[first..<end]) }
      }
      first = end
      guard first != names.endIndex else { return }
      await giveWay()
      try Task.checkCancellation()
    }
  }

  /// The first that is found for any of what was named, looking at some of it at a time; nil where there is none.
  func firstInSlices<Names: Collection, Found>(
    _ names: Names, of size: Int = LibraryService.lookedUpAtOnce, _ body: (Names.Element) throws -> Found?
  ) async throws -> Found? {
    var looked = 0
    for name in names {
      if looked == size {
        looked = 0
        await giveWay()
        try Task.checkCancellation()
      }
      looked += 1
      if let found = try body(name) { return found }
    }
    return nil
  }

  /// Serves the call, or goes on with it, in a task that ends with it: begun in this turn, it may go on in others.
  func goOn(_ body: @escaping @EventLoopActor () async throws -> Void) {
    let task = Task.onLoopNow { [self] in
      do { try await body() } catch { fail(error) }
    }
    onEnd { task.cancel() }
  }
}
