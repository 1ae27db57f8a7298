internal import CLinux
internal import Glibc
internal import Linux

/// Opens the page in the person's browser.
enum PageOpener {
  /// By `albumctl page --open`, which asks at this socket and knows how (docs/decisions/0104-a-link-in-a-file.md).
  static func open(entry: String) {
    var words = [albumctl, "page", "--open", "--entry", entry]
    // A browser could not live by the rules of this unit, and would end with it.
    if let runtime = getenv("XDG_RUNTIME_DIR"),
      access(String(cString: runtime) + "/systemd/private", F_OK) == 0
    {
      words = ["systemd-run", "--user", "--quiet", "--collect", "--property=KillMode=process", "--"] + words
    }
    let command = words
    // Waited for, so that nothing is left of it.
    ThreadReserve.shared.run {
      if run(command) != 0 { Log.warning("The page could not be opened: \(command[0]) has failed.") }
    }
  }

  /// The one beside this program, else the one in PATH.
  private static var albumctl: String {
    var own = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &own, own.count)
    let bytes = own.prefix(max(0, length)).map { UInt8(bitPattern: $0) }
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "albumctl" }
    let path = String(decoding: bytes[...slash], as: UTF8.self) + "albumctl"
    return access(path, X_OK) == 0 ? path : "albumctl"
  }

  /// - Returns: its exit status; -1 where it could not be started or was ended.
  private static func run(_ words: [String]) -> CInt {
    let arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // This program ignores one signal and waits for others; a browser is to do neither.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var child = pid_t()
    guard posix_spawnp(&child, words[0], nil, &attributes, arguments, linux_environment()) == 0 else {
      return -1
    }
    var status: CInt = 0
    guard (try? retryingInterrupts("waitpid") { waitpid(child, &status, 0) }) != nil else { return -1 }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
  }
}
