internal import AlbumAPI
internal import EventLoop
internal import LibraryModel
internal import Linux
internal import Storage

/// Small pictures that only owners are shown: of what was deleted, and of what is to take a photo's place.
@EventLoopActor
final class OwnerPreviews {
  /// So many are waited for at a time.
  static let most = 64

  private let previews: Previews
  private var waiting = 0

  init(_ previews: Previews) { self.previews = previews }

  /// Whether so many pixels can be asked for.
  static func allows(_ pixels: Int, isPixmap: Bool = false) -> Bool {
    (isPixmap ? Previews.pixmapPixels : Previews.pixels) ~= pixels
  }

  /// A picture in a memory file, which is kept among the previews.
  ///
  /// - Parameters:
  ///   - user: against whom it counts until it is closed.
  ///   - identity: of the file.
  ///   - id: what the error is about.
  /// - Throws: `PreviewUnavailable`.
  func open(
    _ id: String, pixels: Int, for user: UInt32, _ identity: FileIdentity,
    _ file: @EventLoopActor () async throws(PictureFailure) -> DescriptorBatch
  ) async throws -> (preview: Preview, memory: DescriptorBatch) {
    try await open(id, pixels: pixels, isPixmap: false, for: user) { demand throws(PictureFailure) in
      try await previews.preview(of: try await file(), identity, pixels: pixels, isSquare: false, demand)
    }
  }

  /// A picture of what is not of the library, of which nothing is kept.
  ///
  /// - Parameters:
  ///   - user: against whom it counts until it is closed.
  ///   - id: what the error is about.
  /// - Throws: `PreviewUnavailable`.
  func openPassing(
    _ id: String, pixels: Int, isPixmap: Bool, for user: UInt32,
    _ file: @EventLoopActor () async throws(PictureFailure) -> DescriptorBatch
  ) async throws -> (preview: Preview, memory: DescriptorBatch) {
    try await open(id, pixels: pixels, isPixmap: isPixmap, for: user) { demand throws(PictureFailure) in
      try await previews.passingPreview(of: try await file(), pixels: pixels, isPixmap: isPixmap, demand)
    }
  }

  private func open(
    _ id: String, pixels: Int, isPixmap: Bool, for user: UInt32,
    _ make: @EventLoopActor (PictureDemand) async throws(PictureFailure) -> Preview
  ) async throws -> (preview: Preview, memory: DescriptorBatch) {
    do throws(PictureFailure) {
      guard waiting < Self.most,
        let reservation = previews.reserve(pixels: pixels, isPixmap: isPixmap, for: user)
      else { throw .busy }
      waiting += 1
      defer { waiting -= 1 }
      let demand = PictureDemand.common(.shown, for: .user(user))
      let preview = try await make(demand)
      return (preview, try await previews.handedOut(preview, demand, reservation))
    } catch { throw LibraryInterface.PreviewUnavailable(id: id, reason: .init(error)) }
  }
}
