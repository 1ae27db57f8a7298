import Glibc

/// How many descriptors this process may have open: for tests in a process of their own.
struct DescriptorLimit {
  private let former: rlim_t

  /// From now on no new descriptor has that number or a higher one.
  init(_ count: CInt) {
    former = Self.limit.rlim_cur
    Self.set(rlim_t(count))
  }

  /// It is over.
  func end() { Self.set(former) }

  private static var limit: rlimit {
    var limit = rlimit()
    precondition(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
    return limit
  }

  private static func set(_ count: rlim_t) {
    var limit = limit
    limit.rlim_cur = count
    precondition(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
  }
}
