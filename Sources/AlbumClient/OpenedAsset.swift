public import AlbumAPI
public import Linux

extension AlbumConnection {
  /// Opens a file of an asset for reading (S43). An app that does not learn where photos were taken gets a copy that does
  /// not say it (S56).
  ///
  /// - Parameters:
  ///   - withoutLocation: such a copy, also for who learns it: to pass it on.
  ///   - sidecar: which of several sidecars, from 0 in the order of their names.
  public func open(
    _ id: String, resource: LibraryInterface.ResourceType? = nil, withoutLocation: Bool = false,
    sidecar: Int? = nil
  ) throws(AlbumError) -> OpenedAsset {
    let method = LibraryInterface.OpenAsset.self
    let (reply, descriptors) = try call(
      method,
      .init(id: id, resource: resource, withoutLocation: withoutLocation ? true : nil, sidecar: sidecar))
    guard let file = descriptors.take(reply.fileDescriptor) else {
      throw AlbumError(noFileWith: method.name)
    }
    return OpenedAsset(
      asset: reply.asset, pairedVideoExtension: reply.pairedVideoExtension,
      sidecarExtension: reply.sidecarExtension, alternatePhotoExtension: reply.alternatePhotoExtension,
      file: file)
  }
}

/// A file of the library, open for reading.
public struct OpenedAsset: ~Copyable {
  /// What it belongs to.
  public let asset: LibraryInterface.Asset
  /// The file's extension, if it is a paired video. The rest of its name is the asset's.
  public let pairedVideoExtension: String?
  /// Of a sidecar: what follows the asset's name without its extension, and a dot, in its own: `xmp`, or `jpg.xmp`.
  public let sidecarExtension: String?
  /// The file's extension, if it is the RAW of a photo (S99). The rest of its name is the asset's. PhotoKit:
  /// `.alternatePhoto`.
  public let alternatePhotoExtension: String?
  /// Its bytes.
  public let file: OwnedDescriptor

  /// Gives the file away.
  consuming func takeFile() -> OwnedDescriptor { file }
}
