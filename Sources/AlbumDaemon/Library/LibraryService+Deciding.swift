internal import AlbumAPI
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Storage
internal import Varlink
internal import VarlinkServer
internal import VarlinkTransport

// What was decided when an edit was asked for is decided once more when it begins (S29, 0144): until then it may have waited for
// others, and for file systems.
extension LibraryService {
  /// What decides whether an edit may begin that a caller asks for.
  func mayBegin(
    _ call: ServerCall, _ decide: @escaping @EventLoopActor () throws -> Void
  ) -> MayBegin { MayBegin(by: accountable(call), decide) }

  /// Against whose shares it counts what a caller does.
  func accountable(_ call: ServerCall) -> UInt32 { additions.accountable(call.connection.peer.uid) }

  /// The caller as it is now.
  ///
  /// - Parameter author: as it was when it asked.
  /// - Throws: `NotAuthorized`; `PermissionDenied` to who was an owner and is none any more.
  func present(_ author: LibraryAccess.Reader, _ call: ServerCall) throws -> LibraryAccess.Reader {
    let now = try access.reader(call)
    guard author.app != nil || now.app == nil else { throw PermissionDenied() }
    return now
  }

  /// Whether a caller may still change an asset: it may, and sees it.
  func mayChange(_ id: AssetID, _ author: LibraryAccess.Reader, _ call: ServerCall) throws {
    try requireSeen(id, in: try present(author, call).view)
  }

  /// - Throws: `NoSuchAsset`, whether it is there or not (S16).
  func requireSeen(_ id: AssetID, in view: LibraryView) throws {
    guard let asset = try store.files.asset(id), view.sees(asset) else {
      throw LibraryInterface.NoSuchAsset(id: renderer.id(id))
    }
  }
}
