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
  ///   - language: of the message; the library's when nil.
  ///   - includesSidecars: hand over as well what other programs keep beside what is picked (S79).
  ///   - filter: only photos for which this holds may be picked, and are of the `mediaTypes`. PhotoKit: `filter`.
  ///   - preselected: ids of assets, at most 1000, that are picked when the picker opens, in this order; the owner may take
  ///     them away. What the app does not see, or could not be picked, is left out (S105). PhotoKit:
  ///     `preselectedAssetIdentifiers`.
  ///   - minimum: so many are picked at least, or none; 0 is any number. PhotoKit has no such bound.
  /// - Returns: what was picked, in the order of picking; nothing when the owner did not want to.
  /// - Throws: `noAgent`, `busy`, `throttled`; `invalidParameter` where the filter has more than it may, or the minimum is
  ///   over the limit or 10000; `outOfResources` where this process cannot hold so many open files:
  ///   two for a live photo, one for all others, and one for each sidecar. `ulimit -n` is often 1024: name a limit.
  public func pick(
    mediaTypes: Set<MediaType>? = nil, selectionLimit: Int = 0, requestAccess: Bool = false,
    language: String? = nil, includesSidecars: Bool = false, filter: PickerFilter? = nil,
    preselected: [String] = [], minimum: Int = 0
  ) async throws -> PickResult {
    let reading = lanes.reading
    let wish = PickerInterface.Pick.Parameters(
      mediaTypes: mediaTypes.map { types in MediaType.allCases.filter(types.contains) },
      selectionLimit: selectionLimit, requestAccess: requestAccess ? true : nil,
      language: language ?? self.language, sidecars: includesSidecars ? true : nil,
      filter: filter, preselected: preselected.isEmpty ? nil : preselected,
      minimum: minimum == 0 ? nil : minimum)
    return try await lanes.once { connection throws(AlbumError) in
      let replies = try connection.pick(wish)
      var result = PickResult()
      while let (reply, files) = try replies.nextWithFiles() { try result.add(reply, files, reading) }
      return result
    }
  }
}

/// Everything that the owner picked at once: a list, in the order of picking. PhotoKit: the results of
/// `picker(_:didFinishPicking:)`.
public struct PickResult: RandomAccessCollection, Sendable {
  private var assets: [PickedAsset] = []
  /// How many of them the app gets no file of: refused, or not to be read at present.
  public private(set) var inaccessibleCount = 0
  /// What to tell the person when that is not 0, in their language: a line for a toast.
  public private(set) var message: String?

  init(_ assets: [PickedAsset] = []) { self.assets = assets }

  /// 0.
  public var startIndex: Int { 0 }
  /// How many were picked.
  public var endIndex: Int { assets.count }
  /// One of them.
  public subscript(index: Int) -> PickedAsset { assets[index] }

  mutating func add(
    _ reply: PickerInterface.Pick.Reply, _ files: DescriptorBatch, _ reading: Turnstile
  ) throws(AlbumError) {
    inaccessibleCount = reply.inaccessibleCount
    message = reply.message ?? message
    for item in reply.items {
      guard let index = item.fileDescriptor else {
        assets.append(PickedAsset(item, file: nil, pairedVideo: nil, sidecars: [], reading: reading))
        continue
      }
      guard let file = files.take(index) else { throw AlbumError(noFileWith: PickerInterface.Pick.name) }
      let video = item.pairedVideoFileDescriptor.flatMap { files.take($0) }
      var sidecars: [PickedSidecar] = []
      for sidecar in item.sidecars ?? [] {
        guard let file = files.take(sidecar.fileDescriptor) else {
          throw AlbumError(noFileWith: PickerInterface.Pick.name)
        }
        sidecars.append(PickedSidecar(sidecar.sidecarExtension, file))
      }
      assets.append(
        PickedAsset(item, file: file, pairedVideo: video, sidecars: sidecars, reading: reading))
    }
  }
}

/// What another program keeps beside a photo that the owner picked.
public final class PickedSidecar: Sendable {
  /// What follows the photo's name without its extension, and a dot, in its own: `xmp`, or `jpg.xmp`.
  public let fileExtension: String
  /// Open for reading.
  public let file: OwnedDescriptor

  init(_ fileExtension: String, _ file: consuming OwnedDescriptor) {
    self.fileExtension = fileExtension
    self.file = file
  }
}

/// What the owner picked. PhotoKit: `PHPickerResult`.
public final class PickedAsset: Sendable {
  /// The asset's id, where the app may see it. PhotoKit: `assetIdentifier`.
  public let localIdentifier: String?
  /// The file's name.
  public let filename: String
  /// The file's name with every byte that is not printable ASCII, and %, as %XX; nil where the name is UTF-8.
  public let percentEncodedFilename: String?
  /// What kind of asset it is.
  public let mediaType: MediaType
  /// Whether the app gets it.
  public var isAccessible: Bool { file != nil }
  /// The file, open for reading; nil when the owner refused it, or it cannot be read at present. PhotoKit:
  /// `itemProvider`.
  public let file: OwnedDescriptor?
  /// The movie of a live photo, open for reading; nil where it cannot be read at present.
  public let pairedVideo: OwnedDescriptor?
  /// The extension of the movie's file, such as MOV. The rest of its name is the photo's.
  public let pairedVideoExtension: String?

  /// What other programs keep beside it, in the order of their names; none where nobody asked for them.
  public let sidecars: [PickedSidecar]

  let reading: Turnstile

  /// - Parameter reading: what who reads a file passes.
  init(
    _ item: PickerInterface.PickedItem, file: consuming OwnedDescriptor?,
    pairedVideo: consuming OwnedDescriptor?, sidecars: [PickedSidecar], reading: Turnstile
  ) {
    localIdentifier = item.id
    filename = item.filename
    percentEncodedFilename = item.percentEncodedFilename
    mediaType = item.mediaType
    pairedVideoExtension = item.pairedVideoExtension
    self.file = file
    self.pairedVideo = pairedVideo
    self.sidecars = sidecars
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
