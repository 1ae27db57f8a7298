public import AlbumAPI
internal import CLinux
internal import Glibc
internal import Linux

extension PhotoLibrary {
  /// Writes a file of an asset to a path: whole or not at all, with the time at which its content last changed. What
  /// is there is replaced. PhotoKit: `PHAssetResourceManager.writeData(for:toFile:)`.
  ///
  /// - Throws: as ``openResource(of:_:)``, and `invalidFileDescriptor` where the file cannot be written.
  public func writeData(
    for asset: Asset, _ resource: ResourceType? = nil, toFile path: String
  ) async throws(AlbumError) {
    try await lanes.reading.pass { () async throws(AlbumError) in
      let file = OpenFile(try await openResource(of: asset, resource))
      try await WorkLane.once(about: path) { () throws(AlbumError) in
        do throws(SystemError) { try file.descriptor.write(toFile: path) } catch {
          throw AlbumError(opening: error)
        }
      }
    }
  }
}

extension OwnedDescriptor {
  /// Under a name beside it, until it is whole.
  fileprivate borrowing func write(toFile path: String) throws(SystemError) {
    let part = "\(path).\(getpid()).\(UInt32.random(in: 0...(.max))).part"
    let target = try OwnedDescriptor(
      Glibc.open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666), call: "open", subject: path)
    do throws(SystemError) {
      _ = try copy(to: target.number) { _ in true }
      passOnModificationTime(to: target.number)
      try retryingInterrupts("rename", subject: path) { rename(part, path) }
    } catch {
      unlink(part)
      throw error
    }
  }
}
