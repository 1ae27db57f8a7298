internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Storage
internal import VarlinkServer

/// The library as owners select from it: what an answer names has to be there.
@EventLoopActor
struct SelectableLibrary {
  private let store: any LibraryReading
  private let contents: LibraryContents

  init(store: any LibraryReading, monitor: LibraryMonitor) {
    self.store = store
    contents = monitor.contents
  }

  /// What is wrong with what an answer selects; nil when nothing is.
  ///
  /// What was selected before may be named again though it has gone: nobody can unselect what is not shown.
  ///
  /// Others have their turn in between, so what was asked may have been answered, or not be asked any more, when this
  /// returns, and the caller be no owner.
  ///
  /// - Parameters:
  ///   - question: what was asked; nil for authorization.
  ///   - call: which names all of it.
  func problem(
    with selection: Selection, for question: OwnerQuestion?, _ call: ServerCall
  ) async throws -> String? {
    let before = question?.selectedBefore ?? Selection()
    let atOnce = LibraryService.readAtOnce
    let unknown: String? = try await call.firstInSlices(selection.albums, of: atOnce) { id in
      let album = store.ids.album(id).flatMap { contents.album($0) }
      let isKnown = album != nil || before.albums.contains(id)
      return isKnown ? nil : "an album is selected that is not in the library"
    }
    if let unknown { return unknown }
    let wish = question?.wish
    if let wish, let problem = try await problem(with: selection, preselected: before.assets, for: wish, call)
    {
      return problem
    }
    return try await call.firstInSlices(selection.assets) { id in
      before.assets.contains(id) ? nil : try problem(with: id, for: wish)
    }
  }

  private func problem(with id: String, for wish: PickerWish?) throws -> String? {
    guard let asset = try store.ids.asset(id).flatMap({ try store.files.asset($0) }) else {
      return "an asset is selected that is not in the library"
    }
    if let types = wish?.mediaTypes, !types.contains(asset.mediaType) {
      let kinds = MediaType.allCases.filter(types.contains).map(Self.name).joined(separator: ", ")
      return "\(id) is of the kind \(Self.name(asset.mediaType)); the app asks for \(kinds)"
    }
    if wish?.allows(asset) == false { return "\(id) is not one of those that the app asks for" }
    return nil
  }

  /// What is wrong with how many are picked, where some of what was picked at first has gone: of the others there must be
  /// enough (S105).
  private func problem(
    with selection: Selection, preselected: Set<String>, for wish: PickerWish, _ call: ServerCall
  ) async throws -> String? {
    guard wish.minimum > 0, !selection.assets.isEmpty else { return nil }
    var gone = 0
    try await call.inSlices(preselected.filter(selection.assets.contains)) { ids in
      gone += try ids.count { id in
        try store.ids.asset(id).flatMap { try store.files.asset($0) } == nil
      }
    }
    return gone > 0 ? wish.problem(with: selection.assets.count - gone) : nil
  }

  /// A kind's name on the wire.
  private static func name(_ type: MediaType) -> String { LibraryInterface.MediaType(type).rawValue }
}

extension OwnerQuestion {
  /// What was selected when it was asked.
  fileprivate var selectedBefore: Selection? {
    switch self {
    case .limitedPicker(let selection): selection
    // These were in the library when they were asked about; what became of them is found when they are used.
    case .photoAccess(let ids): Selection(assets: Set(ids))
    case .picker(let wish): Selection(assets: Set(wish.preselected))
    case .deletion, .replacement, .reversion: nil
    }
  }

  /// What is picked; nil where it is something else.
  fileprivate var wish: PickerWish? {
    switch self {
    case .picker(let wish): wish
    case .limitedPicker, .photoAccess, .deletion, .replacement, .reversion: nil
    }
  }
}
