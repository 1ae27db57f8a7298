internal import AlbumAPI
internal import Glibc
internal import Linux

extension OpenedAsset {
  /// Everything that is in the file.
  borrowing func readAll() throws(AlbumError) -> [UInt8] {
    try file.readAll(named: asset.filename, byteCount: asset.byteCount)
  }
}

extension OwnedDescriptor {
  /// Everything from where the file stands.
  ///
  /// - Parameter byteCount: how much that will be, as far as it is known.
  borrowing func readAll(named filename: String, byteCount: Int64 = 0) throws(AlbumError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(clamping: byteCount))
    let chunk = 1 << 18
    while true {
      var result: Result<Int, SystemError> = .success(0)
      withUnsafeTemporaryAllocation(byteCount: chunk, alignment: 1) { buffer in
        do throws(SystemError) {
          let count = try retryingInterrupts("read") { read(number, buffer.baseAddress, chunk) }
          bytes.append(contentsOf: buffer[..<count])
          result = .success(count)
        } catch { result = .failure(error) }
      }
      switch result {
      case .success(0): return bytes
      case .success: break
      case .failure(let error):
        throw AlbumError(.offline, "\(filename) cannot be read: \(error.reason).", place: "read")
      }
    }
  }
}
