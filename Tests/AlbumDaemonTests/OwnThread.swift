import Linux

/// Does something that waits in system calls, on a thread of its own: the pool has as many as there are processors.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    ThreadReserve.shared.run { continuation.resume(with: Result(catching: body)) }
  }
}
