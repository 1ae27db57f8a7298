import AlbumAPI
import Synchronization
import TestSupport
import Testing

@testable import AlbumClient

@Suite("Results of which only what is looked at is read")
struct LazyFetchResultTests {
  private func asset(_ number: Int, name: String? = nil) -> Asset {
    let digits = String(number, radix: 16)
    return Asset(
      id: String(repeating: "0", count: 16 - digits.count) + digits, filename: name ?? "\(number).jpg",
      albums: [], mediaType: .image, byteCount: Int64(number),
      created: Instant(microseconds: Int64(number) * 10), modified: Instant(microseconds: 0),
      resources: [.photo], offline: false)
  }

  private func assets(_ count: Int) -> [Asset] { (0..<count).map { asset($0) } }

  private func result(
    _ source: FakeSource, _ options: FetchOptions = .init()
  ) async throws -> LazyFetchResult { try await LazyFetchResult(fetching: AssetFetch(options), from: source) }

  private func details(
    _ result: LazyFetchResult, _ changes: ObjectChanges<Asset>
  ) async throws -> LazyFetchResultChangeDetails {
    guard case .details(let details) = try await result.consequence(of: changes, token: .init(both: "2"))
    else {
      throw DetailsMissing()
    }
    return details
  }

  private struct DetailsMissing: Error {}

  // MARK: Reading

  @Test(
    "S104: the first are there while the ids are still to come; who looks further waits for those, and no longer"
  )
  func first() async throws {
    let source = FakeSource(assets(12_000), isHeld: true)
    let result = try await result(source)
    #expect(result.count == 12_000 && !result.isEmpty)
    #expect(try await result.asset(at: 0)?.filename == "0.jpg")
    #expect(try await result.asset(at: 199)?.filename == "199.jpg")
    #expect(result.loadedAsset(at: 3)?.filename == "3.jpg" && result.loadedAsset(at: 200) == nil)
    #expect(source.reads.isEmpty)
    async let far = result.asset(at: 11_999)
    source.release()
    #expect(try await far?.filename == "11999.jpg")
    #expect(try await result.localIdentifier(at: 7000) == asset(7000).id)
    #expect(source.reads == [assets(12_000)[11_800...].map(\.id)])
    #expect(try await result.asset(at: 12_000) == nil)
    #expect(try await result.asset(at: -1) == nil)
  }

  @Test("S104: a million places that are looked at: memory holds some, and each page is read once")
  func memory() async throws {
    let source = FakeSource(assets(20_000))
    let result = try await result(source)
    var count = 0
    for try await asset in result {
      #expect(asset.byteCount == Int64(count))
      count += 1
    }
    #expect(count == 20_000)
    #expect(result.cache.count <= LazyFetchResult.capacity)
    #expect(source.reads.count == 99 && source.reads.allSatisfy { $0.count == 200 })
    // What was looked at last is there, and the rest is read again.
    #expect(try await result.asset(at: 19_999) != nil)
    #expect(source.reads.count == 99)
    #expect(try await result.asset(at: 5000)?.byteCount == 5000)
    #expect(source.reads.count == 100)
  }

