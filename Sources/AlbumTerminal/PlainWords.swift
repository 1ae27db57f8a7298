public import AlbumAPI

// What the words of the interface mean to a person.

extension AuthorizationInterface.AccessLevel {
  /// What the level lets an app do, to follow "wants to".
  public var inPlainWords: String {
    switch self {
    case .addOnly: "add photos and videos, without seeing any"
    case .readWrite: "see your photos and videos, and add to them"
    }
  }
}

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

extension AgentInterface.Prompt {
  /// What is asked, as a question about the app.
  public var question: String {
    let count = assets?.count ?? 0
    let items = count == 1 ? "1 item" : "\(count) items"
    switch kind {
    case .authorization: return "wants to \(accessLevel?.inPlainWords ?? "use your photo library")."
    case .limitedPicker: return "may see the photos that you select. Which?"
    case .picker: return "asks you to pick photos for it."
    case .photoAccess: return "wants to see \(items) that you picked later as well."
    case .deletion: return "wants to delete \(items)."
    case .replacement: return "wants to overwrite \(items)."
    }
  }
}

extension AgentInterface.Answer {
  /// What was answered, as a part of a sentence about the app.
  public var inPlainWords: String {
    let selected = (assets?.count ?? 0) + (albums?.count ?? 0)
    let decided =
      switch decision {
      case .allow: "allowed"
      case .limited: "allowed for \(selected) selected"
      case .deny: "not allowed"
      case .notNow: "put off"
      }
    let span =
      switch duration {
      case .always?, nil: ""
      case .untilExit?: " until it exits"
      case .until?: expires.map { " until \(LocalTime($0))" } ?? ""
      }
    return decided + span
  }
}
