import Testing
import TestSupport

@testable import LibraryModel

/// Random libraries, selections and subscribers: whoever applies the deliveries has what it may see.
@Suite("What limited apps are told, whatever happens (S16–S19, S22, S26, S29)")
struct ViewPropertyTests {
  @Test(
    "S22, S26, S93: a follower from any token has exactly what it sees, told once and in order",
    arguments: 0..<64)
  func followers(_ seed: UInt64) throws {
    var world = World(seed: seed)
    for _ in 0..<120 { try world.step() }
    #expect(world.exact > 20, "only \(world.exact) replays were told without fetching anew")
  }

  @Test("S22: selecting tells what comes into sight, and nothing of what was in sight")
  func transition() throws {
    let journal = MemoryJournal()
    let (viewer, album, other) = (ViewerID(rawValue: 1), AlbumID(rawValue: 1), AlbumID(rawValue: 2))
    journal.makeAlbum(album, in: nil)
    journal.makeAlbum(other, in: nil)
    for directory in [album, album, other] { journal.add(to: directory) }
    let ids = (1...3).map { AssetID(rawValue: $0) }
    try journal.select(viewer, assets: [ids[0]], albums: [])
    let start = journal.place
    // One by its album instead, with the other one that is in it; the third by itself.
    try journal.select(viewer, assets: [ids[2]], albums: [album])
    var follower = Follower(.assets(albums: nil, ids: nil), viewer, journal, at: start)
    let toldAll = follower.read(journal)
    #expect(toldAll)
    #expect(follower.told == [.inserted(ids[1]), .inserted(ids[2])])
    try journal.select(viewer, assets: [], albums: [])
    let toldMore = follower.read(journal)
    #expect(toldMore)
    #expect(Set(follower.told.suffix(3)) == Set(ids.map { .removed($0) }))
  }

  @Test("S29: what is not to be seen any more is not told from earlier times: the app fetches anew")
  func withheld() throws {
    let journal = MemoryJournal()
    let (viewer, album) = (ViewerID(rawValue: 1), AlbumID(rawValue: 1))
    journal.makeAlbum(album, in: nil)
    journal.add(to: album)
    let id = AssetID(rawValue: 1)
    try journal.select(viewer, assets: [], albums: [album])
    let start = journal.place
    let asset = try #require(journal.assets[id])
    journal.set(id, asset)
    try journal.select(viewer, assets: [], albums: [])
    // A change of what is gone by now is left out; that it has gone is told.
    var away = Follower(.assets(albums: nil, ids: nil), viewer, journal, at: start)
    let toldAway = away.read(journal)
    #expect(toldAway)
    #expect(away.told == [.removed(id)])
    // What was added to the album meanwhile was never told, and is not now.
    try journal.select(viewer, assets: [], albums: [album])
    let again = journal.place
    journal.add(to: album)
    try journal.select(viewer, assets: [], albums: [])
    var late = Follower(.assets(albums: nil, ids: nil), viewer, journal, at: again)
    let toldLate = late.read(journal)
    #expect(!toldLate)
    #expect(late.told.isEmpty)
  }

  @Test("S22: more than is worth telling is a reset", arguments: [true, false])
  func tooLong(_ byAlbum: Bool) throws {
    let journal = MemoryJournal()
    let album = AlbumID(rawValue: 1)
    journal.makeAlbum(album, in: nil)
    for _ in 0...ViewTransition.limit { journal.add(to: album) }
    let view = LibraryView(assets: [], albums: [], hiddenAlbums: [], ownAlbums: [])
    var transition = ViewTransition(Viewer(id: ViewerID(rawValue: 1), view: view), files: journal.index)
    try transition.select(
      SelectionDifference(
        from: view, toAssets: byAlbum ? [] : Set(journal.assets.keys), albums: byAlbum ? [album] : []))
    #expect(transition.isTooLong)
  }
}

/// One subscriber that stores its token with all that it was told.
private struct Follower {
  enum Told: Hashable {
    case inserted(AssetID)
    case removed(AssetID)
    case changed(AssetID)
  }

  var filter: ChangeFilter
  let viewer: ViewerID
  var place: Place
  var has: Set<Change.Subject>
  var told: [Told] = []

  /// Has fetched at the end of the journal, or comes back with a token from there.
  init(_ subject: ChangeFilter.Subject, _ viewer: ViewerID, _ journal: MemoryJournal, at place: Place? = nil)
  {
    self.viewer = viewer
    self.place = place ?? journal.place
    let view = journal.view(of: viewer, at: self.place) ?? journal.viewers[viewer] ?? .everything
    filter = ChangeFilter(subject, view: view, viewer: view.seesEverything ? nil : viewer)
    has = journal.visible(subject, view)
  }

  /// Reads to the end.
  ///
  /// - Returns: whether it was told everything, rather than to fetch anew.
  mutating func read(_ journal: MemoryJournal, each: (Follower) -> Void = { _ in }) -> Bool {
    let now = journal.viewers[viewer] ?? .everything
    var rest = journal.entries[Int(place.rawValue)...]
    while !rest.isEmpty {
      let details = ChangeDetails(
        taking: &rest, through: &filter, now: ViewByNow(now) { _ in false }, limit: 3)
      place = details.place
      apply(details, now)
      if details.isLost { return false }
      each(self)
    }
    return true
  }

