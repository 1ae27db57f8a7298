internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import AlbumWeb
internal import Words

/// What of the library is looked at (S106).
enum Shelf: CaseIterable {
  /// Everything that is not hidden.
  case all
  /// What people like best (S90).
  case favorites
  /// What is hidden (S91): never among the others.
  case hidden

  /// What an address asks for; nil where it is an album.
  init?(_ query: FormFields) {
    if let album = query["album"] {
      guard album == SmartAlbumKind.favorites.albumID else { return nil }
      self = .favorites
    } else {
      self = query["show"] == "hidden" ? .hidden : .all
    }
  }

  private var address: String {
    switch self {
    case .all: "/photos"
    case .favorites: "/photos?album=\(SmartAlbumKind.favorites.albumID)"
    case .hidden: "/photos?\(GridFilter.hiddenQuery)"
    }
  }

  private var title: Phrase {
    switch self {
    case .all: .pageAllPhotos
    case .favorites: .smartFavorites
    case .hidden: .pageHidden
    }
  }

  /// The links to all of them.
  static func links(from here: Shelf?, _ words: Words) -> [View.Values] {
    allCases.map { ["address": $0.address, "title": words[$0.title], "here": $0 == here] }
  }
}

extension AlbumConnection {
  /// The smart albums in which there is something, but for that of everything, in the words of the page: its connections are
  /// shared by all languages.
  func smartAlbums(_ words: Words) throws(AlbumError) -> [LibraryInterface.Album] {
    try albums(smart: true).albums.compactMap { album -> LibraryInterface.Album? in
      guard album.assetCount > 0, let title = SmartAlbumKind(rawValue: album.id)?.title else { return nil }
      var album = album
      album.title = words[title]
      return album
    }
  }
}

extension SmartAlbumKind {
  /// What it is called; nil of that which holds everything.
  fileprivate var title: Phrase? {
    switch self {
    case .recents, .recentlyAdded: nil
    case .favorites: .smartFavorites
    case .videos: .smartVideos
    case .livePhotos: .smartLivePhotos
    case .screenshots: .smartScreenshots
    case .panoramas: .smartPanoramas
    case .raw: .smartRaw
    }
  }
}
