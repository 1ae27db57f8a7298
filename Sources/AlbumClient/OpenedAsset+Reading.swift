internal import AlbumAPI
internal import Glibc
internal import Linux
internal import Sentences
internal import Words

extension OpenedAsset {
  /// Everything that is in the file.
  borrowing func readAll() throws(AlbumError) -> [UInt8] {
    try file.readAll(named: asset.filename, byteCount: asset.byteCount)
  }
}

extension OwnedDescriptor {
  /// Everything that is in the file, wherever it stands: a place that others who have it may move.
  ///
  /// - Parameter byteCount: how much that will be, as far as it is known.
  borrowing func readAll(named filename: String, byteCount: Int64 = 0) throws(AlbumError) -> [UInt8] {
    var bytes: [UInt8] = []
    // Not as much as whoever answered likes.
    bytes.reserveCapacity(Int(clamping: min(max(0, byteCount), 64 << 20)))
    let chunk = 1 << 18
    while true {
      var result: Result<Int, SystemError> = .success(0)
      withUnsafeTemporaryAllocation(byteCount: chunk, alignment: 1) { buffer in
        do throws(SystemError) {
          let count = try retryingInterrupts("pread") {
            pread(number, buffer.baseAddress, chunk, bytes.count)
          }
          bytes.append(contentsOf: buffer[..<count])
          result = .success(count)
        } catch { result = .failure(error) }
      }
      switch result {
      case .success(0): return bytes
      case .success: break
      case .failure(let error):
        throw AlbumError(
          .offline, .init(.errNotReadable, ["file": filename, "reason": error.reason]), place: "pread")
      }
    }
  }
}
