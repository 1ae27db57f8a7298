internal import Glibc

/// Where the daemon's socket is.
public enum SocketPath {
  /// The system's daemon.
  public static let system = "/run/albumd/io.albumd"
  /// Names a socket for every client of an environment.
  public static let variable = "ALBUMD_SOCKET"

  /// The path given, else that of `ALBUMD_SOCKET`, else the user's own daemon if its socket exists, else
  /// the system's.
  public static func find(explicit: String?) -> String {
    find(explicit: explicit, environment: environmentValue) { access($0, F_OK) == 0 }
  }

  static func find(
    explicit: String?, environment: (String) -> String?, exists: (String) -> Bool
  ) -> String {
    if let explicit { return explicit }
    if let named = environment(variable), !named.isEmpty { return named }
    // The XDG Base Directory Specification: a relative path is to be ignored.
    if let runtime = environment("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") {
      let path = runtime + "/albumd/io.albumd"
      if exists(path) { return path }
    }
    return system
  }
}

/// getenv(3).
private func environmentValue(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
