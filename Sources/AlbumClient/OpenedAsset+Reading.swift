internal import AlbumAPI
internal import Glibc
internal import Linux

extension OpenedAsset {
  /// Everything that is in the file.
  borrowing func readAll() throws(AlbumError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(clamping: asset.byteCount))
    let chunk = 1 << 18
    while true {
      var result: Result<Int, SystemError> = .success(0)
      withUnsafeTemporaryAllocation(byteCount: chunk, alignment: 1) { buffer in
        do throws(SystemError) {
          let count = try retryingInterrupts("read") { read(file.number, buffer.baseAddress, chunk) }
          bytes.append(contentsOf: buffer[..<count])
          result = .success(count)
        } catch { result = .failure(error) }
      }
      switch result {
      case .success(0): return bytes
      case .success: break
      case .failure(let error):
        throw AlbumError(.offline, "\(asset.filename) cannot be read: \(error.reason).", place: "read")
      }
    }
  }
}
