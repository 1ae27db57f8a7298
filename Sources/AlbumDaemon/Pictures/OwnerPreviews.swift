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
  static func allows(_ pixels: Int) -> Bool { Previews.pixels ~= pixels }

  /// A picture in a memory file.
  ///
  /// - Parameters:
  ///   - user: against whom it counts until it is closed.
  ///   - identity: of the file, so that its picture is kept; nil where it is not to be.
  ///   - id: what the error is about.
  /// - Throws: `PreviewUnavailable`.
  func open(
    _ id: String, pixels: Int, for user: UInt32, _ identity: FileIdentity?,
    _ file: @EventLoopActor () async throws(PictureFailure) -> DescriptorBatch
  ) async throws -> (preview: Preview, memory: DescriptorBatch) {
    do throws(PictureFailure) {
      guard waiting < Self.most, let reservation = previews.reserve(pixels: pixels, for: user) else {
        throw .busy
      }
      waiting += 1
      defer { waiting -= 1 }
      let file = try await file()
      let demand = PictureDemand.common(.shown, for: .user(user))
      let preview =
        if let identity {
          try await previews.preview(of: file, identity, pixels: pixels, isSquare: false, demand)
        } else {
          try await previews.passingPreview(of: file, pixels: pixels, demand)
        }
      return (preview, try await previews.handedOut(preview, demand, reservation))
    } catch { throw LibraryInterface.PreviewUnavailable(id: id, reason: .init(error)) }
  }
}
