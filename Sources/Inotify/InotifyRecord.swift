internal import Glibc

/// One record as read(2) returns it from an inotify descriptor: inotify(7).
package struct InotifyRecord: Hashable, Sendable {
  /// The watch; -1 for an overflow of the queue.
  package var watch: Int32
  /// IN_* bits.
  package var mask: UInt32
  /// What connects the halves of a rename.
  package var cookie: UInt32
  /// The name, without padding; empty for the watched directory itself.
  package var name: [UInt8]

  /// A record.
  package init(watch: Int32, mask: UInt32, cookie: UInt32, name: [UInt8]) {
    self.watch = watch
    self.mask = mask
    self.cookie = cookie
    self.name = name
  }

  private static let headerSize = 16

  /// Takes bytes apart and gives every whole record to `body`.
  ///
  /// - Returns: how many bytes were understood: all of them, unless the kernel broke its word.
  @discardableResult
  package static func parse(_ bytes: UnsafeRawBufferPointer, _ body: (InotifyRecord) -> Void) -> Int {
    var offset = 0
    while bytes.count - offset >= headerSize {
      let length = Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
      guard length <= bytes.count - offset - headerSize else { break }
      let padded = UnsafeRawBufferPointer(
        rebasing: bytes[offset + headerSize..<offset + headerSize + length])
      body(
        InotifyRecord(
          watch: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self),
          mask: bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self),
          cookie: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt32.self),
          name: name(in: padded)))
      offset += headerSize + length
    }
    return offset
  }

  /// What comes before the padding, which is zeros.
  private static func name(in padded: UnsafeRawBufferPointer) -> [UInt8] {
    guard let base = padded.baseAddress, padded.count > 0 else { return [] }
    let count = memchr(base, 0, padded.count).map { UnsafeRawPointer($0) - base } ?? padded.count
    return [UInt8](UnsafeRawBufferPointer(rebasing: padded[..<count]))
  }
}
