/// A place in the library's changes (S26), to be stored and come back with. PhotoKit:
/// `PHPersistentChangeToken`; **differs**: it is a string, so that it fits any file.
public struct PersistentChangeToken: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
  /// Where the changes of assets go on.
  let assets: String
  /// Where those of albums go on: they are told apart, so one may be ahead.
  let albums: String

  init(assets: String, albums: String) {
    self.assets = assets
    self.albums = albums
  }

  /// The token of a state of the whole library.
  init(both token: String) {
    self.init(assets: token, albums: token)
  }

  /// A token that was stored. The daemon finds out whether it is one.
  public init?(rawValue: String) {
    let parts = rawValue.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard (1...2).contains(parts.count), !parts.contains("") else { return nil }
    self.init(assets: parts[0], albums: parts[parts.count - 1])
  }

  /// For storing. Says nothing to anyone but the daemon.
  public var rawValue: String { assets == albums ? assets : "\(assets),\(albums)" }

  /// The same.
  public var description: String { rawValue }
}
