internal import DaemonConfiguration
internal import EventLoop
internal import LibraryIO
internal import Linux
internal import Varlink
internal import VarlinkServer
internal import VarlinkTransport

extension VarlinkServer {
  /// The daemon's, which tells apps nothing of its files.
  convenience init(
    _ configuration: Configuration, helpers: HelperProcesses, identification: Identification,
    callers: Callers, failures: ThrottledLog, refusals: ThrottledLog, indexDamage: IndexDamage,
    messages: ErrorMessages
  ) {
    var limits = Limits()
    limits.messageBytes = configuration.limits.messageBytes
    limits.connectionsPerUser = configuration.limits.connectionsPerUser
    limits.connections = configuration.limits.connections
    limits.fit(openFiles: ResourceLimits.openFiles)
    self.init(
      identity: .init(
        vendor: "albumd", product: "albumd", version: Daemon.version, url: "https://github.com/albumd/albumd"),
      limits: limits, porter: Porter(control: OwnedDescriptor(owning: helpers.porter)),
      admission: PeerAdmission(identification: identification, reader: DirectEvidenceReader()),
      failureText: { error, call in
        indexDamage.look(at: error)
        // The names of the daemon's files, and the database's words, are no app's affair.
        if error is LibraryFileError || (try? callers.mayActAsOwner(call)) ?? false { return "\(error)" }
        failures.note(
          "\(Quoted(call.call.method)): \(error)", uid: call.connection.peer.uid,
          metadata: callers.metadata(of: call)
        )
        return messages.notServed(call)
      }, rewording: messages.rewording
    ) { uid, reason in
      refusals.note("A peer was refused: \(Quoted(reason, byteLimit: 256))", uid: uid)
    }
  }
}
