public import AlbumAPI
public import Linux

extension AlbumConnection {
  /// Opens a file of an asset for reading (S43). An app that does not learn where photos were taken gets a copy that does
  /// not say it (S56).
  ///
  /// - Parameter withoutLocation: such a copy, also for who learns it: to pass it on.
  public func open(
    _ id: String, resource: LibraryInterface.ResourceType? = nil, withoutLocation: Bool = false
  ) throws(AlbumError) -> OpenedAsset {
    let method = LibraryInterface.OpenAsset.self
    let (reply, descriptors) = try call(
      method, .init(id: id, resource: resource, withoutLocation: withoutLocation ? true : nil))
    guard let file = descriptors.take(reply.fileDescriptor) else {
      throw AlbumError(noFileWith: method.name)
    }
    return OpenedAsset(asset: reply.asset, pairedVideoExtension: reply.pairedVideoExtension, file: file)
  }
}

/// A file of the library, open for reading.
public struct OpenedAsset: ~Copyable {
  /// What it belongs to.
  public let asset: LibraryInterface.Asset
  /// The file's extension, if it is a paired video. The rest of its name is the asset's.
  public let pairedVideoExtension: String?
  /// Its bytes.
  public let file: OwnedDescriptor

  /// Gives the file away.
  consuming func takeFile() -> OwnedDescriptor { file }
}
