internal import Glibc

/// Whole texts to a descriptor, without the C library's streams, whose variables Swift cannot prove safe.
public enum StandardStream: CInt, Sendable {
  /// What a person should know.
  case error = 2

  /// Writes everything, however often the kernel wants to be asked.
  ///
  /// What cannot be written (a closed pipe, a full disk) is dropped: there is nowhere to report it.
  public func write(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      var rest = UnsafeRawBufferPointer(utf8)
      while !rest.isEmpty {
        let written = Glibc.write(rawValue, rest.baseAddress, rest.count)
        if written > 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        } else if errno != EINTR {
          return
        }
      }
    }
  }
}
