/// How far a feed has come: in the changes of assets, and in those of albums.
struct FeedPosition: Hashable, Sendable {
  /// What a subscription is about.
  enum Subject: CaseIterable, Hashable, Sendable {
    case assets
    case albums

    /// The one that is not this.
    var other: Subject {
      switch self {
      case .assets: .albums
      case .albums: .assets
      }
    }
  }

  private var tokens: [Subject: String] = [:]
  /// Of these, changes were lost, and nobody was told yet.
  private var lost: Set<Subject> = []

  /// - Parameter token: from the daemon's now on when nil.
  init(_ token: PersistentChangeToken?) {
    guard let token else { return }
    tokens = [.assets: token.assets, .albums: token.albums]
  }

  /// Where to go on; nil for from now on.
  subscript(subject: Subject) -> String? { tokens[subject] }

  /// The place to come back with, once both are known.
  var token: PersistentChangeToken? {
    guard let assets = tokens[.assets], let albums = tokens[.albums] else { return nil }
    return PersistentChangeToken(assets: assets, albums: albums)
  }

  /// Whether to read on there: not while the other has no token yet, for a change could not be told with a
  /// token to come back with.
  func wants(_ subject: Subject) -> Bool {
    tokens[subject] == nil || Subject.allCases.allSatisfy { $0 == subject || tokens[$0] != nil }
  }

  /// A delivery came.
  mutating func advance(_ subject: Subject, to token: String) {
    tokens[subject] = token
  }

  /// The token is of no more use (S27): from now on, and whoever listens is told.
  mutating func lose(_ subject: Subject) {
    tokens[subject] = nil
    lost.insert(subject)
  }

  /// Both are of no more use: what the app may see is another library to it.
  mutating func loseAll() { Subject.allCases.forEach { lose($0) } }

  /// What was lost, once: when the places from which to go on are known, so that a fetch that is made upon
  /// it leaves no gap.
  mutating func takeLost() -> (subjects: Set<Subject>, token: PersistentChangeToken)? {
    guard !lost.isEmpty, let token else { return nil }
    defer { lost = [] }
    return (lost, token)
  }
}
