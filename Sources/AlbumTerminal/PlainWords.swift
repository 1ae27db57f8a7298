public import AlbumAPI

// What the words of the interface mean to a person.

extension AuthorizationInterface.AuthorizationStatus {
  /// What the status means to the app.
  public var inPlainWords: String {
    switch self {
    case .notDetermined: "nobody was asked yet"
    case .restricted: "the administrator's policy forbids it"
    case .denied: "the owner refused"
    case .authorized: "granted"
    case .limited: "granted for a selection"
    }
  }
}
