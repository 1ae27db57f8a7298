/// Remembers for a short while which ids went with removed files, so that a save that deletes and makes
/// anew, or a move out and in again, keeps the id (S39, race 15). Nothing waits for it: the removal is told
/// at once, the return as an insertion with the same id.
///
/// Time is passed in, in microseconds.
struct Tombstones<ID: Hashable> {
  /// What was there.
  struct Grave {
    let id: ID
    fileprivate let location: Location
    let identity: FileIdentity
    /// What it held; nil of what is no file, and where its number is another's by now.
    fileprivate let stamp: ContentStamp?
    /// What people said of it.
    let flags: AssetFlags
    /// When it came first (S101); 0 where that is not known.
    let arrived: Int64
    /// Where it was in the orders of albums (S103).
    let places: [AlbumID: Int64]
    /// Until when its name brings the id back, and until when the file itself does.
    fileprivate let nameDeadline: UInt64
    fileprivate let deadline: UInt64
  }

  private let lifetime: UInt64
  private let capacity: Int
  private var graves: [ID: Grave] = [:]
  private var byLocation: [Location: ID] = [:]
  private var byIdentity: [FileIdentity: ID] = [:]
  private var order: [ID] = []
  private var head = 0

  /// - Parameter capacity: beyond it the oldest are forgotten early: a tree that is deleted must not cost
  ///   memory by its size.
  init(lifetime: UInt64 = 10_000_000, capacity: Int = 8192) {
    self.lifetime = lifetime
    self.capacity = capacity
  }

  /// - Parameters:
  ///   - stamp: what a file held.
  ///   - memory: for how long the file itself is known again, if that is longer than its name.
  mutating func bury(
    _ id: ID, _ location: Location, _ identity: FileIdentity, stamp: ContentStamp? = nil,
    flags: AssetFlags = [], arrived: Int64 = 0,
    places: [AlbumID: Int64] = [:],
    now: UInt64,
    memory: UInt64 = 0
  ) {
    dig(id)
    graves[id] = Grave(
      id: id, location: location, identity: identity, stamp: stamp, flags: flags, arrived: arrived,
      places: places,
      nameDeadline: now + lifetime,
      deadline: now + max(lifetime, memory))
    byLocation[location] = id
    byIdentity[identity] = id
    order.append(id)
    expire(now: now)
  }

  /// What a file was which has come (back), by its name or by what it is; its id is given once.
  ///
  /// - Parameter stamp: what a file holds; nil of what is none, and where that does not show which it is.
  mutating func raise(
    _ location: Location, _ identity: FileIdentity, stamp: ContentStamp? = nil, now: UInt64
  ) -> Grave? {
    guard !graves.isEmpty else { return nil }
    expire(now: now)
    guard let id = former(location, identity, stamp, now: now) else { return nil }
    return dig(id)
  }

  /// What people said of a file that was there until a moment ago, by what it is or else by its name.
  func flags(_ location: Location, _ identity: FileIdentity, stamp: ContentStamp?, now: UInt64) -> AssetFlags
  {
    former(location, identity, stamp, now: now).flatMap { graves[$0]?.flags } ?? []
  }

  /// Who is known by what it is, or else by its name. Without birth times an inode number alone proves too little (an app
  /// could be shown another file): a file's length and time must agree as well; and where numbers may be given anew, a
  /// name of which they agree comes first.
  private func former(
    _ location: Location, _ identity: FileIdentity, _ stamp: ContentStamp?, now: UInt64
  ) -> ID? {
    let named = named(location, now: now)
    guard let known = byIdentity[identity], holds(known, now: now) else { return named }
    if identity.isCertain { return known }
    if let named, let was = graves[named]?.stamp, let stamp, was.isSame(as: stamp) { return named }
    if identity.birthTime != 0, stamp == nil || graves[known]?.stamp == nil { return known }
    return stamp != nil && graves[known]?.stamp == stamp ? known : named
  }

  /// The id that a name would bring back.
  func named(_ location: Location, now: UInt64) -> ID? {
    byLocation[location].flatMap { graves[$0] }.flatMap { $0.nameDeadline > now ? $0.id : nil }
  }

  /// Whether a file would get its id back, by what it is.
  func contains(_ identity: FileIdentity, now: UInt64) -> Bool {
    guard identity.birthTime != 0, let grave = byIdentity[identity].flatMap({ graves[$0] }) else {
      return false
    }
    return grave.deadline > now
  }

  /// Whether an id may still come back, with its name or its file.
  func holds(_ id: ID, now: UInt64) -> Bool { graves[id].map { $0.deadline > now } ?? false }

  /// Whatever comes to this name is something else.
  mutating func forget(_ location: Location) {
    if let id = byLocation[location] { dig(id) }
  }

  private mutating func expire(now: UInt64) {
    while head < order.count {
      let id = order[head]
      if let grave = graves[id] {
        guard grave.deadline <= now || graves.count > capacity else { break }
        dig(id)
      }
      head += 1
    }
    if head > 1024, head * 2 > order.count {
      order.removeFirst(head)
      head = 0
    }
  }

  @discardableResult
  private mutating func dig(_ id: ID) -> Grave? {
    guard let grave = graves.removeValue(forKey: id) else { return nil }
    if byLocation[grave.location] == id { byLocation[grave.location] = nil }
    if byIdentity[grave.identity] == id { byIdentity[grave.identity] = nil }
    return grave
  }
}
