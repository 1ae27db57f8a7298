import Glibc
import Linux

extension OwnedDescriptor {
  /// Everything from the beginning.
  borrowing func readAll() throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = try retryingInterrupts("pread") { pread(number, &buffer, buffer.count, off_t(bytes.count)) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  borrowing func write(_ bytes: [UInt8]) throws {
    let count = try retryingInterrupts("write") { Glibc.write(number, bytes, bytes.count) }
    guard count == bytes.count else { throw SystemError("write", code: ENOSPC) }
  }
}

/// Opens a file for writing, made if it is not there.
func openForWriting(_ path: String, _ flags: CInt = O_CREAT) throws -> OwnedDescriptor {
  try OwnedDescriptor(open(path, O_WRONLY | O_CLOEXEC | flags, 0o644), call: "open", subject: path)
}
