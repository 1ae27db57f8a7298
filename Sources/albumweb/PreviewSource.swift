internal import AlbumAPI
internal import AlbumClient
internal import Glibc
internal import Linux

/// A picture of an asset, small enough to show.
struct Preview: Sendable {
  let mediaType: String
  let bytes: [UInt8]
}

/// Where previews come from (S54). Everything that shows pictures asks here.
enum PreviewSource {
  /// The sizes that the daemon keeps (S54), but for the largest: any other it would make anew each time.
  private static let sizes = [256, 512, 1024, 2048]
  /// The most bytes that a preview is believed to have.
  private static let byteLimit = 24 << 20
  /// The most bytes of a photo that is shown itself.
  private static let originalLimit = 4 << 20

  /// The size that is asked for, where a page wants one of at least so many pixels.
  static func size(for pixels: Int) -> Int { sizes.first { $0 >= pixels } ?? 2048 }

  /// The picture of what was deleted; nil where there is none.
  static func deleted(_ id: String, pixels: Int, on connection: AlbumConnection) throws(AlbumError)
    -> Preview?
  {
    let opened = try connection.openDeletedPreview(id, pixels: pixels)
    return read(opened.file)
  }

  /// The picture of what would take a photo's place; nil where there is none.
  static func replacement(
    of prompt: String, pixels: Int, on connection: AlbumConnection
  ) throws(AlbumError) -> Preview? {
    let opened = try connection.openReplacement(of: prompt, pixels: pixels)
    return read(opened.file)
  }

  /// The preview of an asset.
  ///
  /// - Parameter pixels: the most of its longer side.
  /// - Returns: nil where there is none: a file that cannot be read, which a browser is not to try either. Of a daemon
  ///   that knows no previews the photo itself, if it is small.
  static func preview(of id: String, pixels: Int, on connection: AlbumConnection) throws(AlbumError)
    -> Preview?
  {
    do throws(AlbumError) {
      let opened = try connection.openPreview(id, pixels: pixels)
      return read(opened.file)
    } catch  where error.code == .notSupported {
      let opened = try connection.open(id)
      guard opened.asset.mediaType != .video, opened.asset.byteCount <= originalLimit else { return nil }
      return read(opened.file)
    }
  }

  private static func read(_ file: borrowing OwnedDescriptor) -> Preview? {
    var bytes: [UInt8] = []
    let chunk = 1 << 18
    let number = file.number
    while bytes.count <= byteLimit {
      let start = bytes.count
      let more = [UInt8](unsafeUninitializedCapacity: chunk) { buffer, count in
        count = max(0, pread(number, buffer.baseAddress, chunk, off_t(start)))
      }
      if more.isEmpty { break }
      bytes += more
    }
    guard let type = mediaType(of: bytes) else { return nil }
    return Preview(mediaType: type, bytes: bytes)
  }

  /// By its first bytes: of what browsers show as a picture, and nothing that could be a page.
  private static func mediaType(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if bytes.starts(with: "GIF8".utf8) { return "image/gif" }
    if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return "image/webp" }
    return nil
  }
}
