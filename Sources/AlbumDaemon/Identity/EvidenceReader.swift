internal import Authorization
internal import Linux
internal import VarlinkTransport

/// What was found out about a process, and the process, to be looked at again.
struct ReadEvidence: Sendable {
  let evidence: PeerEvidence
  let process: KnownProcess
}

/// Reads the evidence about processes.
protocol EvidenceReader: Sendable {
  /// Reads it, however long that takes, and tells it later, on whatever thread.
  ///
  /// - Parameter done: called once, after this has returned.
  func read(
    _ process: PeerCredentials, done: @escaping @Sendable (Result<ReadEvidence, UnidentifiedPeer>) -> Void)
}

/// Reads it in this process, each on a thread for this alone: the root directory of the process that is looked at may be
/// a file system of its own that never answers.
struct DirectEvidenceReader: EvidenceReader {
  func read(
    _ process: PeerCredentials, done: @escaping @Sendable (Result<ReadEvidence, UnidentifiedPeer>) -> Void
  ) {
    let isRead = runDetached {
      let evidence: Result<ReadEvidence, UnidentifiedPeer>
      do throws(UnidentifiedPeer) {
        evidence = .success(try ProcessInspector.evidence(about: process))
      } catch { evidence = .failure(error) }
      done(evidence)
    }
    if !isRead { done(.failure(UnidentifiedPeer(reason: "no thread is to be had to look at it: try again"))) }
  }
}
