import AlbumDaemon
import ArgumentParser
import Linux

/// The helper processes of this daemon: forked in main, used when it serves.
enum Helpers {
  /// `nil` where the service manager, or a person, only asks something.
  static let processes: HelperProcesses? = {
    let questions: Set<String> = ["--help", "-h", "--version", "--check-config", "--experimental-dump-help"]
    guard questions.isDisjoint(with: CommandLine.arguments) else { return nil }
    do { return try HelperProcesses.start() } catch {
      StandardStream.error.write("albumd does not start: \(error)\n")
      return nil
    }
  }()

  /// Forks them. To be called while the process has one thread.
  static func start() {
    _ = processes
  }
}
