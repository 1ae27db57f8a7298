internal import EventLoop
package import LibraryModel
internal import Linux

// The sidecars of assets, open (S78).
extension LibraryContents {
  /// The sidecars of an asset, each file once, in the order of their names.
  package func sidecars(of asset: Asset) throws -> [Link] {
    asset.sidecars == 0 ? [] : try librarian.sidecars.files(of: asset.id, at: asset.links)
  }

  /// All names that sidecars of an asset have.
  package func sidecarNames(of asset: Asset) throws -> [Link] {
    asset.sidecars == 0 ? [] : try librarian.sidecars.names(of: asset.id, at: asset.links)
  }

  /// Opens a sidecar for reading: the very file that the index knows (S43).
  ///
  /// - Parameter number: which, in the order of ``sidecars(of:)``.
  /// - Returns: nil if it has not so many.
  /// - Throws: ``LibraryFileError``, or the database's error.
  package func openSidecar(_ number: Int, of asset: Asset) throws -> Companion? {
    guard let known = try sidecar(number, of: asset) else { return nil }
    return try between.looking { tree throws(LibraryFileError) in
      Companion(name: known.location.name, file: try open(known, tree))
    }
  }

  /// The same, where that may take a while.
  ///
  /// - Parameter user: as for ``waitToOpen(_:for:)``.
  package func waitToOpenSidecar(
    _ number: Int, of asset: Asset, for user: UInt32?
  ) async throws -> (name: FileName, file: HeldFile)? {
    guard let known = try sidecar(number, of: asset) else { return nil }
    return (known.location.name, try await waitToOpen(known, for: user))
  }

  private func sidecar(_ number: Int, of asset: Asset) throws -> Link? {
    let all = try sidecars(of: asset)
    return all.indices.contains(number) ? all[number] : nil
  }
}

extension Asset {
  /// What follows the stem of this asset's name, and a dot, in a sidecar's: `xmp`, or `jpg.xmp`.
  package func ending(of sidecar: FileName) -> String {
    let stems = links.map(\.name.stem).filter { sidecar.bytes.starts(with: $0 + [UInt8(ascii: ".")]) }
    let length = stems.map(\.count).max() ?? sidecar.stem.count
    return FileName(sidecar.bytes.dropFirst(length + 1)).display.text
  }
}
