import Glibc
import Linux
import Synchronization

/// A file system in user space, as a peer may make one (fuse(4)): an empty directory, of which every request is counted.
/// One that is silent never answers what a directory holds.
final class UserFileSystem: Sendable {
  private let path: String
  private let device: CInt
  private let requests = Mutex(0)
  private let silences = Mutex(0)

  /// Whether this process may mount one.
  static let isPossible: Bool = {
    guard let library = try? TemporaryLibrary() else { return false }
    return (try? UserFileSystem(at: library.photos)) != nil
  }()

  init(at path: String, isSilent: Bool = false) throws {
    self.path = path
    let device = open("/dev/fuse", O_RDWR | O_CLOEXEC)
    guard device >= 0 else { throw SystemError("open", subject: "/dev/fuse") }
    self.device = device
    let options = "fd=\(device),rootmode=40000,user_id=0,group_id=0,allow_other"
    guard mount("albumd-test", path, "fuse", 0, options) == 0 else {
      let error = SystemError("mount", subject: path)
      close(device)
      throw error
    }
    guard runDetached({ [weak self] in Self.serve(device, isSilent) { self?.note($0) } }) else {
      throw SystemError("pthread_create", code: EAGAIN)
    }
  }

  deinit { umount2(path, CInt(MNT_DETACH)) }

  /// Ends what waits for an answer (umount2(2), MNT_FORCE), and is no more.
  func abort() { umount2(path, CInt(MNT_FORCE)) }

  private func note(_ operation: UInt32) {
    requests.withLock { $0 += 1 }
    if operation == Self.readDirectory { silences.withLock { $0 += 1 } }
  }

  /// FUSE_READDIR.
  private static let readDirectory: UInt32 = 28
  /// How often somebody asked what the directory holds.
  var readCount: Int { silences.withLock { $0 } }

  /// How many there were, but for the first one, which the kernel sends when it is mounted.
  var requestCount: Int { requests.withLock { max(0, $0 - 1) } }

  /// Answers until it is unmounted: it owns the device.
  private static func serve(_ device: CInt, _ isSilent: Bool, _ count: (UInt32) -> Void) {
    let device = OwnedDescriptor(owning: device)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 8)
    defer { buffer.deallocate() }
    while true {
      let length = read(device.number, buffer.baseAddress, buffer.count)
      if length < 0, errno == EINTR || errno == ENOENT { continue }
      guard length >= 40 else { return }
      // struct fuse_in_header (linux/fuse.h): length, what is asked for, and the number of the request.
      let operation = buffer.load(fromByteOffset: 4, as: UInt32.self)
      let number = buffer.load(fromByteOffset: 8, as: UInt64.self)
      count(operation)
      if isSilent, operation == readDirectory { continue }
      guard let answer = answer(to: operation) else { continue }
      var reply = [UInt8]()
      reply.append(native: UInt32(16 + answer.content.count))
      reply.append(native: answer.error)
      reply.append(native: number)
      reply += answer.content
      _ = write(device.number, reply, reply.count)
    }
  }

  /// Nil where none is expected.
  private static func answer(to operation: UInt32) -> (error: Int32, content: [UInt8])? {
    var content: [UInt8] = []
    switch operation {
    // FUSE_FORGET, FUSE_BATCH_FORGET.
    case 2, 42: return nil
    // FUSE_INIT: version 7.31, and no features.
    case 26:
      for value in [7, 31, 65536, 0] as [UInt32] { content.append(native: value) }
      content += [UInt8](repeating: 0, count: 48)
      return (0, content)
    // FUSE_GETATTR: a directory for everybody.
    case 3:
      content += [UInt8](repeating: 0, count: 16)
      content.append(native: UInt64(1))
      content += [UInt8](repeating: 0, count: 52)
      for value in [0o40755, 2, 0, 0, 0, 4096, 0] as [UInt32] { content.append(native: value) }
      return (0, content)
    // FUSE_STATFS: there is room in blocks of 4 KiB.
    case 17:
      for value in [1000, 500, 500, 10, 10] as [UInt64] { content.append(native: value) }
      for value in [4096, 255, 4096, 0] as [UInt32] { content.append(native: value) }
      content += [UInt8](repeating: 0, count: 24)
      return (0, content)
    // FUSE_LOOKUP: there is nothing in it.
    case 1: return (-ENOENT, [])
    default: return (-ENOSYS, [])
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append<Value: FixedWidthInteger>(native value: Value) {
    Swift.withUnsafeBytes(of: value) { append(contentsOf: $0) }
  }
}
