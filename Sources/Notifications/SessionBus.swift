internal import Glibc

/// The bus of the person's session.
package enum SessionBus {
  /// Its address (D-Bus Specification, "Well-known Message Bus Instances"); nil where there is none.
  package static var address: String? {
    if let address = variable("DBUS_SESSION_BUS_ADDRESS") { return address }
    guard let runtime = variable("XDG_RUNTIME_DIR"), runtime.hasPrefix("/"),
      access(runtime + "/bus", F_OK) == 0
    else { return nil }
    return "unix:path=" + escape(runtime + "/bus")
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A path as a value of an address.
  private static func escape(_ path: String) -> String {
    path.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."):
        String(Unicode.Scalar(byte))
      default:
        (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
      }
    }.joined()
  }
}
