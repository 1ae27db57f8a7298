internal import Glibc

/// A unit of this user's systemd(1).
enum UserUnit {
  /// Starts one with systemctl(1), and waits until it is started.
  ///
  /// - Returns: false where there is none of this name, or no systemd.
  static func start(_ name: String) -> Bool {
    var pid = pid_t()
    let words = ["systemctl", "--user", "--quiet", "--no-ask-password", "start", name]
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    // What it says of a unit that is not there helps nobody: the page is not running, which is said.
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    guard posix_spawnp(&pid, "systemctl", &actions, nil, arguments, environ) == 0 else { return false }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 { if errno != EINTR { return false } }
    return status == 0
  }
}
