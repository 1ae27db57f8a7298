internal import Glibc
internal import Linux
internal import Sentences
internal import Words

extension OwnedDescriptor {
  /// Everything that is in the file, in steps.
  ///
  /// - Parameter goesOn: told how many bytes are there by now; false ends it.
  /// - Returns: nil where it was ended.
  borrowing func readAll(
    named filename: String, byteCount: Int64, _ goesOn: (Int) -> Bool
  ) throws(AlbumError) -> [UInt8]? {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 18)
    while goesOn(bytes.count) {
      let count: Int
      do throws(SystemError) {
        count = try retryingInterrupts("pread") { pread(number, &part, part.count, off_t(bytes.count)) }
      } catch {
        throw AlbumError(
          .offline, .init(.errNotReadable, ["file": filename, "reason": error.reason]), place: "pread")
      }
      if count == 0 { return bytes }
      bytes += part[..<count]
    }
    return nil
  }
}
