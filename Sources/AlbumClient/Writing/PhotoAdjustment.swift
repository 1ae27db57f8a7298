public import AlbumAPI
internal import Sentences

/// What was done to a photo or video, for the program that did it to go on from (S94). PhotoKit: `PHAdjustmentData`.
public struct PhotoAdjustment: Hashable, Sendable {
  /// Whose format the data is in, such as `org.example.Editor`: 1 to 255 printable ASCII characters without a space.
  public var formatIdentifier: String
  /// Which version of that format: 1 to 64 of such characters.
  public var formatVersion: String
  /// What was done: at most 512 KiB, which nobody else understands.
  public var data: [UInt8]

  /// An adjustment.
  public init(formatIdentifier: String, formatVersion: String, data: [UInt8]) {
    self.formatIdentifier = formatIdentifier
    self.formatVersion = formatVersion
    self.data = data
  }

  /// As it came; nil where its data is not what the interface says.
  init?(_ wire: LibraryInterface.Adjustment) {
    guard let data = Base64.decode(wire.data) else { return nil }
    self.init(formatIdentifier: wire.formatIdentifier, formatVersion: wire.formatVersion, data: data)
  }

  var wire: LibraryInterface.Adjustment {
    .init(formatIdentifier: formatIdentifier, formatVersion: formatVersion, data: Base64.encode(data))
  }
}

extension AlbumConnection {
  /// What was done to an asset last (S94).
  ///
  /// - Throws: `noAdjustment` where that is not known; `locationCannotBeRemoved` where it may tell where the photo was taken,
  ///   which the app may not learn.
  public func adjustment(of id: String) throws(AlbumError) -> PhotoAdjustment {
    let method = LibraryInterface.GetAdjustment.self
    guard let adjustment = PhotoAdjustment(try call(method, .init(id: id)).reply.adjustment) else {
      throw AlbumError(.protocolViolation, "The data of the adjustment is not base64.", place: method.name)
    }
    return adjustment
  }

  /// Puts an asset's original back (S94).
  ///
  /// - Throws: `noAdjustment` where none is kept; as ``replace(_:with:adjustment:)``.
  public func revert(_ id: String) throws(AlbumError) -> LibraryInterface.Asset {
    try call(LibraryInterface.RevertAsset.self, .init(id: id)).reply.asset
  }
}

extension PhotoLibrary {
  /// What was done to an asset last. PhotoKit: `adjustmentData` of a `PHContentEditingInput`.
  ///
  /// - Throws: `noAdjustment` where that is not known; `noSuchAsset`, `notAuthorized`, `locationCannotBeRemoved`.
  public func adjustment(of asset: Asset) async throws(AlbumError) -> PhotoAdjustment {
    let id = asset.id
    return try await lanes.repeatable(.questions) { connection throws(AlbumError) in
      try connection.adjustment(of: id)
    }
  }
}
