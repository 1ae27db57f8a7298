internal import Authorization
internal import CLinux
internal import EventLoop
internal import Glibc
internal import Linux

extension ProcessInstance {
  /// The run of a process that is alive now; `nil` when there is none or /proc does not show it.
  static func running(_ pid: Int32) -> ProcessInstance? {
    guard let bootID = SmallFile.bootID,
      let startTime = SmallFile.text("/proc/\(pid)/stat").flatMap(startTime)
    else { return nil }
    return ProcessInstance(pid: pid, startTime: startTime, bootID: bootID)
  }
}

/// Tells once when a process has ended: a pidfd becomes readable then (pidfd_open(2)).
@EventLoopActor
final class ProcessWatch {
  private let process: OwnedDescriptor
  private var source: IOSource?

  /// - Returns: `nil` when that run of the process has ended already.
  init?(_ instance: ProcessInstance, ended: @escaping @EventLoopActor () -> Void) {
    let descriptor = linux_pidfd_open(instance.pid, 0)
    guard descriptor >= 0 else { return nil }
    process = OwnedDescriptor(owning: descriptor)
    // Pinned first, compared then: the number may be another process's by now.
    guard ProcessInstance.running(instance.pid) == instance else { return nil }
    do throws(SystemError) {
      source = try IOSource(process.number, .readable) { [unowned self] _ in
        source?.cancel()
        source = nil
        ended()
      }
    } catch {
      return nil
    }
  }

  isolated deinit {
    source?.cancel()
  }
}