  @Test("S104: cells that are drawn together read their page once")
  func together() async throws {
    let source = FakeSource(assets(1000))
    let result = try await result(source)
    try await withThrowingTaskGroup(of: Asset?.self) { group in
      for index in 400..<500 { group.addTask { try await result.asset(at: index) } }
      for try await asset in group { #expect(asset != nil) }
    }
    #expect(source.reads.flatMap { $0 }.sorted() == assets(1000)[400..<600].map(\.id))
    try await result.prefetch(600..<1000)
    #expect(result.loadedAsset(at: 999)?.byteCount == 999)
    #expect(try await result.assets(in: 150..<2000).count == 850)
  }

  @Test("S104: what is gone is nil, and keeps its place until a change takes it out")
  func gone() async throws {
    let source = FakeSource(assets(1000))
    let result = try await result(source)
    #expect(try await result.localIdentifier(at: 999) != nil)
    source.remove(asset(300).id)
    #expect(try await result.asset(at: 300) == nil)
    #expect(try await result.asset(at: 301)?.byteCount == 301)
    #expect(result.count == 1000)
    let details = try await details(result, .init(removed: [asset(300).id]))
    #expect(details.removedIndexes == [300] && details.insertedIndexes == [] && details.changedIndexes == [])
    #expect(details.fetchResultAfterChanges.count == 999)
    #expect(try await details.fetchResultAfterChanges.asset(at: 300)?.byteCount == 301)
    // What is in memory belongs to both: only what moved up into the page was read.
    #expect(source.reads.dropFirst() == [[asset(400).id]])
  }

  @Test("S104: ids that stop coming come when somebody looks again, and after a restart by themselves")
  func lost() async throws {
    let source = FakeSource(assets(1000), idPage: 100)
    source.lose(after: 2, times: 3)
    let result = try await result(source)
    #expect(try await result.asset(at: 999)?.byteCount == 999)
    let failing = FakeSource(assets(1000))
    failing.fail(AlbumError(endOf: "FetchAssets"))
    let other = try await self.result(failing)
    await #expect(throws: AlbumError.self) { try await other.asset(at: 999) }
    failing.fail(nil)
    #expect(try await other.asset(at: 999)?.byteCount == 999)
  }

  @Test("a daemon that knows of no ids alone sends assets, whose ids are taken")
  func older() async throws {
    let source = FakeSource(assets(1000), idPage: 100)
    source.sendAssets()
    let result = try await result(source)
    #expect(try await result.localIdentifier(at: 900) == asset(900).id)
    #expect(try await result.index(createdAt: Instant(microseconds: 9001)) == 901)
  }

  @Test("a limit: no more ids than that")
  func limited() async throws {
    let source = FakeSource(assets(1000), idPage: 100)
    let result = try await result(source, FetchOptions(fetchLimit: 350))
    #expect(result.count == 350)
    #expect(try await result.asset(at: 349)?.byteCount == 349)
    #expect(try await result.index(ofLocalIdentifier: asset(350).id) == nil)
    guard
      case .fetchAnew = try await result.consequence(of: .init(removed: [asset(3).id]), token: result.token)
    else {
      Issue.record("what comes up from beyond it is not known here")
      return
    }
  }

  @Test("a jump to a date reads no asset, in both directions")
  func dates() async throws {
    let source = FakeSource(assets(6000))
    let result = try await result(source)
    #expect(try await result.index(createdAt: Instant(microseconds: 12_345)) == 1235)
    #expect(try await result.index(createdAt: Instant(microseconds: -1)) == 0)
    #expect(try await result.index(createdAt: Instant(microseconds: 10_000_000)) == 6000)
    let back = FakeSource(assets(6000).reversed())
    let newest = try await self.result(back, FetchOptions(ascending: false))
    #expect(try await newest.index(createdAt: Instant(microseconds: 12_345)) == 6000 - 1235)
    #expect(source.reads.isEmpty && back.reads.isEmpty)
    let named = try await self.result(source, FetchOptions(sortKey: .filename))
    #expect(try await named.index(createdAt: Instant(microseconds: 0)) == nil)
  }

  // MARK: Changes

  @Test("what changes while it is read is as the change says")
  func race() async throws {
    let source = FakeSource(assets(1000))
    let result = try await result(source)
    let renamed = asset(500, name: "renamed.jpg")
    source.onRead { [cache = result.cache] in cache.apply(.init(updated: [renamed])) }
    #expect(try await result.asset(at: 500)?.filename == "renamed.jpg")
    source.onRead(nil)
    #expect(result.loadedAsset(at: 500)?.filename == "renamed.jpg")
    #expect(result.loadedAsset(at: 501)?.filename == "501.jpg")
  }

  @Test(
    "S104: fewer or more ids came than there were assets: the next change makes it right",
    arguments: [990, 1010])
  func otherCount(total: Int) async throws {
    let source = FakeSource(assets(1000), total: total)
    let result = try await result(source)
    #expect(result.count == total)
    #expect(try await result.assets(in: 0..<total).compactMap { $0 }.count == min(1000, total))
    let details = try await details(result, .init(updated: [asset(3, name: "new")]))
    #expect(details.fetchResultAfterChanges.count == 1000)
    #expect(details.removedIndexes == (total > 1000 ? Array(1000..<1010) : []))
    #expect(details.insertedIndexes == (total < 1000 ? Array(990..<1000) : []))
    #expect(details.changedIndexes == [3])
    #expect(details.fetchResultAfterChanges.loadedAsset(at: 3)?.filename == "new")
  }

  @Test("an asset that came twice is there once after the change that moved it")
  func twice() async throws {
    let source = FakeSource(assets(500) + [asset(7)])
    let result = try await result(source)
    let details = try await details(result, .init(updated: [asset(7, name: "moved")]))
    #expect(details.removedIndexes == [500] && details.changedIndexes == [7])
    #expect(details.fetchResultAfterChanges.count == 500)
  }

  @Test("S27, S91: what was lost, or is not told, is fetched anew")
  func anew() async throws {
    let source = FakeSource(assets(10))
    let cases: [(FetchOptions, ObjectChanges<Asset>)] = [
      (.init(), .init(hasIncrementalChanges: false)),
      (.init(includeHiddenAssets: true), .init(inserted: [asset(77)])),
      (.init(isHidden: true), .init(inserted: [asset(77)])),
      (.init(takenIn: Instant(microseconds: 0)), .init(inserted: [asset(77)])),
      (.init(fetchOffset: 1), .init(inserted: [asset(77)])),
      (.init(sortKey: .filename), .init(inserted: [asset(77)])),
    ]
    for (options, changes) in cases {
      let result = try await result(source, options)
      guard case .fetchAnew = try await result.consequence(of: changes, token: result.token) else {
        Issue.record("it is to be fetched anew")
        return
      }
    }
  }

  @Test(
    "in the order of names, what is removed is told, and so is a change of one that is in memory under its name"
  )
  func names() async throws {
    let result = try await result(FakeSource(assets(10)), FetchOptions(sortKey: .filename))
    var edited = asset(4)
    edited.byteCount = 99
    let details = try await details(
      result, .init(updated: [edited], removed: [asset(2).id], contentChanged: [edited.id]))
    #expect(details.removedIndexes == [2] && details.changedIndexes == [3])
    #expect(details.contentChanged == [edited.id])
    guard
      case .fetchAnew = try await result.consequence(
        of: .init(updated: [asset(5, name: "z.jpg")]), token: result.token)
    else {
      Issue.record("only the daemon knows its place")
      return
    }
  }

  // MARK: As a result that holds all

  private func random(_ id: Int, using random: inout SeededGenerator) -> Asset {
    // Few values, so that many are equal in the order.
    Asset(
      id: "asset\(id)", filename: "a.jpg", albums: [],
      mediaType: MediaType.allCases.randomElement(using: &random) ?? .image,
      byteCount: .random(in: 0...4, using: &random),
      created: Instant(microseconds: .random(in: 0...4, using: &random)),
      modified: Instant(microseconds: .random(in: 0...4, using: &random)), resources: [.photo],
      offline: false)
  }

  private func step(_ library: inout ModelLibrary, using generator: inout SeededGenerator) -> ObjectChanges<
    Asset
  > {
    var (inserted, updated): ([Asset], [Asset]) = ([], [])
    var removed: [String] = []
    var contentChanged: Set<String> = []
    for id in (0..<14).shuffled(using: &generator).prefix(.random(in: 1...4, using: &generator)) {
      let key = "asset\(id)"
      let new = random(id, using: &generator)
      if library[key] == nil {
        inserted.append(new)
        library.insert(new, using: &generator)
      } else if Bool.random(using: &generator) {
        removed.append(key)
        library.remove(key)
      } else {
        if Bool.random(using: &generator) { contentChanged.insert(key) }
        updated.append(new)
        library.update(new, isOtherContent: contentChanged.contains(key), using: &generator)
      }
    }
    return ObjectChanges(
      inserted: inserted, updated: updated, removed: removed, contentChanged: contentChanged)
  }

  @Test(
    "S25, S26, S104: changes applied give what a new fetch would, also those it shows already",
    arguments: 0..<20)
  func property(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      var library = ModelLibrary()
      var options = FetchOptions(
        sortKey: [.created, .modified, .byteCount].randomElement(using: &random) ?? .created,
        ascending: Bool.random(using: &random))
      if Bool.random(using: &random) { options.mediaTypes = [.image, .livePhoto] }
      let fetch = AssetFetch(options)
      var told: [ObjectChanges<Asset>] = []
      for _ in 0..<3 { told.append(step(&library, using: &random)) }
      if Bool.random(using: &random) { told = [] }
      var result = try await LazyFetchResult(
        fetching: fetch, from: FakeSource(library.sorted(fetch), idPage: 3))
      for _ in 0..<4 { told.append(step(&library, using: &random)) }
      for changes in told {
        guard case .details(let details) = try await result.consequence(of: changes, token: result.token)
        else { continue }
        check(details)
        result = details.fetchResultAfterChanges
      }
      let anew = library.sorted(fetch)
      let list = result.identifiers.list
      let shown = list[0..<list.count].compactMap { library[$0] }
      #expect(Set(list[0..<list.count]) == Set(anew.map(\.id)) && list.count == anew.count)
      #expect(zip(shown, shown.dropFirst()).allSatisfy { !fetch.areInOrder($1, $0) })
      #expect(list.keys == anew.map { fetch.key(of: $0) ?? 0 })
    }
  }

