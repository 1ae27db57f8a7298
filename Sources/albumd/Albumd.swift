import AlbumDaemon
import ArgumentParser
import DaemonConfiguration
import EventLoop
import Glibc
import Linux
import Logging

/// The daemon's command line.
struct Albumd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "albumd",
    abstract: "The photo-library permission broker.",
    discussion: """
      Serves io.albumd on a Unix socket: the one that the service manager hands over, else the one at \
      --socket. App manifests, policies and guides are read from apps.d, policies.d and guides beside the \
      configuration file. SIGHUP reads the configuration again, SIGTERM stops.
      """,
    version: Daemon.version)

  @Option(
    name: .customLong("config"),
    help: """
      The configuration file (default: /etc/albumd/albumd.yaml; with --user albumd/albumd.yaml in \
      $XDG_CONFIG_HOME, which is ~/.config).
      """)
  var configurationFile: String?

  @Option(help: "Where to listen when no socket is handed over (default: /run/albumd/io.albumd).")
  var socket: String?

  @Flag(help: "Serve this user's own library, with files from the XDG directories.")
  var user = false

  @Flag(help: "Check the configuration and exit: 0 if it is right, else 1 with errors, twenty of a file.")
  var checkConfig = false

  @Option(
    help: """
      Where to keep previews (default: $CACHE_DIRECTORY; with --user albumd in $XDG_CACHE_HOME, which is ~/.cache; \
      else in the state directory).
      """)
  var cache: String?

  @Option(
    help: """
      A socket at which a service manager starts albumd-pictures for each connection (default: albumd starts \
      it itself, from beside its own program or from libexec).
      """)
  var pictures: String?

  @Option(help: .hidden)
  var vendorDirectory = "/usr/share/albumd"

  func run() throws {
    let places = user ? Places.ofUser : Places.ofSystem
    let options = Daemon.Options(
      configurationFile: configurationFile.map(absolute) ?? places.configurationFile,
      vendorDirectory: vendorDirectory,
      defaultState: places.state, socketPath: socket ?? places.socket,
      pictures: pictures.map { .socket($0) } ?? .besideThis, cache: cache ?? places.cache)
    let configuration: Configuration
    do throws(ConfigurationErrors) { configuration = try options.load() } catch {
      StandardStream.error.write("\(error)\n")
      throw ExitCode(1)
    }
    if checkConfig {
      for fault in configuration.faults { StandardStream.error.write("\(fault)\n") }
      if !configuration.faults.isEmpty { throw ExitCode(1) }
      return
    }
    let status = try serve(configuration, options)
    if status != 0 { throw ExitCode(status) }
  }

  /// Clients are told this path, and stand elsewhere.
  private func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    return "\(String(cString: here))/\(path)"
  }

  /// Builds, starts, loops.
  private func serve(_ configuration: Configuration, _ options: Daemon.Options) throws -> CInt {
    LoggingSystem.bootstrap { _ in JournalLogHandler() }
    let log = Logger(label: "albumd")
    guard let helpers = Helpers.processes else { throw ExitCode(1) }
    let daemon = try EventLoopActor.assumeIsolated {
      do {
        let daemon = try Daemon(
          configuration: configuration, options: options, helpers: helpers, log: log)
        try daemon.start()
        return daemon
      } catch {
        log.critical("albumd does not start: \(error)")
        throw ExitCode(1)
      }
    }
    let status = EventLoop.shared.run()
    EventLoopActor.assumeIsolated { daemon.stop() }
    return status
  }
}

/// Where things are when nothing else is said.
private struct Places {
  let configurationFile: String
  let state: String
  let socket: String
  let cache: String?

  static let ofSystem = Places(
    configurationFile: "/etc/albumd/albumd.yaml", state: variable("STATE_DIRECTORY") ?? "/var/lib/albumd",
    socket: "/run/albumd/io.albumd", cache: variable("CACHE_DIRECTORY"))

  /// Source: the XDG base directory specification.
  static var ofUser: Places {
    let home = variable("HOME") ?? "/"
    return Places(
      configurationFile: "\(variable("XDG_CONFIG_HOME") ?? "\(home)/.config")/albumd/albumd.yaml",
      state: variable("STATE_DIRECTORY") ?? "\(variable("XDG_STATE_HOME") ?? "\(home)/.local/state")/albumd",
      socket: "\(variable("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())")/albumd/io.albumd",
      cache: variable("CACHE_DIRECTORY") ?? "\(variable("XDG_CACHE_HOME") ?? "\(home)/.cache")/albumd")
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
