public import AlbumAPI
internal import Synchronization

/// Pictures of assets as an app shows them. PhotoKit: `PHImageManager` and `PHCachingImageManager`.
///
/// **Differs**: pictures come as files of bytes, which whatever draws them decodes; a request is a sequence or a task of
/// Swift's, and ends with it. There is no network to allow.
public final class ImageManager: Sendable {
  /// That of ``PhotoLibrary/shared``. PhotoKit: `default()`.
  public static let shared = ImageManager(.shared)

  private let library: PhotoLibrary
  private let caching = Mutex<[CachedPreview: Task<Void, Never>]>([:])
  private let nextLane = Mutex(0)

  /// What is being prepared.
  private struct CachedPreview: Hashable {
    let id: String
    let size: PreviewSize

    init(
      _ asset: Asset, _ target: ImageSize, _ mode: ImageContentMode, _ options: ImageRequestOptions
    ) {
      let wanted = PreviewSize(target, mode, of: asset.size)
      id = asset.id
      size = options.deliveryMode == .fastFormat ? wanted.small : wanted
    }
  }

  /// Previews that one process waits for at a time.
  private static let laneCount = 4

  /// Pictures of a library.
  public init(_ library: PhotoLibrary) {
    self.library = library
  }

  deinit {
    for task in caching.withLock({ $0 }).values { task.cancel() }
  }

  // MARK: Pictures

