/// What a fetch returned, in its order: a list like any other, which does not change by itself. PhotoKit:
/// `PHFetchResult`; **differs**: it holds its objects, and the token of the state that it shows.
public struct FetchResult<Object: PhotoObject>: Sendable {
  /// What was fetched.
  public let fetch: Object.Fetch
  /// The state of the library that this shows: register an observer with it, and there is no gap.
  public let token: PersistentChangeToken
  /// The objects in their order.
  let objects: [Object]

  /// What a view shows before its app may read: nothing, which fills by the change that access is granted (S70).
  public init(emptyFor fetch: Object.Fetch) {
    self.init(fetch, sorted: [], token: PersistentChangeToken(both: ""))
  }

  /// - Parameter fetched: in the daemon's order, but for what moved from one page to another; if there are
  ///   others, all of them come after these.
  init(_ fetch: Object.Fetch, fetched: [Object], token: PersistentChangeToken) {
    // A page may have moved under the cursor: whatever came twice is as it came last.
    var latest: [String: Int] = [:]
    for (index, object) in fetched.enumerated() { latest[object.localIdentifier] = index }
    let unique =
      latest.count == fetched.count
      ? fetched : fetched.indices.filter { latest[fetched[$0].localIdentifier] == $0 }.map { fetched[$0] }
    // Equal ones stay as the daemon has them: this sorting is a stable one.
    self.init(fetch, sorted: unique.sorted(by: fetch.areInOrder), token: token)
  }

  init(_ fetch: Object.Fetch, sorted: [Object], token: PersistentChangeToken) {
    self.fetch = fetch
    self.token = token
    objects = Array(sorted.prefix(fetch.limit ?? .max))
  }

  /// Whether there may be others that only the limit keeps out: all of them come after the last one here.
  var isFull: Bool { fetch.limit.map { objects.count >= $0 } ?? false }
}

extension FetchResult: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }
  /// How many there are. PhotoKit: `count`.
  public var endIndex: Int { objects.count }
  /// The object at a place from 0. PhotoKit: `object(at:)`.
  public subscript(index: Int) -> Object { objects[index] }
}

extension FetchResult {
  /// The first object. PhotoKit: `firstObject`.
  public var firstObject: Object? { objects.first }
  /// The last object. PhotoKit: `lastObject`.
  public var lastObject: Object? { objects.last }

  /// The object of an id, if it is here.
  public func object(withLocalIdentifier identifier: String) -> Object? {
    objects.first { $0.localIdentifier == identifier }
  }

  /// The place of an object, by its id. PhotoKit: `index(of:)`.
  public func index(of object: Object) -> Int? {
    objects.firstIndex { $0.localIdentifier == object.localIdentifier }
  }
}
