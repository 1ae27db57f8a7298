/// A desktop whose background settings are known.
package enum Desktop: String, Hashable, Sendable, CaseIterable {
  case gnome
  case kde
  case xfce

  /// By the names that `XDG_CURRENT_DESKTOP` lists (the Desktop Entry Specification, OnlyShowIn), such as
  /// `ubuntu:GNOME`: the first that is known.
  package init?(named names: String) {
    for name in names.split(separator: ":") {
      guard name.utf8.count <= 16, let desktop = Desktop(rawValue: name.lowercased()) else { continue }
      self = desktop
      return
    }
    return nil
  }

  /// The program that sets the background.
  package var backgroundSettings: String {
    switch self {
    case .gnome: "gnome-control-center background"
    case .kde: "systemsettings kcm_wallpaper"
    case .xfce: "xfdesktop-settings"
    }
  }
}
