internal import EventLoop
internal import Glibc
internal import Linux

/// Tells when something was mounted or unmounted: /proc/self/mountinfo raises an exceptional condition
/// (proc(5), poll(2) POLLPRI). inotify says nothing of a mount *over* a watched directory (race 10).
@EventLoopActor
final class MountTable {
  private let descriptor: OwnedDescriptor
  private var source: IOSource?

  init(changed: @escaping @EventLoopActor () -> Void) throws(SystemError) {
    descriptor = try OwnedDescriptor(
      open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC), call: "open", subject: "/proc/self/mountinfo")
    // EPOLLPRI; the first report may be of what was before, and costs one look.
    source = try IOSource(descriptor.number, IOSource.Events(rawValue: 0x2)) { _ in changed() }
  }

  isolated deinit {
    source?.cancel()
  }
}
