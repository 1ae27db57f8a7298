internal import CSystemd
internal import Glibc
public import Linux

/// What the daemon tells the service manager, and what it gets from it. Without a service manager each of
/// these does nothing.
public enum ServiceManager {
  /// Start-up is complete: `READY=1` (sd_notify(3)).
  public static func ready(status: String) {
    notify("READY=1\nSTATUS=\(singleLine(status))")
  }

  /// One line for `systemctl status`.
  public static func status(_ status: String) {
    notify("STATUS=\(singleLine(status))")
  }

  /// A reload begins: `RELOADING=1`; ``ready(status:)`` ends it.
  public static func reloading() {
    notify("RELOADING=1\nMONOTONIC_USEC=\(Clock.monotonic)")
  }

  /// The end begins: `STOPPING=1`.
  public static func stopping() {
    notify("STOPPING=1")
  }

  private static func notify(_ state: String) {
    sd_notify(0, state)
  }

  private static func singleLine(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }

  /// Hands each socket that the service manager opened to `body`, once (sd_listen_fds(3)).
  ///
  /// - Throws: ``Linux/SystemError`` when what was handed over makes no sense.
  public static func takeListeners(
    _ body: (consuming OwnedDescriptor) throws -> Void
  ) throws {
    let count = sd_listen_fds(1)
    guard count >= 0 else { throw SystemError("sd_listen_fds", code: -count) }
    for index in 0..<count {
      try body(OwnedDescriptor(owning: SD_LISTEN_FDS_START + index))
    }
  }
}
