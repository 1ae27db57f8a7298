public import AlbumAPI
public import Linux

extension PhotoLibrary {
  /// Has the owner pick photos, and waits until they have (S23). Needs no authorization and gives none: the
  /// open files are all that the app gets. PhotoKit: `PHPickerViewController`.
  ///
  /// - Parameters:
  ///   - mediaTypes: the kinds that may be picked; all when nil. PhotoKit: the configuration's `filter`.
  ///   - selectionLimit: the most that may be picked; 0 is any number. PhotoKit: `selectionLimit`.
  ///   - requestAccess: ask as well whether the app may access what it does not see yet. PhotoKit has no
  ///     such question.
  /// - Returns: the oldest first; nothing when the owner did not want to.
  /// - Throws: `noAgent`, `busy`; `outOfResources` where this process cannot hold so many open files.
  public func pick(
    mediaTypes: Set<MediaType>? = nil, selectionLimit: Int = 0, requestAccess: Bool = false
  ) async throws -> [PickedAsset] {
    let reading = lanes.reading
    return try await lanes.once { connection throws(AlbumError) in
      let (reply, files) = try connection.pick(
        .init(
          mediaTypes: mediaTypes.map { types in MediaType.allCases.filter(types.contains) },
          selectionLimit: selectionLimit, requestAccess: requestAccess ? true : nil))
      var picked: [PickedAsset] = []
      for item in reply.items {
        if let index = item.fileDescriptor {
          guard let file = files.take(index) else {
            throw withExtendedLifetime((files, picked)) { AlbumError(noFileWith: PickerInterface.Pick.name) }
          }
          picked.append(
            PickedAsset(
              item, file: file, pairedVideo: item.pairedVideoFileDescriptor.flatMap { files.take($0) },
              reading: reading))
        } else {
          picked.append(PickedAsset(item, file: nil, pairedVideo: nil, reading: reading))
        }
      }
      return picked
    }
  }
}

/// What the owner picked. PhotoKit: `PHPickerResult`.
public final class PickedAsset: Sendable {
  /// The asset's id, where the app may see it. PhotoKit: `assetIdentifier`.
  public let localIdentifier: String?
  /// The file's name.
  public let filename: String
  /// What kind of asset it is.
  public let mediaType: MediaType
  /// The file, open for reading; nil when the owner refused it, or it cannot be read at present. PhotoKit:
  /// `itemProvider`.
  public let file: OwnedDescriptor?
  /// The movie of a live photo, open for reading. Nil as well where a message had no room for it: it carries 253
  /// files, and the photos go before.
  public let pairedVideo: OwnedDescriptor?

  private let reading: Turnstile

  /// - Parameter reading: what who reads a file passes.
  init(
    _ item: PickerInterface.PickedItem, file: consuming OwnedDescriptor?,
    pairedVideo: consuming OwnedDescriptor?, reading: Turnstile
  ) {
    localIdentifier = item.id
    filename = item.filename
    mediaType = item.mediaType
    self.file = file
    self.pairedVideo = pairedVideo
    self.reading = reading
  }

  /// What is in the file: nothing when there is none. PhotoKit: `itemProvider.loadDataRepresentation`.
  ///
  /// - Throws: `offline`, and `outOfResources`.
  public func loadData() async throws(AlbumError) -> [UInt8]? {
    try await reading.pass { () async throws(AlbumError) in
      try await WorkLane.once(about: filename) { [self] () throws(AlbumError) in
        try file?.readAll(named: filename)
      }
    }
  }
}
