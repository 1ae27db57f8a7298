import AlbumAPI
import Testing
import TestSupport

@testable import AlbumClient

@Suite("Fetch results and what changes make of them")
struct FetchResultTests {
  private static let albums = ["album1", "album2"]

  private func asset(_ id: Int, using random: inout SeededGenerator) -> Asset {
    // Few values, so that many are equal in the order.
    Asset(
      id: "asset\(id)", filename: ["a.jpg", "B.jpg", "c.jpg"].randomElement(using: &random) ?? "",
      albums: Self.albums.filter { _ in Bool.random(using: &random) },
      mediaType: MediaType.allCases.randomElement(using: &random) ?? .image,
      byteCount: .random(in: 0...4, using: &random),
      created: Instant(microseconds: .random(in: 0...4, using: &random)),
      modified: Instant(microseconds: .random(in: 0...4, using: &random)), resources: [.photo],
      offline: false,
      isFavorite: Bool.random(using: &random) ? true : nil, isHidden: Bool.random(using: &random) ? true : nil
    )
  }

  private func fetch(using random: inout SeededGenerator) -> AssetFetch {
    var options = FetchOptions(
      sortKey: FetchOptions.SortKey.allCases.randomElement(using: &random) ?? .created,
      ascending: Bool.random(using: &random))
    if Bool.random(using: &random) { options.mediaTypes = [.image, .livePhoto] }
    if Bool.random(using: &random) { options.createdAfter = Instant(microseconds: 1) }
    if Bool.random(using: &random) { options.createdBefore = Instant(microseconds: 4) }
    if Bool.random(using: &random) { options.nameContains = "b" }
    if Bool.random(using: &random) { options.isFavorite = Bool.random(using: &random) }
    if Bool.random(using: &random) { options.fetchLimit = .random(in: 0...6, using: &random) }
    return AssetFetch(
      options, albums: Bool.random(using: &random) ? ["album1"] : nil,
      identifiers: Bool.random(using: &random) ? Set((0..<8).map { "asset\($0)" }) : nil)
  }

  /// What a daemon that holds these assets answers.
  private func answer(_ fetch: AssetFetch, _ library: ModelLibrary, _ token: Int) -> FetchResult<Asset> {
    FetchResult(
      fetch, fetched: Array(library.sorted(fetch).prefix(fetch.limit ?? .max)),
      token: PersistentChangeToken(both: "\(token)"))
  }

  /// Whether two results show the same. Of equal ones, the order is the daemon's matter.
  private func agree(_ one: FetchResult<Asset>, _ other: FetchResult<Asset>) -> Bool {
    Set(one) == Set(other) && one.count == other.count
      && zip(one, other).allSatisfy { !one.fetch.areInOrder($0, $1) && !one.fetch.areInOrder($1, $0) }
  }

  /// Changes the library at random, and tells it as a delivery does: each asset once.
  private func step(_ library: inout ModelLibrary, using random: inout SeededGenerator) -> ObjectChanges<
    Asset
  > {
    var inserted: [Asset] = []
    var updated: [Asset] = []
    var removed: [String] = []
    var contentChanged: Set<String> = []
    for id in (0..<14).shuffled(using: &random).prefix(.random(in: 1...4, using: &random)) {
      let key = "asset\(id)"
      if library[key] == nil {
        let new = asset(id, using: &random)
        inserted.append(new)
        library.insert(new, using: &random)
      } else if Bool.random(using: &random) {
        removed.append(key)
        library.remove(key)
      } else {
        let new = asset(id, using: &random)
        if Bool.random(using: &random) { contentChanged.insert(key) }
        updated.append(new)
        library.update(new, isOtherContent: contentChanged.contains(key), using: &random)
      }
    }
    return ObjectChanges(
      inserted: inserted, updated: updated, removed: removed, contentChanged: contentChanged)
  }

