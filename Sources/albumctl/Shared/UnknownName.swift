internal import AlbumAPI
internal import AlbumClient
internal import Varlink

// What albumctl finds out by looking at a list has the name that the daemon has for it: a program looks for one.
extension AlbumError {
  /// There is no such asset, as far as the caller may see (S16).
  static func noSuchAsset(_ id: String) -> AlbumError {
    AlbumError(
      remote: RemoteError(name: LibraryInterface.NoSuchAsset.name, parameters: ["id": .string(id)]),
      place: LibraryInterface.FetchAssets.name)
  }

  /// No such app is known.
  static func noSuchApp(_ id: String) -> AlbumError {
    AlbumError(
      remote: RemoteError(name: ManagerInterface.NoSuchApp.name, parameters: ["id": .string(id)]),
      place: ManagerInterface.ListApps.name)
  }
}
