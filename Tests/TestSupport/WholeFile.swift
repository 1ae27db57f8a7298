public import Glibc
public import Linux
internal import Synchronization

/// Writes a file in one sitting. When this returns it is complete (S40): nobody has it open for writing.
///
/// A child has all that is open where it is forked, until it comes to execve(2) or has closed it; and where closing waits, as for a
/// file system that does not answer (fuse(4), flush), it has the rest as long: a file that is being written as well, which
/// then does not count yet. So this is written where none is forked (``FileWriter``).
///
/// - Parameters:
///   - path: bytes, which need not be UTF-8.
///   - flags: of open(2), beside those that everybody needs.
/// - Throws: ``Linux/SystemError``; ENOSPC also where a part of it was written.
public func writeWhole(
  _ path: UnsafePointer<CChar>, _ bytes: some Collection<UInt8>, _ flags: CInt = O_CREAT | O_TRUNC
) throws(SystemError) {
  let (path, bytes) = (Array(UnsafeBufferPointer(start: path, count: strlen(path) + 1)), Array(bytes))
  let result = Mutex(Result<Void, SystemError>.success(()))
  FileWriter.shared.run {
    result.withLock { $0 = Result { () throws(SystemError) in try write(bytes, to: path, flags) } }
  }
  try result.withLock { $0 }.get()
}

private func write(_ bytes: [UInt8], to path: [CChar], _ flags: CInt) throws(SystemError) {
  let subject = String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  let file = try OwnedDescriptor(
    open(path, O_WRONLY | O_CLOEXEC | flags, 0o644), call: "open", subject: subject)
  let number = file.number
  let count = try retryingInterrupts("write", subject: subject) { write(number, bytes, bytes.count) }
  guard count == bytes.count else { throw SystemError("write", code: ENOSPC, subject: subject) }
}
