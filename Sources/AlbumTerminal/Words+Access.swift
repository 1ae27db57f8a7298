package import AlbumAPI
package import Words

// What the names of the interface mean to a person. Commands take the names themselves, and English tables show them.

extension Words {
  /// An access level.
  func title(_ level: AuthorizationInterface.AccessLevel) -> String {
    switch level {
    case .addOnly: self[.addOnly]
    case .readWrite: self[.readWrite]
    }
  }

  /// A status.
  package func title(_ status: AuthorizationInterface.AuthorizationStatus) -> String {
    switch status {
    case .notDetermined: self[.notDetermined]
    case .restricted: self[.restricted]
    case .denied: self[.denied]
    case .authorized: self[.authorized]
    case .limited: self[.limited]
    }
  }

  /// An access level in a table: in English its name, which is what is typed.
  package func name(_ level: AuthorizationInterface.AccessLevel) -> String {
    language == "en" ? level.rawValue : title(level)
  }

  /// A status in a table: in English its name, as the interface has it.
  package func name(_ status: AuthorizationInterface.AuthorizationStatus) -> String {
    language == "en" ? status.rawValue : title(status)
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

  /// That refusing to let an app add keeps it from nothing, where that is so (S2).
  package func addsAnyway(
    adding: AuthorizationInterface.AuthorizationStatus, reading: AuthorizationInterface.AuthorizationStatus
  ) -> String? {
    let isRefused = adding == .denied || adding == .restricted
    return isRefused && (reading == .authorized || reading == .limited) ? self[.addsAnyway] : nil
  }

  /// The same of an app as its owner sees it.
  package func addsAnyway(_ app: ManagerInterface.App) -> String? {
    func status(_ level: AuthorizationInterface.AccessLevel) -> AuthorizationInterface.AuthorizationStatus {
      app.grants.first { $0.accessLevel == level }?.status ?? .notDetermined
    }
    return addsAnyway(adding: status(.addOnly), reading: status(.readWrite))
  }

  /// What a status means to the app, how much is selected, whether with where photos were taken, and until when.
  package func meaning(
    _ status: AuthorizationInterface.AuthorizationStatus, selected: Int?, location: Bool? = nil,
    until expires: Instant?
  ) -> String {
    list(
      selected.map { self[.meansLimitedOf, ["count": "\($0)"]] } ?? meaning(status),
      location.map { self[$0 ? .withLocation : .withoutLocation] },
      expires.map { self[.grantUntil, ["time": "\(LocalTime($0))"]] })
  }
}
