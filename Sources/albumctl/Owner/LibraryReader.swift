internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import Varlink

/// Reads what an owner picks from, on a connection of its own that is made when it is needed.
final class LibraryReader {
  private let global: GlobalOptions
  private var connection: AlbumConnection?

  init(_ global: GlobalOptions) {
    self.global = global
  }

  /// A part of the library, as an owner sees it.
  ///
  /// - Throws: ``AlbumClient/AlbumError``; ``Interrupted``.
  func read(_ request: PhotoPicker.Request, by calls: InterruptibleCalls) throws -> PhotoPicker.Loaded {
    let connection = if let connection { connection } else { try connect(calls) }
    // One that failed is not used again.
    self.connection = nil
    let albums =
      request.wantsAlbums
      ? try calls.call(connection, LibraryInterface.FetchAlbums.self, .init()).albums : nil
    let page = try calls.call(connection, LibraryInterface.FetchAssets.self, request.page)
    self.connection = connection
    return .init(albums: albums, page: page)
  }

  /// The daemon has gone.
  func forget() {
    connection = nil
  }

  private func connect(_ calls: InterruptibleCalls) throws -> AlbumConnection {
    let connection = try global.connect()
    _ = try calls.call(connection, ManagerInterface.ActAsOwner.self, Empty())
    return connection
  }
}
