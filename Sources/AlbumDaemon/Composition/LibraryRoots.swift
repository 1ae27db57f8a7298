internal import EventLoop
internal import LibraryIO
internal import Varlink
internal import VarlinkServer

/// The roots that are served until the end of this daemon.
@EventLoopActor
struct LibraryRoots {
  let monitor: LibraryMonitor

  /// Compares the library with the disk, taking what is there for these roots.
  ///
  /// - Throws: `InvalidParameter` for what is none of them.
  func rescan(accepting accepted: Set<String>) throws {
    guard accepted.allSatisfy(monitor.mayAccept) else { throw InvalidParameter(parameter: "acceptRoots") }
    monitor.rescan(accepting: accepted)
  }
}
