import AlbumAPI
import Varlink

/// A subscription: deliveries one by one, and what they add up to.
final class Subscriber<Item: Codable & Hashable & Sendable & Identified> {
  typealias Delivery = LibraryInterface.Subscribe.Delivery<Item>
  private let connection: Connection
  /// The token of the last delivery.
  private(set) var token: String

  init(_ connection: Connection, _ parameters: LibraryInterface.Subscribe.Parameters) throws {
    self.connection = connection
    try connection.begin(LibraryInterface.Subscribe.self, parameters, more: true)
    let first: Delivery = try Self.decode(connection.receive().reply)
    guard first.isEmpty, first.hasIncrementalChanges else {
      throw DaemonProcess.Failure("the first reply is the starting token, not \(first)")
    }
    token = first.token
  }

  private static func decode(_ reply: Reply) throws -> Delivery {
    if let error = reply.error { throw RemoteError(name: error, parameters: reply.parameters) }
    return try JSONDecoding.decode(Delivery.self, from: .object(reply.parameters))
  }

  func next() throws -> Delivery {
    let delivery = try Self.decode(connection.receive().reply)
    token = delivery.token
    return delivery
  }

  /// Readable when there is another delivery.
  var descriptor: CInt { connection.descriptor }

  /// Whether another delivery has come, or the daemon has gone.
  var hasNext: Bool { !connection.isQuiet }

  /// Deliveries as one, until what they hold is enough. Batches are the daemon's affair.
  func collect(until isEnough: (Collected<Item>) -> Bool) throws -> Collected<Item> {
    var collected = Collected<Item>()
    while !isEnough(collected) { collected.add(try next()) }
    return collected
  }

  /// The next deliveries until they tell of that many changes.
  func collect(_ count: Int) throws -> Collected<Item> { try collect { $0.count >= count } }
}

extension Subscriber where Item == LibraryInterface.Asset {
  /// Everything that is delivered before a photo that is added now: what the daemon had to say about the
  /// events before it.
  ///
  /// - Parameter atLeast: how many changes there are besides: that a file was saved over is told a turn of the loop
  ///   later than what happened after it (docs/decisions/0015-identity.md).
  func rest(in library: TemporaryLibrary, atLeast count: Int = 0) throws -> Collected<Item> {
    let name = "sentinel-\(UInt64.random(in: 0...UInt64.max)).jpg"
    try library.add(name)
    var collected = try collect { seen in
      seen.inserted.contains { $0.filename == name } && seen.count > count
    }
    collected.inserted.removeAll { $0.filename == name }
    return collected
  }
}

/// Several deliveries together.
struct Collected<Item: Codable & Hashable & Sendable & Identified> {
  var deliveries = 0
  var inserted: [Item] = []
  var removed: [String] = []
  var changed: [LibraryInterface.ItemChange] = []
  var moved: [LibraryInterface.ItemMove] = []

  mutating func add(_ delivery: LibraryInterface.Subscribe.Delivery<Item>) {
    deliveries += 1
    inserted += delivery.inserted
    removed += delivery.removed
    changed += delivery.changed
    moved += delivery.moved
  }

  var count: Int { inserted.count + removed.count + changed.count + moved.count }
}

extension LibraryInterface.Subscribe.Delivery {
  var isEmpty: Bool { inserted.isEmpty && removed.isEmpty && changed.isEmpty && moved.isEmpty }
}

protocol Identified {
  var id: String { get }
  var name: String { get }
}
extension LibraryInterface.Asset: Identified {
  var name: String { filename }
}
extension LibraryInterface.Album: Identified {
  var name: String { title }
}

typealias AssetSubscriber = Subscriber<LibraryInterface.Asset>
typealias AlbumSubscriber = Subscriber<LibraryInterface.Album>

extension Connection {
  /// Subscribes to assets.
  func subscribe(
    albums: [String]? = nil, ids: [String]? = nil, since: String? = nil
  ) throws -> AssetSubscriber {
    let scope = albums == nil && ids == nil ? nil : LibraryInterface.AssetScope(albums: albums, ids: ids)
    return try AssetSubscriber(self, .init(assets: scope, since: since))
  }

  /// Subscribes to the list of albums.
  func subscribeToAlbums(since: String? = nil) throws -> AlbumSubscriber {
    try AlbumSubscriber(self, .init(albums: true, since: since))
  }
}
