internal import CLinux
internal import EventLoop
internal import Glibc
internal import Linux
internal import VarlinkServer

/// What an app would put in a photo's place (S33): its file, and once an owner was shown it, a copy that the app cannot
/// change. What was shown is what is written.
@EventLoopActor
final class ProposedFile: BroughtFiles {
  /// Files of more bytes are not shown: their copies would take too much memory.
  nonisolated static let shownLimit: Int64 = 64 << 20

  private struct Copy {
    let file: DescriptorBatch
    let byteCount: Int64
  }

  private let files: any BroughtFiles
  private let index: Int
  private let queue = SerialThread()
  private var copy: Copy?
  private var isCopying = false
  /// Where its copy is counted.
  private let copies: ShownCopies
  private let user: UInt32
  /// The bytes that are counted for it.
  private var countedBytes: Int64 = 0

  /// - Parameters:
  ///   - copies: where its copy is counted.
  ///   - user: whose it is.
  init(_ files: any BroughtFiles, index: Int, in copies: ShownCopies, of user: UInt32) {
    self.files = files
    self.index = index
    self.copies = copies
    self.user = user
  }

  isolated deinit { copies.release(countedBytes, of: user) }

  /// The copy that is shown, made at the first time.
  func forShowing() async throws(PictureFailure) -> DescriptorBatch {
    if let copy { return copy.file }
    guard !isCopying else { throw .busy }
    isCopying = true
    defer { isCopying = false }
    // How much it is shows when it is there.
    guard copies.take(Self.shownLimit, of: user) else { throw .busy }
    countedBytes = Self.shownLimit
    defer { count(copy?.byteCount ?? 0) }
    let number = linux_sealable_memory_file()
    guard number >= 0 else { throw .busy }
    let file = DescriptorBatch(owning: [number])
    do throws(PeerFiles.Failure) {
      let byteCount = try await files.copy(index, to: number, limit: Self.shownLimit) { _ in true }
      copy = Copy(file: file, byteCount: byteCount)
    } catch {
      // Who copies may have it for as long as the app likes, and must neither hold nor write anything then.
      await queue.run { _ = linux_empty_for_good(number) }
      withExtendedLifetime(file) {}
      throw .unreadable
    }
    return file
  }

  private func count(_ byteCount: Int64) {
    copies.release(countedBytes - byteCount, of: user)
    countedBytes = byteCount
  }

  func look(at index: Int, _ count: Int) async throws(PeerFiles.Failure) -> [UInt8] {
    guard let copy, let number = copy.file.number(0), index == self.index else {
      return try await files.look(at: index, count)
    }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
      length = max(0, pread(number, buffer.baseAddress, count, 0))
    }
  }

  func copy(
    _ index: Int, to target: CInt, limit: Int64, goesOn: @escaping @EventLoopActor (Int64) -> Bool
  ) async throws(PeerFiles.Failure) -> Int64 {
    guard let copy, let number = copy.file.number(0), index == self.index else {
      return try await files.copy(index, to: target, limit: limit, goesOn: goesOn)
    }
    guard copy.byteCount <= limit else {
      throw PeerFiles.Failure(code: .tooLarge, cause: SystemError("copy", code: EFBIG))
    }
    let byteCount = copy.byteCount
    // The batch, and with it the file, lives until this has returned.
    return try await queue.run { () throws(PeerFiles.Failure) in
      try Self.write(number, byteCount, to: target)
      return byteCount
    }
  }

  /// Brings a memory file to disk.
  private nonisolated static func write(
    _ source: CInt, _ byteCount: Int64, to target: CInt
  ) throws(PeerFiles.Failure) {
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    var offset: Int64 = 0
    do throws(SystemError) {
      while offset < byteCount {
        let count = try retryingInterrupts("pread") { pread(source, &piece, piece.count, off_t(offset)) }
        guard count > 0 else { throw SystemError("pread", code: EIO) }
        var done = 0
        while done < count {
          done += try retryingInterrupts("pwrite") {
            piece.withUnsafeBytes { bytes in
              bytes.baseAddress.map { pwrite(target, $0 + done, count - done, off_t(offset) + done) } ?? -1
            }
          }
        }
        offset += Int64(count)
      }
      _ = try retryingInterrupts("fsync") { fsync(target) }
    } catch { throw PeerFiles.Failure(code: .target, cause: error) }
  }
}
