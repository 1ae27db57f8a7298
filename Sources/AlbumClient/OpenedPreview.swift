public import AlbumAPI
public import Linux

extension AlbumConnection {
  /// Opens a small picture of an asset (S54).
  ///
  /// - Parameters:
  ///   - pixels: the most of its longer side, 16 to 4096.
  ///   - crop: whether the square in the middle is cut out.
  ///   - encoding: what it is written as; a pixmap has at most 512 pixels of its longer side, and is for who cannot decode a
  ///     compressed one.
  /// - Throws: `previewUnavailable`, and what ``open(_:resource:)`` throws.
  public func openPreview(
    _ id: String, pixels: Int, crop: Bool = false, encoding: LibraryInterface.PreviewEncoding? = nil
  ) throws(AlbumError) -> OpenedPreview {
    let method = LibraryInterface.OpenPreview.self
    let (reply, descriptors) = try call(
      method, .init(id: id, pixels: pixels, crop: crop ? true : nil, encoding: encoding))
    guard let file = descriptors.take(reply.fileDescriptor) else {
      throw AlbumError(noFileWith: method.name)
    }
    return OpenedPreview(
      mediaType: reply.mediaType, pixelWidth: reply.pixelWidth, pixelHeight: reply.pixelHeight, file: file)
  }

  /// Opens a small picture of what was deleted, for owners.
  ///
  /// - Parameter pixels: the most of its longer side, 16 to 4096.
  /// - Throws: `noSuchDeletedAsset`, `previewUnavailable`.
  public func openDeletedPreview(_ id: String, pixels: Int) throws(AlbumError) -> OpenedPreview {
    let method = ManagerInterface.OpenDeletedPreview.self
    let (reply, descriptors) = try call(method, .init(id: id, pixels: pixels))
    guard let file = descriptors.take(reply.fileDescriptor) else {
      throw AlbumError(noFileWith: method.name)
    }
    return OpenedPreview(
      mediaType: reply.mediaType, pixelWidth: reply.pixelWidth, pixelHeight: reply.pixelHeight, file: file)
  }

  /// Opens a small picture of what would take a photo's place, for agents. What was opened is what is written when the
  /// owner agrees.
  ///
  /// - Parameters:
  ///   - prompt: the id of a prompt of the kind replacement.
  ///   - pixels: the most of its longer side, 16 to 4096.
  /// - Throws: `noSuchPrompt`, `previewUnavailable`.
  public func openReplacement(of prompt: String, pixels: Int) throws(AlbumError) -> OpenedPreview {
    let method = AgentInterface.OpenReplacement.self
    let (reply, descriptors) = try call(method, .init(prompt: prompt, pixels: pixels))
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
  /// `image/jpeg`, or `image/webp` where something shows through; of a pixmap `image/x-portable-pixmap`.
  public let mediaType: String
  /// How wide it is.
  public let pixelWidth: Int
  /// How high it is.
  public let pixelHeight: Int
  /// Its bytes.
  public let file: OwnedDescriptor
}
