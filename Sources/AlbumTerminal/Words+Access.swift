public import AlbumAPI
public import Words

// What the names of the interface mean to a person. Tables and commands keep the names themselves: they are what is
// typed and what programs read.

extension Words {
  /// An access level.
  func title(_ level: AuthorizationInterface.AccessLevel) -> String {
    switch level {
    case .addOnly: self[.addOnly]
    case .readWrite: self[.readWrite]
    }
  }

  /// A status.
  public func title(_ status: AuthorizationInterface.AuthorizationStatus) -> String {
    switch status {
    case .notDetermined: self[.notDetermined]
    case .restricted: self[.restricted]
    case .denied: self[.denied]
    case .authorized: self[.authorized]
    case .limited: self[.limited]
    }
  }

  /// What a status means to the app.
  func meaning(_ status: AuthorizationInterface.AuthorizationStatus) -> String {
    switch status {
    case .notDetermined: self[.meansNotDetermined]
    case .restricted: self[.meansRestricted]
    case .denied: self[.meansDenied]
    case .authorized: self[.meansAuthorized]
    case .limited: self[.meansLimited]
    }
  }

  /// What a status means to the app, how much is selected, and until when.
  public func meaning(
    _ status: AuthorizationInterface.AuthorizationStatus, selected: Int?, until expires: Instant?
  ) -> String {
    list(
      selected.map { self[.meansLimitedOf, ["count": "\($0)"]] } ?? meaning(status),
      expires.map { self[.grantUntil, ["time": "\(LocalTime($0))"]] })
  }
}
