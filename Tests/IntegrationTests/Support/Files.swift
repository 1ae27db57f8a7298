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

/// Bytes that need not be UTF-8, as a path beneath a directory.
func path(_ directory: String, _ name: [UInt8]) -> [CChar] {
  (Array(directory.utf8) + [UInt8(ascii: "/")] + name + [0]).map { CChar(bitPattern: $0) }
}

/// Device and inode: which file it is.
struct FileNumber: Equatable {
  let device: dev_t
  let inode: ino_t
  let mode: mode_t

  init(of path: String) throws {
    var status = stat()
    try retryingInterrupts("stat", subject: path) { stat(path, &status) }
    self.init(status)
  }

  init(of descriptor: borrowing OwnedDescriptor) throws {
    var status = stat()
    let number = descriptor.number
    try retryingInterrupts("fstat") { fstat(number, &status) }
    self.init(status)
  }

  private init(_ status: stat) {
    (device, inode, mode) = (status.st_dev, status.st_ino, status.st_mode)
  }
}
