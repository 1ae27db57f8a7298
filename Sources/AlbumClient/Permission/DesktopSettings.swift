internal import CLinux
internal import Glibc
internal import Linux

/// The desktop that this process runs on.
enum DesktopSettings {
  /// As it names itself (XDG_CURRENT_DESKTOP); nil where there is none.
  static var current: String? {
    getenv("XDG_CURRENT_DESKTOP").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Opens an address, such as that of a settings page, with what the person opens such with (xdg-open).
  ///
  /// - Returns: whether something took it.
  static func open(_ address: String) async throws(AlbumError) -> Bool {
    // Never a file, or what a program of its own scheme would make of it.
    guard address.hasPrefix("http://") || address.hasPrefix("https://") else { return false }
    return try await run(["xdg-open", address])
  }

  /// Opens the settings of the desktop's background.
  ///
  /// - Parameter command: as the guide of a saved wallpaper has it; anything else is not run.
  static func openBackground(_ command: String) async throws(AlbumError) -> Bool {
    guard backgrounds.contains(command) else { return false }
    return try await run(command.split(separator: " ").map(String.init))
  }

  /// What is run: not whatever somebody at the socket says.
  private static let backgrounds = [
    "gnome-control-center background", "systemsettings kcm_wallpaper", "xfdesktop-settings",
  ]

  /// Starts a program and lets it go on by itself.
  private static func run(_ words: [String]) async throws(AlbumError) -> Bool {
    try await WorkLane.once(about: words[0]) { spawn(words) }
  }

  private static func spawn(_ words: [String]) -> Bool {
    // By a shell that ends at once, so that nobody has to wait for the program; its words are arguments, not text.
    let script = #"command -v "$1" >/dev/null || exit 127; "$@" >/dev/null 2>&1 </dev/null &"#
    let arguments = (["sh", "-c", script, "sh"] + words).map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child = pid_t()
    guard posix_spawnp(&child, "sh", nil, nil, arguments, linux_environment()) == 0 else { return false }
    var status: CInt = 0
    return (try? retryingInterrupts("waitpid") { waitpid(child, &status, 0) }) != nil && status == 0
  }
}
