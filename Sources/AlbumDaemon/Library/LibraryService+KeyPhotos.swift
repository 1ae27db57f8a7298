internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import VarlinkServer

extension LibraryService {
  /// Chooses the asset that stands for an album, of those in it that the caller sees; or none (S102).
  func setKeyAsset(
    _ parameters: LibraryInterface.SetKeyAsset.Parameters, _ call: ServerCall
  ) throws -> LibraryInterface.SetKeyAsset.Reply {
    let reader = try access.reader(call)
    let id = try album(parameters.album, in: reader.view)
    let key = try parameters.asset.map { text in
      let asset = try asset(text, in: reader.view)
      // What is elsewhere is not in the album, and what is hidden stands for nothing.
      guard reader.view.showsKey(asset, of: id) else { throw LibraryInterface.NoSuchAsset(id: text) }
      return asset.id
    }
    // What it is not shown is not its own to take away, nor to notice (S16).
    if key == nil, !reader.view.seesEverything,
      let album = monitor.contents.album(id), renderer.album(album, in: reader.view).keyAsset == nil
    {
      return .init(album: renderer.album(album, in: reader.view))
    }
    try countChange(by: reader)
    do { try monitor.edits.albumKeys.choose(key, of: id) } catch  where error.isNoSpace {
      throw LibraryInterface.NoSpace()
    }
    access.note(.arrangeAlbum, by: reader)
    guard let album = monitor.contents.album(id) else {
      throw LibraryInterface.NoSuchAlbum(id: parameters.album)
    }
    return .init(album: renderer.album(album, in: reader.view))
  }
}
