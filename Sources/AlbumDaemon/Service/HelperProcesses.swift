internal import Linux
internal import VarlinkServer

/// The processes beside the daemon's own, which do what could hang it. They are forked first of all, while the process
/// has one thread and holds nothing that is not theirs to see.
package struct HelperProcesses: Sendable {
  let porter: CInt

  /// Forks them.
  ///
  /// - Precondition: the process has no other threads yet.
  /// - Throws: ``StartupError``.
  package static func start() throws -> HelperProcesses {
    do throws(SystemError) { return HelperProcesses(porter: try Porter.fork().take()) } catch {
      throw StartupError(
        "No process is to be had for what peers send: \(error). See TasksMax= and RLIMIT_NPROC.")
    }
  }
}
