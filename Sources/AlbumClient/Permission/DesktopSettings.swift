internal import CLinux
internal import Glibc
internal import Linux

/// The desktop that this process runs on.
enum DesktopSettings {
  /// As it names itself (XDG_CURRENT_DESKTOP); nil where there is none.
  static var current: String? {
    getenv("XDG_CURRENT_DESKTOP").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Opens the address of a settings page with what the person opens such with (xdg-open).
  ///
  /// - Parameter folders: where programs are looked for, as in `PATH`; where this process does when empty.
  /// - Returns: whether there is something that takes it.
  static func open(_ address: String, in folders: String = "") async throws(AlbumError) -> Bool {
    // Never a file, or what a program of any other scheme would make of it.
    let isOurs = SettingsURI(address) != nil
    guard isOurs || address.hasPrefix("http://") || address.hasPrefix("https://") else { return false }
    return try await run(
      ["xdg-open", address], asking: isOurs ? "x-scheme-handler/albumd" : "", in: folders)
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
  ///
  /// - Parameter type: of which the desktop must know a program, where it can be asked: in a sandbox it cannot.
  private static func run(
    _ words: [String], asking type: String = "", in folders: String = ""
  ) async throws(AlbumError) -> Bool {
    try await WorkLane.once(about: words[0]) { spawn(words, type, folders) }
  }

  private static func spawn(_ words: [String], _ type: String, _ folders: String) -> Bool {
    // By a shell that ends at once, so that nobody has to wait for the program; its words are arguments, not text.
    let script = """
      type=$1; PATH=${2:-$PATH}; shift 2; command -v "$1" >/dev/null || exit 127
      if [ -n "$type" ] && command -v xdg-mime >/dev/null; then
        [ -n "$(xdg-mime query default "$type" 2>/dev/null)" ] || exit 127
      fi
      "$@" >/dev/null 2>&1 </dev/null &
      """
    let arguments = (["sh", "-c", script, "sh", type, folders] + words).map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child = pid_t()
    guard posix_spawnp(&child, "sh", nil, nil, arguments, linux_environment()) == 0 else { return false }
    var status: CInt = 0
    return (try? retryingInterrupts("waitpid") { waitpid(child, &status, 0) }) != nil && status == 0
  }
}
