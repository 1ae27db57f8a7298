internal import AlbumWeb
internal import Notifications
internal import Words

// Prompts on the desktop (S62), where somebody may answer though no page is open.
extension Desk {
  /// From now on prompts are shown on this desktop too.
  func start(_ desktop: Notifications) {
    self.desktop = desktop
    desktop.start()
  }

  /// What comes of notifications.
  func take(_ news: Notifications.News, entry: String?) {
    switch news {
    case .available(let isThere):
      guard isThere != hasDesktop else { return }
      hasDesktop = isThere
      if isThere { welcome(PreferredLanguages.ofProcess) } else { restLater() }
    case .chosen:
      if let entry { PageOpener.open(entry: entry) }
    }
  }

  /// The desktop shows what every page shows.
  func notify() {
    let words = Words.matching(PreferredLanguages.ofProcess)
    desktop?.show(board.current.map { Notice($0, words) })
  }
}
