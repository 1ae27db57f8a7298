internal import CLinux
internal import Glibc

/// What the kernel lets this process have (getrlimit(2)).
public enum ResourceLimits {
  /// Raises the number of open descriptors to all that is allowed. The default is kept low for programs that
  /// use select(2), which this is none of.
  public static func raiseOpenFiles() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// How many descriptors may be open (RLIMIT_NOFILE), and of those that were sent how many unread (unix(7)).
  public static var openFiles: Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
    return Int(clamping: limit.rlim_cur)
  }

  /// Gives memory back that was used for a while: what is large is mapped by itself however often it is needed, and
  /// threads share two heaps instead of eight a processor (mallopt(3)).
  public static func returnMemory() {
    linux_return_memory()
  }
}
