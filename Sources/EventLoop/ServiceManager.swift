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
    notify("RELOADING=1\nMONOTONIC_USEC=\(monotonicNow())")
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

  /// A descriptor that was handed over, and its name (`FileDescriptorName=`).
  public struct Listener: ~Copyable {
    /// The socket.
    public let descriptor: OwnedDescriptor
    /// Its name in the unit.
    public let name: String

    /// Gives the socket to the caller.
    public consuming func take() -> OwnedDescriptor { descriptor }
  }

  /// Hands each socket that the service manager opened to `body`, once (sd_listen_fds_with_names(3)).
  ///
  /// - Throws: ``Linux/SystemError`` when what was handed over makes no sense.
  public static func takeListeners(
    _ body: (consuming Listener) throws -> Void
  ) throws {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_listen_fds_with_names(1, &names)
    guard count >= 0 else { throw SystemError("sd_listen_fds_with_names", code: -count) }
    defer {
      for index in 0..<Int(count) { free(names?[index]) }
      free(names)
    }
    for index in 0..<count {
      let name = names?[Int(index)].map { String(cString: $0) } ?? ""
      try body(Listener(descriptor: OwnedDescriptor(owning: SD_LISTEN_FDS_START + index), name: name))
    }
  }
}
