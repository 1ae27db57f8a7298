internal import CLinux
internal import Glibc
internal import Linux

extension OwnedDescriptor {
  /// Writes everything that is in the file to another, in steps.
  ///
  /// - Parameter goesOn: told how many bytes are there by now; false ends it.
  /// - Returns: whether it came to the end.
  borrowing func copy(to target: CInt, _ goesOn: (Int) -> Bool) throws(SystemError) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 1 << 18)
    var offset = 0
    while goesOn(offset) {
      let count = try retryingInterrupts("pread") { pread(number, &bytes, bytes.count, offset) }
      if count == 0 { return true }
      var rest = bytes[..<count]
      while !rest.isEmpty {
        let written = try retryingInterrupts("write") {
          rest.withUnsafeBytes { Glibc.write(target, $0.baseAddress, $0.count) }
        }
        rest = rest.dropFirst(written)
      }
      offset += count
    }
    return false
  }

  /// How many bytes are in the file; 0 where nobody says.
  borrowing func byteCount() -> Int {
    var facts = stat()
    return fstat(number, &facts) == 0 ? Int(facts.st_size) : 0
  }
}
