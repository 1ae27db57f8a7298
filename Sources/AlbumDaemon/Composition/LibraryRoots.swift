internal import EventLoop
internal import LibraryIO
internal import Varlink
internal import VarlinkServer

/// The roots that are served until the end of this daemon.
@EventLoopActor
struct LibraryRoots {
  let monitor: LibraryMonitor
  let paths: [String]

  /// Compares the library with the disk, taking what is there for these roots.
  ///
  /// - Throws: `InvalidParameter` for what is none of them.
  func rescan(accepting accepted: Set<String>) throws {
    guard accepted.isSubset(of: paths) else { throw InvalidParameter(parameter: "acceptRoots") }
    monitor.rescan(accepting: accepted)
  }
}