  /// A picture of an asset, upright and without metadata: first, where that is quick, a small one. PhotoKit:
  /// `requestImage(for:targetSize:contentMode:options:resultHandler:)`; to cancel it, end the task that reads it.
  ///
  /// - Parameter targetSize: in pixels. It is never enlarged.
  /// - Returns: one or two pictures, or an ``AlbumError``: `previewUnavailable` where none can be made of it.
  public func requestImage(
    for asset: Asset, targetSize: ImageSize, contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions()
  ) -> AsyncThrowingStream<ImageResult, any Error> {
    let wanted = PreviewSize(targetSize, contentMode, of: asset.size)
    let sizes: [PreviewSize] =
      switch options.deliveryMode {
      case .highQualityFormat: [wanted]
      case .fastFormat: [wanted.small]
      case .opportunistic: wanted == wanted.small ? [wanted] : [wanted.small, wanted]
      }
    return AsyncThrowingStream { continuation in
      let task = Task { [self] in
        do {
          for (index, size) in sizes.enumerated() {
            try Task.checkCancellation()
            let isLast = index == sizes.count - 1
            // What comes first is on the way there: a picture that is to be replaced is no end.
            let result = try await preview(
              of: asset.id, size, isDegraded: !isLast, isLast ? options.progressHandler : nil)
            continuation.yield(result)
          }
          continuation.finish()
        } catch { continuation.finish(throwing: error) }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func preview(
    of id: String, _ size: PreviewSize, isDegraded: Bool, _ progress: (@Sendable (Double) -> Void)?
  ) async throws -> ImageResult {
    let lane = nextLane.withLock { next in
      next = (next + 1) % Self.laneCount
      return next
    }
    let result = try await library.lanes.repeatable(.previews(lane)) {
      connection throws(AlbumError) -> ImageResult? in
      // It may have waited for others, and nobody for it any more.
      guard !Task.isCancelled else { return nil }
      progress?(0)
      let opened = try connection.openPreview(id, pixels: size.pixels, crop: size.crop)
      let bytes = try opened.file.readAll(named: id)
      progress?(1)
      return ImageResult(
        bytes: bytes, mediaType: opened.mediaType,
        size: ImageSize(width: opened.pixelWidth, height: opened.pixelHeight), isDegraded: isDegraded)
    }
    guard let result else { throw CancellationError() }
    return result
  }

  /// The file of an asset, as it is. PhotoKit: `requestImageDataAndOrientation(for:options:resultHandler:)`.
  ///
  /// - Returns: its bytes.
  /// - Throws: what opening it throws; `CancellationError`.
  public func requestImageData(
    for asset: Asset, options: ImageRequestOptions = ImageRequestOptions()
  ) async throws -> [UInt8] {
    let file = OpenFile(try await library.openResource(of: asset))
    let progress = options.progressHandler
    let hangup = Mutex(false)
    return try await withTaskCancellationHandler {
      let bytes = try await WorkLane.once(about: asset.filename) { () throws(AlbumError) -> [UInt8]? in
        try file.descriptor.readAll(named: asset.filename, byteCount: asset.byteCount) { done in
          progress?(asset.byteCount > 0 ? min(1, Double(done) / Double(asset.byteCount)) : 1)
          return !hangup.withLock { $0 }
        }
      }
      guard let bytes else { throw CancellationError() }
      return bytes
    } onCancel: {
      hangup.withLock { $0 = true }
    }
  }

  // MARK: Preparing

  /// Has pictures made before they are shown, in this order. PhotoKit:
  /// `startCachingImages(for:targetSize:contentMode:options:)`; the daemon keeps them, for all apps that may see them.
  ///
  /// - Parameter options: as the pictures will be asked for: what ends such a request is what is made.
  public func startCachingImages(
    for assets: [Asset], targetSize: ImageSize, contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions()
  ) {
    let all = assets.map { CachedPreview($0, targetSize, contentMode, options) }
    // Locked until they are noted: it looks there which of them are still wanted.
    let (new, task) = caching.withLock { caching in
      let new = all.filter { caching[$0] == nil }
      let task = start(new)
      for preview in new { caching[preview] = task }
      return (new, task)
    }
    Task { [weak self] in
      await task.value
      self?.caching.withLock { caching in
        for preview in new where caching[preview] == task { caching[preview] = nil }
      }
    }
  }

  /// So many are prepared by one call: those that are not wanted any more when it is their turn are left out.
  private static let together = 32
  /// One call at a time: what is shown matters more.
  private let preparing = Turnstile(1)

  /// One call after another: each is of previews that follow one another and are of one size.
  private func start(_ previews: [CachedPreview]) -> Task<Void, Never> {
    Task { [weak self, library, preparing] in
      var rest = previews[...]
      while let size = rest.first?.size, !Task.isCancelled {
        let batch = rest.prefix(Self.together).prefix { $0.size == size }
        rest = rest.dropFirst(batch.count)
        try? await preparing.pass { () async throws(AlbumError) in
          let ids = self?.wanted(batch) ?? []
          guard !ids.isEmpty, !Task.isCancelled else { return }
          _ = try? await library.lanes.once { connection throws(AlbumError) in
            let stream = try connection.preparePreviews(ids, pixels: size.pixels, crop: size.crop)
            while try stream.next() != nil {}
          }
        }
      }
    }
  }

  private func wanted(_ batch: ArraySlice<CachedPreview>) -> [String] {
    caching.withLock { caching in batch.filter { caching[$0] != nil }.map(\.id) }
  }

  /// They are not wanted any more. PhotoKit: `stopCachingImages(for:targetSize:contentMode:options:)`.
  ///
  /// - Parameter options: those with which they were wanted.
  public func stopCachingImages(
    for assets: [Asset], targetSize: ImageSize, contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions()
  ) {
    let former = caching.withLock { caching in
      let tasks = assets.compactMap { asset in
        caching.removeValue(forKey: CachedPreview(asset, targetSize, contentMode, options))
      }
      // What else was asked for with them is still wanted.
      return Set(tasks).subtracting(caching.values)
    }
    for task in former { task.cancel() }
  }

  /// None is. PhotoKit: `stopCachingImagesForAllAssets()`.
  public func stopCachingImagesForAllAssets() {
    let tasks = caching.withLock { caching in
      defer { caching = [:] }
      return caching.values
    }
    for task in tasks { task.cancel() }
  }
}

extension LibraryInterface.Asset {
  /// As shown; nil where it is not known.
  fileprivate var size: ImageSize? {
    guard let pixelWidth, let pixelHeight else { return nil }
    return ImageSize(width: pixelWidth, height: pixelHeight)
  }
}
