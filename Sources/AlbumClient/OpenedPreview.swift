public import AlbumAPI
public import Linux

extension AlbumConnection {
  /// Opens a small picture of an asset (S54).
  ///
  /// - Parameters:
  ///   - pixels: the most of its longer side, 16 to 4096.
  ///   - crop: whether the square in the middle is cut out.
  /// - Throws: `previewUnavailable`, and what ``open(_:resource:)`` throws.
  public func openPreview(_ id: String, pixels: Int, crop: Bool = false) throws(AlbumError) -> OpenedPreview {
    let method = LibraryInterface.OpenPreview.self
    let (reply, descriptors) = try call(method, .init(id: id, pixels: pixels, crop: crop ? true : nil))
    guard let file = descriptors.take(reply.fileDescriptor) else {
      throw AlbumError(noFileWith: method.name)
    }
    return OpenedPreview(
      mediaType: reply.mediaType, pixelWidth: reply.pixelWidth, pixelHeight: reply.pixelHeight, file: file)
  }

  /// Has previews made before they are asked for, in this order, and waits for that (S54).
  public func preparePreviews(
    _ ids: [String], pixels: Int, crop: Bool = false
  ) throws(AlbumError) -> AlbumStream<LibraryInterface.PreparePreviews> {
    try stream(
      LibraryInterface.PreparePreviews.self, .init(ids: ids, pixels: pixels, crop: crop ? true : nil))
  }
}

/// A small picture, open for reading.
public struct OpenedPreview: ~Copyable {
  /// `image/jpeg`, or `image/webp` where something shows through.
  public let mediaType: String
  /// How wide it is.
  public let pixelWidth: Int
  /// How high it is.
  public let pixelHeight: Int
  /// Its bytes.
  public let file: OwnedDescriptor
}
