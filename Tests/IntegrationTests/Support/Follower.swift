import AlbumAPI
import Glibc
import Varlink

/// Keeps a copy of the library by what it is told alone, and outlives the daemon: it goes on from the last token that
/// it has stored (S26). What contradicts the copy is an error: something was told twice, or not at all.
final class Follower {
  private let host: Host
  private var assetStream: AssetSubscriber?
  private var albumStream: AlbumSubscriber?
  private(set) var assets: Replica<LibraryInterface.Asset>
  private(set) var albums: Replica<LibraryInterface.Album>

  /// Fetches, and follows from there.
  init(_ host: Host) throws {
    self.host = host
    let owner = try host.owner()
    let fetched = try owner.call(LibraryInterface.FetchAssets.self, .init(limit: 1000))
    assets = Replica(fetched.assets, token: fetched.token)
    let albums = try owner.call(LibraryInterface.FetchAlbums.self, .init())
    self.albums = Replica(albums.albums, token: albums.token)
  }

  /// Goes on from where another is.
  init(continuing other: Follower) {
    host = other.host
    assets = other.assets
    albums = other.albums
  }

  /// Takes what has come, and waits for nothing.
  func drain() throws {
    host.daemon.hear()
    try connect()
    while let assetStream, assetStream.hasNext { try take(assetStream) }
    while let albumStream, albumStream.hasNext { try take(albumStream) }
  }

  /// Takes what comes until the copy is as wanted.
  func follow(until isWanted: (Follower) throws -> Bool, or what: () -> String) throws {
    let deadline = Deadline.generous
    while true {
      try drain()
      if try isWanted(self) { return }
      try deadline.poll(descriptors(), for: "the copy to agree: \(what())")
    }
  }

  /// Takes what comes until a process has ended.
  func follow(until process: ChildProcess) throws {
    let deadline = Deadline.generous
    while process.isRunning {
      try drain()
      try deadline.poll(descriptors() + [process.descriptor], for: "the end of process \(process.pid)")
    }
  }

  /// Readable when there is something to take.
  private func descriptors() throws -> [CInt] {
    try connect()
    return [assetStream?.descriptor, albumStream?.descriptor, host.daemon.notification].compactMap { $0 }
  }

  /// The daemon is about to end: what was not taken yet is told again from the tokens.
  func disconnect() { (assetStream, albumStream) = (nil, nil) }

  private func connect() throws {
    if assetStream == nil { assetStream = try host.owner().subscribe(since: assets.token) }
    if albumStream == nil { albumStream = try host.owner().subscribeToAlbums(since: albums.token) }
  }

  private func take(_ stream: AssetSubscriber) throws { try assets.apply(try stream.next()) }
  private func take(_ stream: AlbumSubscriber) throws { try albums.apply(try stream.next()) }

  /// Where an album is, beneath its root; `nil` when what is around it is not known.
  func path(of album: String) -> String? {
    guard let album = albums.items[album] else { return nil }
    guard let parent = album.parent else { return album.title }
    return path(of: parent).map { "\($0)/\(album.title)" }
  }
}

/// A copy of a set of items, by what its subscriber was told.
struct Replica<Item: Codable & Hashable & Sendable & Told> {
  /// By id.
  private(set) var items: [String: Item]
  /// What it goes on from.
  private(set) var token: String

  init(_ items: [Item], token: String) {
    self.items = Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
    self.token = token
  }

  /// Makes the changes of a delivery.
  mutating func apply(_ delivery: LibraryInterface.Subscribe.Delivery<Item>) throws {
    guard delivery.hasIncrementalChanges else { throw Contradiction("changes were lost") }
    for item in delivery.inserted where items.updateValue(item, forKey: item.id) != nil {
      throw Contradiction("\(item.name) is told to be new, and was there")
    }
    for id in delivery.removed where items.removeValue(forKey: id) == nil {
      throw Contradiction("\(id) is told to have gone, and was not there")
    }
    let changes = delivery.changed.map { ($0.id, Item.afterwards($0.asset, $0.album)) }
    let moves = delivery.moved.map { ($0.id, Item.afterwards($0.asset, $0.album)) }
    for (id, item) in changes + moves {
      guard let item, items.updateValue(item, forKey: id) != nil else {
        throw Contradiction("\(id) is told to have changed, and was not there")
      }
    }
    token = delivery.token
  }

  /// In what another copy is not this.
  func difference(_ other: Replica) -> String {
    let ids = Set(items.keys).union(other.items.keys).filter { items[$0] != other.items[$0] }
    return ids.map { "\(String(describing: items[$0])), not \(String(describing: other.items[$0]))" }.joined(
      separator: "; ")
  }

  /// What was told cannot be.
  struct Contradiction: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
}

/// What deliveries tell of.
protocol Told: Identified {
  /// The item of a change, as it is after it.
  static func afterwards(_ asset: LibraryInterface.Asset?, _ album: LibraryInterface.Album?) -> Self?
}

extension LibraryInterface.Asset: Told {
  static func afterwards(_ asset: LibraryInterface.Asset?, _: LibraryInterface.Album?) -> Self? { asset }
}

extension LibraryInterface.Album: Told {
  static func afterwards(_: LibraryInterface.Asset?, _ album: LibraryInterface.Album?) -> Self? { album }
}
