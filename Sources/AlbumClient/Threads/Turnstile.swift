/// Lets so many through at a time; the others wait, first come first served.
actor Turnstile {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// How many wait.
  var queueLength: Int { waiting.count }

  init(_ count: Int) {
    free = count
  }

  /// Waits for its turn, and does it.
  nonisolated func pass<Value: Sendable>(
    _ body: () async throws(AlbumError) -> Value
  ) async throws(AlbumError) -> Value {
    await enter()
    do throws(AlbumError) {
      let value = try await body()
      await leave()
      return value
    } catch {
      await leave()
      throw error
    }
  }

  private func enter() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
