package import AlbumAPI

/// Picking photos and albums out of a whole library, without the terminal: keys and pages go in, a screen
/// and what is still to be read come out.
///
/// It holds the pages that are shown, the albums, and the ids of what is selected. A search changes what is
/// shown and never what is selected.
package struct PhotoPicker: Hashable, Sendable {
  /// What may be picked.
  struct Rules: Hashable, Sendable {
    /// Whether albums can be selected as a whole (S17).
    var takesAlbums = true
    /// The most photos; nil is any number.
    var limit: Int?
    /// Only photos of these kinds.
    var mediaTypes: [LibraryInterface.MediaType]?
    /// Only these photos.
    var candidates: [String]?
    /// Only photos for which this holds (S105).
    var filter: LibraryInterface.AssetFilter?
    /// The fewest photos, unless none is picked; any number at 0.
    var minimum = 0
  }

  /// What is shown.
  enum Shelf: Hashable, Sendable {
    /// Photos.
    case photos
    /// Albums.
    case albums
    /// What is selected.
    case selected
  }

  /// What to read next; then ``AgentDialog/loaded(_:for:)``.
  package struct Request: Hashable, Sendable {
    /// Albums as well.
    package let wantsAlbums: Bool
    /// One page of these.
    package let page: LibraryInterface.FetchAssets.Parameters
  }

  /// What was read.
  package struct Loaded: Sendable {
    let albums: [LibraryInterface.Album]?
    let page: LibraryInterface.FetchAssets.Reply

    /// - Parameter albums: all of them, if they were wanted.
    package init(albums: [LibraryInterface.Album]? = nil, page: LibraryInterface.FetchAssets.Reply) {
      self.albums = albums
      self.page = page
    }
  }

  /// The ids that one call of 1 MiB has room for, and some.
  static let mostSelected = 40_000

  let rules: Rules
  var shelf = Shelf.photos
  var position = 0
  var search = LibrarySearch()
  /// The search while it is typed.
  var typed: String?
  /// The album whose photos are shown.
  var opened: LibraryInterface.Album?
  /// What the person should know about the last key.
  var problem: Problem?
  var photos: PhotoList
  var selectedPhotos: PickOrder
  var selectedAlbums: Set<String> = []
  /// Nil before they were read.
  private(set) var albums: KnownAlbums?
  /// The albums above the photos, or alone.
  private(set) var listedAlbums: [LibraryInterface.Album] = []
  var pending: Request?
  /// Why nothing can be read. Nothing is asked again before a key: who asks whenever the screen is drawn would
  /// ask for ever.
  private(set) var failure: String?
  /// Everything that is found is being selected, or unselected; what is still to be read of it.
  var sweep: Sweep?

  /// What a key could not do, or did beside what it was pressed for.
  enum Problem: Hashable, Sendable {
    /// With a folder of this title so many albums were selected.
    case folder(String, albums: Int)
    /// Nothing is selected, which the same key once more means.
    case nothingSelected
    case limit(Int)
    case minimum(Int)
    case albumsAreNotTaken
    case nothingPicked
    case other(String)
  }

  struct Sweep: Hashable, Sendable {
    let selects: Bool
    /// The next page, and the first ones of what comes after it; never empty.
    var pages: [LibraryInterface.FetchAssets.Parameters]
  }

  /// - Parameter selection: ids of photos and albums that are selected at first.
  init(_ rules: Rules, selection: [String] = []) {
    self.rules = rules
    selectedPhotos = PickOrder(selection)
    // What is asked about is shown, also if it is hidden.
    photos = PhotoList(
      .init(
        ids: rules.candidates, mediaTypes: rules.mediaTypes, matching: rules.filter,
        includeHidden: rules.candidates == nil ? nil : true))
  }

  // MARK: Reading

  /// What to read now, when so many rows are shown; nil when nothing is missing, it is on its way, or it cannot
  /// be read.
  mutating func nextRequest(rows: Int) -> Request? {
    guard pending == nil, failure == nil else { return nil }
    if let page = sweep?.pages.first {
      pending = Request(wantsAlbums: false, page: page)
    } else if shelf != .albums || albums == nil, let page = photos.missing(in: shownPhotos(rows: rows)) {
      pending = Request(wantsAlbums: albums == nil, page: page)
    }
    return pending
  }

  /// The places among the photos of what is on the screen.
  private func shownPhotos(rows: Int) -> Range<Int> {
    let offset = listedAlbums.count
    let shown = visible(rows: rows)
    return max(0, shown.lowerBound - offset)..<max(0, shown.upperBound - offset)
  }

  mutating func take(_ loaded: Loaded, for request: Request) {
    guard request == pending else { return }
    pending = nil
    if let all = loaded.albums {
      take(albums: all)
      // The names of albums in a search mean something only now.
      let known = photos.filter
      show(shelf)
      if photos.filter != known { return }
    }
    if var sweep {
      for asset in loaded.page.assets { set(asset.id, sweep.selects) }
      sweep.pages[0].cursor = loaded.page.cursor
      if loaded.page.cursor == nil { sweep.pages.removeFirst() }
      let isFull = if case .limit? = problem { true } else { false }
      let isOver = sweep.pages.isEmpty || sweep.selects && isFull
      self.sweep = isOver ? nil : sweep
    } else {
      photos.add(loaded.page, for: request.page)
    }
    position = max(0, min(position, rowCount - 1))
  }

  /// It cannot be read, until ``tryAgain()``.
  mutating func fail(_ reason: String) {
    pending = nil
    sweep = nil
    failure = reason
    problem = .other(reason)
  }

  /// A key was pressed: what could not be read before may be there now.
  mutating func tryAgain() {
    failure = nil
    problem = nil
  }

  /// Now it is known which of the ids selected at first are albums.
  private mutating func take(albums all: [LibraryInterface.Album]) {
    albums = KnownAlbums(all)
    selectedAlbums = Set(all.map(\.id).filter(selectedPhotos.contains))
    for album in selectedAlbums { selectedPhotos.remove(album) }
  }

  /// Whether everything that is found is being selected, or unselected.
  var isSweeping: Bool { sweep != nil }

  /// Whether there is something to look at.
  var isLoaded: Bool { albums != nil }

  // MARK: Rows

  var rowCount: Int {
    switch shelf {
    case .photos, .selected: listedAlbums.count + (photos.total ?? 0)
    case .albums: listedAlbums.count
    }
  }

  /// The rows around the position that fit.
  func visible(rows: Int) -> Range<Int> {
    let rows = max(1, rows)
    let first = max(0, min(position - rows / 2, rowCount - rows))
    return first..<min(rowCount, first + rows)
  }

  /// Shows something else, from its beginning.
  mutating func show(_ shelf: Shelf) {
    self.shelf = shelf
    position = 0
    // What is on its way is not for this list.
    pending = nil
    photos = PhotoList(filter)
    listedAlbums = found(on: shelf)
  }

  private func found(on shelf: Shelf) -> [LibraryInterface.Album] {
    guard let albums, shelf != .photos else { return [] }
    let found = albums.named(search.albumNames + [search.name].compactMap(\.self))
    return shelf == .albums ? found : found.filter { selectedAlbums.contains($0.id) }
  }

  private var filter: LibraryInterface.FetchAssets.Parameters {
    var kinds = rules.mediaTypes
    if !search.mediaTypes.isEmpty {
      kinds = search.mediaTypes.filter { rules.mediaTypes?.contains($0) ?? true }
    }
    var inAlbums = opened.map { [$0.id] }
    if inAlbums == nil, !search.albumNames.isEmpty {
      inAlbums = albums?.named(search.albumNames).map(\.id)
    }
    return .init(
      albums: inAlbums,
      ids: shelf == .selected ? selectedPhotos.ids : rules.candidates, mediaTypes: kinds,
      createdAfter: search.after, createdBefore: search.before, nameContains: search.name,
      // What is picked is shown, whatever became of it.
      matching: shelf == .selected ? nil : rules.filter,
      includeHidden: shelf == .selected ? true : nil)
  }
}
