internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Storage

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
  /// - Parameter question: what was asked; nil for authorization.
  func problem(with selection: Selection, for question: OwnerQuestion?) throws -> String? {
    let before = question?.selectedBefore ?? Selection()
    let albums = selection.albums.subtracting(before.albums)
    guard albums.allSatisfy({ store.ids.album($0).map { contents.album($0) != nil } ?? false }) else {
      return "an album is selected that is not in the library"
    }
    let wish = question?.wish
    if let wish, let problem = try problem(with: selection, preselected: before.assets, for: wish) {
      return problem
    }
    for id in selection.assets.subtracting(before.assets) {
      guard let asset = try store.ids.asset(id).flatMap({ try store.files.asset($0) }) else {
        return "an asset is selected that is not in the library"
      }
      if let types = wish?.mediaTypes, !types.contains(asset.mediaType) {
        let kinds = MediaType.allCases.filter(types.contains).map(Self.name).joined(separator: ", ")
        return "\(id) is of the kind \(Self.name(asset.mediaType)); the app asks for \(kinds)"
      }
      if wish?.allows(asset) == false { return "\(id) is not one of those that the app asks for" }
    }
    return nil
  }

  /// What is wrong with how many are picked, where some of what was picked at first has gone: of the others there must be
  /// enough (S105).
  private func problem(
    with selection: Selection, preselected: Set<String>, for wish: PickerWish
  ) throws -> String? {
    guard wish.minimum > 0, !selection.assets.isEmpty else { return nil }
    let gone = try selection.assets.intersection(preselected).count { id in
      try store.ids.asset(id).flatMap { try store.files.asset($0) } == nil
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
