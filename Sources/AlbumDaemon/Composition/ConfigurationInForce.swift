internal import Authorization
internal import DaemonConfiguration
internal import EventLoop
internal import Linux

/// The configuration: as it was read last, and at the start.
@EventLoopActor
final class ConfigurationInForce {
  let options: Daemon.Options
  /// What was read at the start, for what is not read again.
  let initial: Configuration
  /// What holds now.
  private(set) var current: Configuration

  init(_ configuration: Configuration, options: Daemon.Options) {
    initial = configuration
    current = configuration
    self.options = options
  }

  /// Reads it again; with errors nothing has changed (S38).
  ///
  /// Off the loop: names of users and groups are looked up in a database that may be far away (nsswitch.conf(5)).
  func readAgain() async throws(ConfigurationErrors) -> Configuration {
    let (options, former) = (options, current)
    let read: Result<Configuration, ConfigurationErrors> = await withCheckedContinuation { continuation in
      ThreadReserve.shared.run {
        let read: Result<Configuration, ConfigurationErrors>
        do throws(ConfigurationErrors) { read = .success(try options.load(former: former)) } catch {
          read = .failure(error)
        }
        continuation.resume(returning: read)
      }
    }
    current = try read.get()
    return current
  }
}