  private mutating func apply(_ details: ChangeDetails, _ now: LibraryView) {
    for change in details.inserted {
      let isNew = has.insert(change.subject).inserted
      #expect(isNew, "inserted twice: \(change)")
      check(change, now)
      note(change.subject) { .inserted($0) }
    }
    for subject in details.removed {
      let wasThere = has.remove(subject) != nil
      #expect(wasThere, "removed, but not there: \(subject)")
      note(subject) { .removed($0) }
    }
    for change in details.changed + details.moved {
      #expect(has.contains(change.subject), "changed, but not there: \(change)")
      check(change, now)
      note(change.subject) { .changed($0) }
    }
  }

  private mutating func note(_ subject: Change.Subject, _ told: (AssetID) -> Told) {
    if case .asset(let id) = subject { self.told.append(told(id)) }
  }

  /// Nothing is ever told that is not to be seen.
  private func check(_ change: Change, _ now: LibraryView) {
    switch change.subject {
    case .asset(let id): #expect(now.sees(id, in: change.albumsAfter), "told of \(change)")
    case .album(let id): #expect(now.sees(id), "told of \(change)")
    }
  }
}

private struct World {
  private var random: SeededGenerator
  private let journal = MemoryJournal()
  private let viewers = [ViewerID(rawValue: 1), ViewerID(rawValue: 2)]
  private let subjects: [ChangeFilter.Subject] = [
    .assets(albums: nil, ids: nil), .albums,
    .assets(albums: Set((4...9).map { AlbumID(rawValue: $0) }), ids: [AssetID(rawValue: 2)]),
    .assets(albums: [AlbumID(rawValue: 1)], ids: nil, smart: SmartAlbums([.videos, .panoramas])),
    .assets(albums: [], ids: [], smart: SmartAlbums([.recents])),
  ]
  private var live: [Follower] = []
  private var stored: [Follower] = []
  private var lastAlbum: Int64 = 5
  /// Replays that were told everything.
  private(set) var exact = 0

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    for number in 1...5 { journal.makeAlbum(AlbumID(rawValue: Int64(number)), in: nil) }
  }

  private mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
    .random(in: range, using: &random)
  }
  private mutating func directory() -> DirectoryID {
    let number = number(0...lastAlbum)
    return number == 0 ? DirectoryID(of: RootID(rawValue: 1)) : DirectoryID(rawValue: number)
  }
  private mutating func album() -> AlbumID { AlbumID(rawValue: number(1...lastAlbum)) }

  /// Something happens; those who watch are told, and somebody comes back with an old token.
  mutating func step() throws {
    for _ in 0..<number(1...3) { try happen() }
    live = live.filter { follower in journal.viewers[follower.viewer] != nil }
    for index in live.indices {
      var follower = live[index]
      follow(&follower)
      live[index] = follower
    }
    let viewer = viewers[Int(number(0...1))]
    guard journal.viewers[viewer] != nil else { return }
    let follower = Follower(subjects[Int(number(0...4))], viewer, journal)
    if live.count < 6 { live.append(follower) }
    stored.append(follower)
    if let old = stored.indices.randomElement(using: &random) {
      var returning = stored[old]
      follow(&returning)
    }
  }

  private mutating func follow(_ follower: inout Follower) {
    guard let now = journal.viewers[follower.viewer] else { return }
    let subject = follower.filter.subject
    if let view = journal.view(of: follower.viewer, at: follower.place) {
      // As of a restart: the view is worked out anew, and is the one that the follower went along with.
      #expect(view == follower.filter.view)
      var between: [Follower] = []
      if follower.read(journal, each: { between.append($0) }) {
        exact += 1
        #expect(follower.has == journal.visible(subject, now))
        #expect(follower.filter.view == now)
        if let token = between.randomElement(using: &random) { stored.append(token) }
        return
      }
    }
    follower = Follower(subject, follower.viewer, journal)
  }

  private mutating func happen() throws {
    let viewer = viewers[Int(number(0...1))]
    let known = journal.assets.keys.sorted()
    let asset = known.randomElement(using: &random).flatMap { journal.assets[$0] }
    switch number(0...15) {
    case 0...3: journal.add(to: directory())
    case 4: if let asset { journal.set(asset.id, nil) }
    case 5, 6:
      guard let asset else { return }
      let target = Location(directory(), asset.filename)
      guard !asset.links.contains(target) else { return }
      var moved = asset
      moved.addLink(target)
      if Bool.random(using: &random) { _ = moved.removeLink(asset.primary) }
      journal.set(asset.id, moved)
    case 7: if let asset { journal.set(asset.id, asset) }
    case 8...10:
      let assets = Set(known.filter { _ in Bool.random(using: &random) })
      let albums = Set((1...lastAlbum).map { AlbumID(rawValue: $0) }.filter { _ in number(0...3) == 0 })
      try journal.select(viewer, assets: assets, albums: albums)
    case 11: try journal.hide(album(), Bool.random(using: &random))
    case 12:
      guard lastAlbum < 12 else { return }
      lastAlbum += 1
      journal.createAlbum(AlbumID(rawValue: lastAlbum), by: viewer)
    case 13, 14:
      guard var asset else { return }
      asset.mediaType = Bool.random(using: &random) ? .image : .video
      let said = FileDescription(
        takenLocal: nil, takenOffset: nil, pixelWidth: 4, pixelHeight: 3, duration: nil,
        subtypes: PictureSubtypes(rawValue: .random(in: 0..<4, using: &random)), place: nil)
      asset.description = AssetDescription(said, movie: nil) { _ in 0 }
      journal.set(asset.id, asset)
    default: if number(0...3) == 0 { journal.showEverything(viewer) }
    }
  }
}
