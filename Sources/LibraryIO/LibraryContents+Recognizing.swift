internal import EventLoop
package import LibraryModel

// Where numbers do not last, a photo has another one after a mount, and is compared when its directory is. Who names one
// before does not wait for that, nor hears that it is not there (docs/decisions/0137-named-before-compared.md).
extension LibraryContents {
  /// An asset as it is to be changed or opened: where its files may have other numbers by now, with those. One that went
  /// elsewhere meanwhile is as it was, so that nothing happens to what nobody has named there (S29).
  ///
  /// - Parameter user: who asks for it.
  /// - Throws: the database's error.
  package func recognized(_ asset: Asset, for user: UInt32) async throws -> Asset {
    guard !asset.identity.isCertain else { return asset }
    await between.recognize(try asset.knownLinks + parts(of: asset) + sidecarNames(of: asset), for: user)
    guard let present = try between.files.asset(asset.id), present.links == asset.links else { return asset }
    return present
  }

  /// Opens something of an asset; where a name of it is another file's, as far as the index knows, once more when it is
  /// known whether it is.
  ///
  /// - Parameter user: who asks for it.
  /// - Throws: what `body` does, or the database's error.
  package func recognizing<Value>(
    _ asset: Asset, for user: UInt32, _ body: @EventLoopActor (Asset) async throws -> Value
  ) async throws -> Value {
    do { return try await body(asset) } catch let error as LibraryFileError
      where mayBeRecognized(asset, error)
    {
      return try await body(try await recognized(asset, for: user))
    }
  }

  /// Whether a file that could not be opened may be there under another number.
  package func mayBeRecognized(_ asset: Asset, _ error: LibraryFileError) -> Bool {
    !asset.identity.isCertain && (error.code == .replaced || error.code == .gone)
  }
}