  /// The places of the details, applied in PhotoKit's order, turn the old list into the new one.
  private func check(_ details: LazyFetchResultChangeDetails) {
    let (before, after) = (
      details.fetchResultBeforeChanges.identifiers.list, details.fetchResultAfterChanges.identifiers.list
    )
    var list = before[0..<before.count]
    for place in (details.removedIndexes ?? []).reversed() { list.remove(at: place) }
    for place in details.insertedIndexes ?? [] { list.insert(after[place], at: place) }
    #expect(list == after[0..<after.count])
    #expect(details.hasIncrementalChanges)
    #expect((details.changedIndexes ?? []).allSatisfy { after.count > $0 })
  }
}

@Suite("Ids in little memory")
struct IdentifierListTests {
  @Test("ids of any spelling come back as they were")
  func spellings() {
    var list = IdentifierList(hasKeys: true)
    let ids = ["0123456789abcdef", "ffffffffffffffff", "0000000000000000"]
    for (key, id) in ids.enumerated() { list.append(id, key: Int64(key)) }
    #expect(list[0..<3] == ids && list.keys == [0, 1, 2])
    #expect(list.places(of: [ids[1], "FFFFFFFFFFFFFFFF", "x"]) == [ids[1]: [1]])
    for odd in ["0123456789ABCDEF", "", "0123456789abcde", "0123456789abcdeg", "Ünïcödé"] {
      var other = list
      other.append(odd, key: 3)
      other.append(ids[0], key: 4)
      #expect(other[0..<5] == ids + [odd, ids[0]])
      #expect(other.places(of: [odd, ids[0]]) == [odd: [3], ids[0]: [0, 4]])
      var copy = IdentifierList(hasKeys: true)
      copy.append(list, 1..<3)
      copy.append(other, 2..<5)
      #expect(copy[0..<5] == [ids[1], ids[2], ids[2], odd, ids[0]] && copy.keys == [1, 2, 2, 3, 4])
    }
  }

  @Test("a million ids take 16 bytes each")
  func size() {
    var list = IdentifierList(hasKeys: true)
    list.reserve(1000)
    for number in 0..<1000 { list.append("00000000000003e8", key: Int64(number)) }
    #expect(list.byteCount == 16_000)
  }
}
