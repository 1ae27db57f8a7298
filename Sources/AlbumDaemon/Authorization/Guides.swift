internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import Words

/// The guides in force, for every service that tells a person something (S15).
@EventLoopActor
final class Guides {
  private var catalogue: GuideCatalogue
  /// For callers who name no language and never have: this host's.
  private let languages: [String]
  /// Who remember the language that each named last.
  private let apps: KnownApps
  /// Where they are led.
  private let settings: ServedSettings

  /// - Parameter languages: of the host, best first.
  init(
    _ catalogue: GuideCatalogue, apps: KnownApps, settings: ServedSettings,
    languages: [String] = PreferredLanguages.ofProcess
  ) {
    self.settings = settings
    self.catalogue = catalogue
    self.apps = apps
    self.languages = languages
  }

  func reload(_ catalogue: GuideCatalogue) { self.catalogue = catalogue }

  /// Why a request was refused; nil when it was not.
  func refusal(
    _ effective: EffectiveStatus, _ level: AccessLevel, of app: PeerIdentity, language: String? = nil
  ) -> AuthorizationInterface.Guide? {
    Guide(effective, level: level, for: reader(app, language), in: catalogue).map { .init($0) }
  }

  /// What to show where access is needed and not there: refused, or never asked for.
  func noAccess(
    _ effective: EffectiveStatus, _ level: AccessLevel, of app: PeerIdentity, language: String?
  ) -> AuthorizationInterface.Guide {
    let reader = reader(app, language)
    let guide =
      Guide(effective, level: level, for: reader, in: catalogue)
      ?? Guide(notAsked: level, for: reader, in: catalogue)
    return guide.map { .init($0) } ?? .init(title: "", message: "", steps: [])
  }

  /// What to do with pictures that were saved.
  func saved(
    _ count: Int, to album: String, for purpose: LibraryInterface.SavePurpose, of app: PeerIdentity,
    language: String?, desktop: String?
  ) -> AuthorizationInterface.Guide? {
    let purpose: Guide.Purpose =
      switch purpose {
      case .keep: .keep
      case .wallpaper: .wallpaper
      }
    return Guide(
      saved: count, to: album, for: purpose, reader(app, language),
      desktop: desktop.flatMap(Desktop.init(named:)), in: catalogue
    ).map { .init($0) }
  }

  /// What to say when some of what was picked could not be handed over (S23); nil when all was.
  func inaccessible(
    _ count: Int, of app: PeerIdentity, language: String? = nil
  ) -> AuthorizationInterface.Guide? {
    Guide(inaccessible: count, for: reader(app, language), in: catalogue).map { .init($0) }
  }

  private func reader(_ app: PeerIdentity, _ language: String?) -> Guide.Reader {
    let languages = [language, apps.language(of: app)].compactMap { $0 } + languages
    return Guide.Reader(
      appID: app.appID, appName: app.name(for: languages), languages: languages,
      settingsAddress: settings.address(for: app))
  }
}
