internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal

/// Reads what an owner picks from, on a connection of its own that is made when it is needed.
final class LibraryReader {
  private let global: GlobalOptions
  private var connection: AlbumConnection?

  init(_ global: GlobalOptions) {
    self.global = global
  }

  /// A part of the library, as an owner sees it.
  func read(_ request: PhotoPicker.Request) throws(AlbumError) -> PhotoPicker.Loaded {
    let connection = if let connection { connection } else { try connect() }
    // One that failed is not used again.
    self.connection = nil
    let albums = request.wantsAlbums ? try connection.albums().albums : nil
    let page = try connection.page(of: request.page)
    self.connection = connection
    return .init(albums: albums, page: page)
  }

  /// The daemon has gone.
  func forget() {
    connection = nil
  }

  private func connect() throws(AlbumError) -> AlbumConnection {
    let connection = try global.connect()
    try connection.actAsOwner()
    return connection
  }
}
