internal import CLinux
internal import Glibc

extension OwnedDescriptor {
  /// Gives another file the time at which the content of this one last changed (futimens(2)). A file system without
  /// times keeps its own: the content is there all the same.
  package borrowing func passOnModificationTime(to target: CInt) {
    var facts = stat()
    guard fstat(number, &facts) == 0 else { return }
    _ = futimens(target, [timespec(tv_sec: 0, tv_nsec: Int(LINUX_UTIME_OMIT)), facts.st_mtim])
  }
}
