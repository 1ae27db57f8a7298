/// The kinds of evidence about a peer, in the order in which they are believed (rule S35).
package enum EvidenceKind: String, Hashable, Sendable, CaseIterable {
  /// The id of a Flatpak application.
  case flatpak
  /// The name of a snap.
  case snap
  /// A unit of the system's service manager.
  case unit
  /// A unit of the user's service manager.
  case userUnit
  /// The program file.
  case executable
  /// Namespaces of its own, in which any file can be at any path: all such peers of a user are one.
  case sandbox

  /// Those by which a manifest can recognize an app.
  package static let bindable = allCases.filter { $0 != .sandbox }

  /// Whether such an app lives in a sandbox that the daemon's socket was handed into.
  package var isSandbox: Bool {
    switch self {
    case .flatpak, .snap, .sandbox: true
    case .unit, .userUnit, .executable: false
    }
  }
}

/// One way to recognize an app: a kind of evidence and its value.
package struct IdentityBinding: Hashable, Sendable, CustomStringConvertible {
  /// The kind.
  package let kind: EvidenceKind
  /// An id, a name, a unit, a path; for `userUnit` a pattern with `*`.
  package let value: String

  /// A binding.
  package init(_ kind: EvidenceKind, _ value: String) {
    self.kind = kind
    self.value = value
  }

  /// As in a file: `flatpak: org.example.Wallpapers`.
  package var description: String { "\(kind.rawValue): \(value)" }
}

/// What the administrator or a package says about an app, in a file of `apps.d` (rule S35).
package struct AppManifest: Hashable, Sendable {
  /// The file's name without `.yaml`.
  package let appID: String
  /// The app's name, for prompts and lists.
  package let name: LocalizedText
  /// Any of these recognizes the app.
  package let bindings: [IdentityBinding]
  /// Why the app asks, for each level that it may ask for (rule S14).
  package let usage: [AccessLevel: LocalizedText]
  /// Why the app wants to know where pictures were taken: only one that says so can learn it (rule S55).
  package let locationUsage: LocalizedText?
  /// The name or path of an icon, for the agent.
  package let icon: String?
  /// Whether the limited picker opens by itself (rule S21).
  package let automaticLimitedPicker: Bool
  /// Whether the app may act for an owner (rule S44).
  package let manages: Bool
  /// The file that was read.
  package let file: String
  /// The administrator's file, where a key that is missing should be written.
  package let fileToWrite: String

  /// A manifest as its file states it.
  package init(
    appID: String, name: LocalizedText, bindings: [IdentityBinding],
    usage: [AccessLevel: LocalizedText] = [:], locationUsage: LocalizedText? = nil, icon: String? = nil,
    automaticLimitedPicker: Bool = false, manages: Bool = false, file: String, fileToWrite: String
  ) {
    self.appID = appID
    self.name = name
    self.bindings = bindings
    self.usage = usage
    self.locationUsage = locationUsage
    self.icon = icon
    self.automaticLimitedPicker = automaticLimitedPicker
    self.manages = manages
    self.file = file
    self.fileToWrite = fileToWrite
  }

  /// Whether a file may be named after this app: letters, digits, `.`, `_` and `-`, not starting with
  /// `.` or `-`, at most 251 bytes (255 with `.yaml`).
  package static func isValidAppID(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= 251 else { return false }
    return first != UInt8(ascii: ".") && first != UInt8(ascii: "-")
      && text.unicodeScalars.allSatisfy { scalar in
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
          || scalar == "." || scalar == "_" || scalar == "-"
      }
  }
}
