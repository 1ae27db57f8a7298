internal import Authorization
internal import DaemonConfiguration
internal import EventLoop
internal import LibraryModel
internal import VarlinkServer
internal import Words

/// What smart albums are called, for the person of whoever asks (S93).
@EventLoopActor
final class SmartAlbumTitles {
  private let configuration: ConfigurationInForce
  /// Who remember the language that each named last.
  private let apps: KnownApps

  init(_ configuration: ConfigurationInForce, apps: KnownApps) {
    self.configuration = configuration
    self.apps = apps
  }

  /// In the language of the connection, else in the one that the app named last, else in this host's.
  func words(for app: PeerIdentity, _ call: ServerCall) -> Words {
    let named = [call.language(named: nil), apps.language(of: app)].compactMap { $0 }
    return configuration.current.translations.words(for: named + PreferredLanguages.ofProcess)
  }
}

extension SmartAlbum {
  /// What it is called.
  var title: Phrase {
    switch self {
    case .recents: .smartRecents
    case .favorites: .smartFavorites
    case .videos: .smartVideos
    case .livePhotos: .smartLivePhotos
    case .screenshots: .smartScreenshots
    case .panoramas: .smartPanoramas
    case .raw: .smartRaw
    case .recentlyAdded: .smartRecentlyAdded
    }
  }
}
