extension FileComparison {
  /// When a file that has come has arrived in the library (S101): now; or, while a library is looked through for the first
  /// time, when its file came to this file system. Of times to come, now.
  func arrival(of facts: FileFacts) -> Int64 {
    guard context.time > 0 else { return facts.arrived }
    return context.publishes ? context.time : min(facts.arrived, context.time)
  }
}

extension FileFacts {
  /// When the file came to this file system, as far as that says: its birth, which copies do not take along. Without one, when
  /// anything about it changed last, which is never before it came; its content may have changed long before that.
  package var arrived: Int64 {
    if identity.birthTime != 0 { return identity.birthTime }
    return changed != 0 ? changed : modified
  }
}
