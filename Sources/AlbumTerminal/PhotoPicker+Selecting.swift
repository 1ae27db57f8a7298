internal import AlbumAPI

extension PhotoPicker {
  /// How many photos and albums are selected.
  var selectedCount: Int { selectedPhotos.count + selectedAlbums.count }

  func isSelected(_ album: LibraryInterface.Album) -> Bool { selectedAlbums.contains(album.id) }

  func isSelected(_ asset: LibraryInterface.Asset) -> Bool { selectedPhotos.contains(asset.id) }

  /// Whether a photo is selected with an album that it is in (S17).
  func isInSelectedAlbum(_ asset: LibraryInterface.Asset) -> Bool {
    asset.albums.contains { selectedAlbums.contains($0) }
  }

  /// The album or photo at a row.
  enum Row {
    case album(LibraryInterface.Album)
    case photo(LibraryInterface.Asset)
  }

  func row(_ index: Int) -> Row? {
    if listedAlbums.indices.contains(index) { return .album(listedAlbums[index]) }
    guard shelf != .albums else { return nil }
    return photos[index - listedAlbums.count].map(Row.photo)
  }

  /// Selects what is at the position, or no longer.
  mutating func toggle() {
    switch row(position) {
    case .album(let album)?:
      guard rules.takesAlbums else { return problem = .albumsAreNotTaken }
      toggle(album)
    case .photo(let asset)?:
      // One photo instead of another.
      if rules.limit == 1, !isSelected(asset) { selectedPhotos = PickOrder() }
      set(asset.id, !isSelected(asset))
    case nil: break
    }
  }

  /// A folder brings everything that lies in it, and takes it along; it is said how many albums those are.
  private mutating func toggle(_ album: LibraryInterface.Album) {
    let all = albums?.beneath(album.id) ?? [album.id]
    guard !isSelected(album) else { return selectedAlbums.subtract(all) }
    selectedAlbums.formUnion(all)
    if all.count > 1 { problem = .folder(albums?.title(of: album) ?? album.title, albums: all.count - 1) }
  }

  mutating func set(_ photo: String, _ isSelected: Bool) {
    guard isSelected else {
      selectedPhotos.remove(photo)
      return
    }
    let most = rules.limit ?? Self.mostSelected
    guard selectedPhotos.contains(photo) || selectedPhotos.count < most else { return problem = .limit(most) }
    selectedPhotos.insert(photo)
  }

  /// Selects all that is found, or none of it.
  mutating func setAll(_ selects: Bool) {
    if shelf != .photos {
      guard rules.takesAlbums || listedAlbums.isEmpty else { return problem = .albumsAreNotTaken }
      let listed = listedAlbums.map(\.id)
      if selects { selectedAlbums.formUnion(listed) } else { selectedAlbums.subtract(listed) }
    }
    guard shelf != .albums else { return }
    pending = nil
    sweep = Sweep(
      selects: selects,
      pages: photos.parts.map { part in
        var page = part.filter
        page.limit = 1000
        return page
      })
  }
}
