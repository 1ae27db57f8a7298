internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Linux
internal import Varlink
internal import VarlinkServer

/// Adds what apps bring (S30–S32): checks the content, copies off the loop, takes the file in.
@EventLoopActor
final class AssetAdder {
  init(
    monitor: LibraryMonitor, renderer: LibraryRenderer, center: AuthorizationCenter, saveTo: String,
    limit: Int64
  ) {}

  func add(
    _ parameters: LibraryInterface.AddAssets.Parameters, _ call: ServerCall, as adding: LibraryAccess.Adding
  ) async throws -> LibraryInterface.AddAssets.Reply {
    throw MethodNotImplemented(method: call.call.method)
  }
}
