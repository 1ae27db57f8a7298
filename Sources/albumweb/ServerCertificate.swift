internal import Glibc
internal import Linux
internal import NIOCore
internal import NIOSSL
internal import Synchronization

/// What the page shows to browsers that reach it from elsewhere (S61): a certificate with its chain, and its key.
///
/// Certificates are renewed every few weeks: when a connection comes, and one of the files is another than before, both are
/// read again. While what is there is no whole pair, the one before holds.
final class ServerCertificate: Sendable {
  /// Why a pair of files is none.
  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  private struct State {
    var context: NIOSSLContext
    var files: [FileStamp?]
    /// In seconds since the boot.
    var lastLook: Int64
    /// Whether it was told that what is there is no pair.
    var isTold = false
  }

  private let chain: String
  private let key: String
  private let state: Mutex<State>

  /// - Parameters:
  ///   - chain: the path of a file of certificates, the server's own first (PEM, RFC 7468).
  ///   - key: the path of the file of its key (PEM, without a passphrase).
  /// - Throws: ``Problem``.
  init(chain: String, key: String) throws(Problem) {
    self.chain = chain
    self.key = key
    // Before they are read: what is written meanwhile is read once more.
    let files = [FileStamp(chain), FileStamp(key)]
    let context = try Self.read(chain, key)
    state = Mutex(State(context: context, files: files, lastLook: Desk.sinceBoot))
  }

  /// What stands between a connection and what is read of it.
  func handler() -> NIOSSLServerHandler { NIOSSLServerHandler(context: current()) }

  private func current() -> NIOSSLContext {
    state.withLock { state in
      let now = Desk.sinceBoot
      guard now > state.lastLook else { return state.context }
      state.lastLook = now
      let files = [FileStamp(chain), FileStamp(key)]
      guard files != state.files else { return state.context }
      state.files = files
      do throws(Problem) {
        state.context = try Self.read(chain, key)
        state.isTold = false
        Log.note("The certificate was read again: \(chain)")
      } catch {
        // Tried again with the next look: what kept it from being read may show in no file.
        state.files = []
        if !state.isTold { Log.warning("The certificate is still the one before: \(error.description)") }
        state.isTold = true
      }
      return state.context
    }
  }

  private static func read(_ chain: String, _ key: String) throws(Problem) -> NIOSSLContext {
    let certificates: [NIOSSLCertificate]
    do { certificates = try NIOSSLCertificate.fromPEMFile(chain) } catch {
      throw Problem(description: "\(chain) has no certificates that can be read (PEM): \(error)")
    }
    guard !certificates.isEmpty else { throw Problem(description: "\(chain) has no certificate (PEM).") }
    do {
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: certificates.map { .certificate($0) },
        privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
      configuration.minimumTLSVersion = .tlsv12
      configuration.applicationProtocols = ["http/1.1"]
      // Whoever is sent away is gone, whatever they answer: until then their connection counts.
      configuration.shutdownTimeout = .milliseconds(100)
      return try NIOSSLContext(configuration: configuration)
    } catch {
      throw Problem(
        description: "\(key) has no key (PEM, without a passphrase) of the certificate in \(chain): \(error)")
    }
  }
}

/// What tells a file from the one that was under its name before.
private struct FileStamp: Hashable {
  private let device: UInt64
  private let inode: UInt64
  private let size: Int64
  private let seconds: Int
  private let nanoseconds: Int

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}
