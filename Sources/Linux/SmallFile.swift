internal import Glibc

/// Files that one read(2) takes in, such as those of proc(5).
public enum SmallFile {
  /// What is in it, or its first `limit` bytes; nil when it cannot be read.
  public static func text(_ path: String, limit: Int = 8192) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let file = OwnedDescriptor(owning: descriptor)
    return text(of: file.number, limit: limit)
  }

  /// The same of one that is open; when nil, `errno` says why.
  public static func text(of descriptor: CInt, limit: Int) -> String? {
    withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { buffer in
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      return count >= 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
  }

  /// Everything in a file that is open, if that is no more than `limit` bytes; else one byte more than that. When nil,
  /// `errno` says why. A file of somebody else's making may be told in pieces.
  public static func bytes(of descriptor: CInt, limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count <= limit {
      let count = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
        let count = read(descriptor, buffer.baseAddress, min(buffer.count, limit + 1 - bytes.count))
        if count > 0 { bytes += buffer[..<count] }
        return count
      }
      if count == 0 { break }
      if count < 0, errno != EINTR { return nil }
    }
    return bytes
  }

  /// The kernel's id of the present boot (random(4)); nil if it cannot be read.
  public static var bootID: String? {
    guard let id = text("/proc/sys/kernel/random/boot_id")?.prefix(while: { $0 > " " }), !id.isEmpty else {
      return nil
    }
    return String(id)
  }
}