  @Test("S25, S27: changes applied to a result give what a new fetch would", arguments: 0..<20)
  func property(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      var library = ModelLibrary()
      for id in 0..<10 where Bool.random(using: &random) {
        library.insert(asset(id, using: &random), using: &random)
      }
      let fetch = fetch(using: &random)
      var result = answer(fetch, library, 0)
      for round in 1...6 {
        let changes = step(&library, using: &random)
        let anew = answer(fetch, library, round)
        switch result.consequence(of: changes, token: anew.token) {
        case .none: #expect(agree(result, anew))
        case .fetchAnew:
          #expect(fetch.limit != nil || fetch.isFetchedAnew)
          result = anew
        case .details(let details):
          check(details)
          result = details.fetchResultAfterChanges
          #expect(agree(result, anew))
          #expect(result.token == anew.token)
        }
      }
    }
  }

  /// The places of the details, applied in PhotoKit's order, turn the old list into the new one.
  private func check(_ details: FetchResultChangeDetails<Asset>) {
    var list = Array(details.fetchResultBeforeChanges)
    for place in (details.removedIndexes ?? []).reversed() { list.remove(at: place) }
    for (place, object) in zip(details.insertedIndexes ?? [], details.insertedObjects) {
      list.insert(object, at: place)
    }
    for (place, object) in zip(details.changedIndexes ?? [], details.changedObjects) {
      #expect(list[place].id == object.id)
      list[place] = object
    }
    details.enumerateMoves { from, to in list.insert(list.remove(at: from), at: to) }
    #expect(list == Array(details.fetchResultAfterChanges))
    #expect(details.hasIncrementalChanges)
  }

  @Test(
    "S26: a result that was fetched in the middle of what is told ends where a new fetch does",
    arguments: 0..<20)
  func replay(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      var library = ModelLibrary()
      let fetch = AssetFetch(FetchOptions(sortKey: .modified))
      var told: [ObjectChanges<Asset>] = []
      for _ in 0..<4 { told.append(step(&library, using: &random)) }
      // It shows all of that, and is told all of it again.
      var result = answer(fetch, library, 4)
      for _ in 0..<2 { told.append(step(&library, using: &random)) }
      for changes in told {
        guard case .details(let details) = result.consequence(of: changes, token: result.token) else {
          continue
        }
        check(details)
        result = details.fetchResultAfterChanges
      }
      #expect(agree(result, answer(fetch, library, 6)))
    }
  }

  private func asset(_ id: String, created: Int64 = 0, albums: [String] = []) -> Asset {
    Asset(
      id: id, filename: id, albums: albums, mediaType: .image, byteCount: 0,
      created: Instant(microseconds: created), modified: Instant(microseconds: 0), resources: [.photo],
      offline: false)
  }

  @Test("S96: a result has what has one of the hashes that are asked for")
  func hashes() {
    var hashed = asset("a")
    let fetch = AssetFetch(FetchOptions(contentHashes: ["sha256:1", "sha256:3"]))
    #expect(!fetch.includes(hashed))
    hashed.contentHash = "sha256:1"
    #expect(fetch.includes(hashed))
    hashed.contentHash = "sha256:2"
    #expect(!fetch.includes(hashed))
  }

  @Test("S101: a list in the order of arrival is fetched anew: of what is new it is not told when it came")
  func arrivals() {
    var (first, second) = (asset("a", created: 2), asset("b", created: 1))
    (first.added, second.added) = (Instant(microseconds: 5), Instant(microseconds: 6))
    let fetch = AssetFetch(FetchOptions(sortKey: .added))
    #expect(fetch.areInOrder(first, second) && !fetch.areInOrder(second, first))
    let result = FetchResult(fetch, fetched: [first, second], token: .init(both: "1"))
    guard case .fetchAnew = result.consequence(of: .init(inserted: [asset("c")]), token: .init(both: "2"))
    else {
      Issue.record("it is to be fetched anew")
      return
    }
  }

  @Test("equal ones stay as the daemon has them, and what comes is the youngest", arguments: [true, false])
  func equal(ascending: Bool) {
    let fetch = AssetFetch(FetchOptions(ascending: ascending))
    let result = FetchResult(
      fetch, fetched: [asset("b"), asset("c"), asset("a")], token: .init(both: "1"))
    #expect(result.map(\.id) == ["b", "c", "a"])
    let changes = ObjectChanges(inserted: [asset("0")], updated: [asset("c", albums: ["1"])])
    guard case .details(let details) = result.consequence(of: changes, token: .init(both: "2")) else {
      Issue.record("it tells what changed")
      return
    }
    let after = details.fetchResultAfterChanges
    #expect(after.map(\.id) == (ascending ? ["b", "c", "a", "0"] : ["0", "b", "c", "a"]))
    #expect(details.changedObjects.map(\.albums) == [["1"]] && !details.hasMoves)
  }

  @Test("which of two equal ones a limit keeps out is not guessed at")
  func equalAtLimit() {
    let fetch = AssetFetch(FetchOptions(fetchLimit: 2))
    let full = FetchResult(
      fetch, fetched: [asset("z", created: 1), asset("b", created: 3)], token: .init(both: "1"))
    func isAnew(_ result: FetchResult<Asset>, _ arrival: Asset) -> Bool {
      guard case .fetchAnew = result.consequence(of: .init(inserted: [arrival]), token: .init(both: "2"))
      else { return false }
      return true
    }
    #expect(isAnew(full, asset("a", created: 3)) && isAnew(full, asset("c", created: 3)))
    #expect(!isAnew(full, asset("a", created: 2)) && !isAnew(full, asset("a", created: 4)))
    let equal = FetchResult(
      fetch, fetched: [asset("z", created: 3), asset("b", created: 3)], token: .init(both: "1"))
    #expect(isAnew(equal, asset("a", created: 2)))
  }

  @Test("S28: changes that were lost are not guessed at")
  func lost() {
    let result = answer(AssetFetch(), ModelLibrary(), 0)
    let lost = ObjectChanges<Asset>(hasIncrementalChanges: false)
    guard case .fetchAnew = result.consequence(of: lost, token: result.token) else {
      Issue.record("it is to be fetched anew")
      return
    }
    #expect(!lost.isEmpty)
  }

  @Test("the difference of two results, as PhotoKit's initializer gives it", arguments: 0..<10)
  func between(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var library = ModelLibrary()
    let fetch = AssetFetch()
    for _ in 0..<30 {
      let before = answer(fetch, library, 0)
      _ = step(&library, using: &random)
      check(FetchResultChangeDetails(from: before, to: answer(fetch, library, 1)))
    }
  }

  @Test("a page that moved under the cursor: what came twice is there once")
  func twice() {
    var random = SeededGenerator(seed: 1)
    let (old, new) = (asset(1, using: &random), asset(1, using: &random))
    let result = FetchResult(
      AssetFetch(), fetched: [old, asset(2, using: &random), new], token: .init(both: "t"))
    #expect(result.count == 2)
    #expect(result.object(withLocalIdentifier: "asset1") == new)
  }

  @Test("PhotoKit: a limit of 0 is none")
  func noLimit() {
    let fetch = AssetFetch(FetchOptions(fetchLimit: 0))
    let result = FetchResult(fetch, fetched: [asset("a"), asset("b")], token: .init(both: "1"))
    #expect(result.count == 2 && !result.isFull)
  }

  @Test("S25: of what changed, only that is said to have other content of which it is known")
  func onlyMetadata() {
    let fetch = AssetFetch()
    let before = FetchResult(
      fetch, fetched: [asset("a"), asset("b", created: 1)], token: .init(both: "1"))
    let after = FetchResult(
      fetch, fetched: [asset("a", albums: ["1"]), asset("b", created: 1)], token: .init(both: "2"))
    let details = FetchResultChangeDetails(
      from: before, to: after, changedObjects: [after[0]], contentChanged: ["b"])
    #expect(details.contentChanged == ["b"])
    #expect(details.changedIndexes == [0, 1])
    let metadata = FetchResultChangeDetails(from: before, to: after, changedObjects: [after[0]])
    #expect(metadata.contentChanged == [] && metadata.changedIndexes == [0])
  }

  @Test("names that are not UTF-8 are compared by their bytes")
  func names() {
    let album = Album(
      id: "1", title: "a\u{FFFD}", percentEncodedTitle: "a%FF%25", assetCount: 0, shared: false,
      createdByCaller: false)
    #expect(album.nameBytes == [0x61, 0xFF, 0x25])
    #expect([UInt8]("IMG_1.JPG".utf8).contains(asciiCaseInsensitive: "img"))
    #expect(![UInt8]("IMG".utf8).contains(asciiCaseInsensitive: "IMG_1"))
  }
}
