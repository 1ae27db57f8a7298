internal import CLinux
internal import Glibc
internal import PictureAPI
internal import Storage

extension Preview {
  /// What a process answered that reads pictures, copied: what it has said is not believed.
  ///
  /// - Parameter number: of the descriptor that came with it.
  /// - Returns: nil where the memory file has not the seals that it must have, or not the size that was said, or does
  ///   not begin as such a picture does.
  init?(checking reply: PicturesInterface.Render.Reply, _ number: CInt) {
    guard 1...Self.mostBytes ~= reply.byteCount, linux_sealed_size(number) == Int64(reply.byteCount)
    else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: reply.byteCount) { buffer, count in
      count = max(0, pread(number, buffer.baseAddress, buffer.count, 0))
    }
    guard bytes.count == reply.byteCount else { return nil }
    let encoding: Encoding =
      switch reply.encoding {
      case .jpeg: .jpeg
      case .webp: .webp
      case .pixmap: .pixmap
      }
    self.init(bytes: bytes, encoding: encoding, width: reply.pixelWidth, height: reply.pixelHeight)
  }
}
