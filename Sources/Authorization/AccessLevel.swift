/// What an app may ask for: adding alone, or the library (rule S2).
package enum AccessLevel: String, Hashable, Sendable, CaseIterable {
  /// May add, never read.
  case addOnly
  /// May read, add and change.
  case readWrite

  /// By which of them it is: by itself the text would be.
  package func hash(into hasher: inout Hasher) { hasher.combine(self == .addOnly) }

  /// The same.
  package static func == (left: AccessLevel, right: AccessLevel) -> Bool {
    switch (left, right) {
    case (.addOnly, .addOnly), (.readWrite, .readWrite): true
    case (.addOnly, .readWrite), (.readWrite, .addOnly): false
    }
  }
}

/// What an app's access comes to (rules S1 and S6).
package enum AuthorizationStatus: String, Hashable, Sendable, CaseIterable {
  /// Nobody decided yet; a request asks the owner.
  case notDetermined
  /// The administrator's policy refuses. Neither the app nor the owner can change that.
  case restricted
  /// The owner refused.
  case denied
  /// Granted.
  case authorized
  /// Granted for the app's selection. Never the status of `addOnly`.
  case limited

  /// Whether the app may go ahead: `authorized` and `limited` (rule S6).
  package var isUsable: Bool {
    switch self {
    case .authorized, .limited: true
    case .notDetermined, .restricted, .denied: false
    }
  }
}
