import Testing
import TestSupport

@testable import LibraryModel

/// Random libraries and selections: what is counted by what the journal tells is what there is to be counted.
@Suite("How much of a selection is seen (S16, S19, S91)")
struct SeenCountTests {
  private let viewer = ViewerID(rawValue: 1)
  private let other = ViewerID(rawValue: 2)

  private func count(_ journal: MemoryJournal) throws -> SeenCount {
    let view = try #require(journal.viewers[viewer])
    return SeenCount(
      of: viewer, view, assets: seen(view.assets, view, journal), albums: view.albums.count)
  }

  private func seen(_ ids: some Sequence<AssetID>, _ view: LibraryView, _ journal: MemoryJournal) -> Int {
    ids.count { id in
      guard let asset = journal.assets[id] else { return false }
      return !asset.isHidden && !view.hidesAny(of: asset.albums)
    }
  }

  @Test("S16: what was counted once goes along with all that happens", arguments: 0..<64)
  func goesAlong(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let journal = MemoryJournal()
    let albums = (1...4).map { AlbumID(rawValue: $0) }
    for album in albums { journal.makeAlbum(album, in: nil) }
    for _ in 0..<4 { journal.add(to: albums[0]) }
    try journal.select(viewer, assets: [], albums: [])
    var kept = try count(journal)
    var told = 0
    for _ in 0..<300 {
      let start = Int(journal.place.rawValue)
      for _ in 0..<Int.random(in: 1...3, using: &random) { try happen(journal, albums, &random) }
      let isTold = journal.entries[start...].allSatisfy { kept.pass($0.entry) }
      let counted = try count(journal)
      if isTold {
        told += 1
        #expect(kept.assets == counted.assets && kept.view == counted.view)
      } else {
        kept = counted
      }
    }
    #expect(told > 100, "only \(told) were told without counting anew")
  }

  @Test("R6, S16: counted two at a time it comes to the same, whatever happens in between", arguments: 0..<64)
  func someAtATime(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let journal = MemoryJournal()
    let albums = (1...4).map { AlbumID(rawValue: $0) }
    for album in albums { journal.makeAlbum(album, in: nil) }
    for _ in 0..<40 { journal.add(to: albums[0]) }
    try journal.select(viewer, assets: Set(journal.assets.keys), albums: [])
    var kept = SeenCount(beginning: viewer, try #require(journal.viewers[viewer]))
    var whole = 0
    for _ in 0..<600 {
      let view = try #require(journal.viewers[viewer])
      kept.countNext(2, in: view) { ids in
        #expect(ids.count <= 2)
        return seen(ids, view, journal)
      }
      if kept.isWhole {
        whole += 1
        let counted = try count(journal)
        #expect(kept.assets == counted.assets && kept.view == counted.view)
        kept = SeenCount(beginning: viewer, view)
      }
      let start = Int(journal.place.rawValue)
      try happen(journal, albums, &random)
      guard !journal.entries[start...].allSatisfy({ kept.pass($0.entry) }) else { continue }
      kept = SeenCount(beginning: viewer, try #require(journal.viewers[viewer]))
    }
    #expect(whole > 4, "only \(whole) were counted to the end")
  }

  private func happen(
    _ journal: MemoryJournal, _ albums: [AlbumID], _ random: inout SeededGenerator
  ) throws {
    let known = journal.assets.keys.sorted()
    let view = try #require(journal.viewers[viewer])
    let album = try #require(albums.randomElement(using: &random))
    // What is selected may have gone, and may come back.
    let id = AssetID(rawValue: .random(in: 1...Int64(known.count + 8), using: &random))
    switch Int.random(in: 0...9, using: &random) {
    case 0: journal.add(to: album)
    case 1: journal.set(id, nil)
    case 2, 3:
      guard var asset = journal.assets[id] else { return }
      asset.flags.formSymmetricDifference(.hidden)
      journal.set(id, asset)
    case 4:
      guard var asset = journal.assets[id] else { return }
      let target = Location(album, asset.filename)
      guard !asset.links.contains(target) else { return }
      asset.addLink(target)
      if Bool.random(using: &random) { _ = asset.removeLink(asset.primary) }
      journal.set(id, asset)
    case 5...7:
      try journal.select(
        viewer, assets: view.assets.symmetricDifference([id]),
        albums: Bool.random(using: &random) ? view.albums : view.albums.symmetricDifference([album]))
    case 8: try journal.select(other, assets: [id], albums: [album])
    default:
      if Int.random(in: 0...3, using: &random) == 0 { try journal.hide(album, Bool.random(using: &random)) }
    }
  }

  @Test("S22: of albums it is said when they are to be counted again")
  func albums() throws {
    let journal = MemoryJournal()
    let (first, second) = (AlbumID(rawValue: 1), AlbumID(rawValue: 2))
    try journal.select(viewer, assets: [], albums: [first])
    var seen = try count(journal)
    func pass() -> Bool { journal.entries.last.map { seen.pass($0.entry) } ?? false }
    journal.makeAlbum(second, in: nil)
    #expect(pass() && seen.albums == 1)
    journal.makeAlbum(first, in: nil)
    #expect(pass() && seen.albums == nil)
    seen.albums = 1
    try journal.select(viewer, assets: [], albums: [first, second])
    #expect(pass() && seen.albums == nil)
    try journal.hide(first, true)
    #expect(!pass())
  }

  @Test("S28: what cannot be told is counted anew, of others as of nobody in particular")
  func anew() throws {
    let journal = MemoryJournal()
    try journal.select(viewer, assets: [], albums: [])
    var seen = try count(journal)
    let before = seen
    #expect(seen.pass(.view(ViewChange(other, .reset))) && seen == before)
    #expect(!seen.pass(.view(ViewChange(viewer, .reset))) && !seen.pass(.reset))
  }
}
