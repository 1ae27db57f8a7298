internal import AlbumAPI
internal import Linux

/// What one part of a request does.
enum ChangeStep: Sendable {
  /// Adds items to one album; the first of them has this index in the request.
  case add([PhotoChangeRequest.Addition], album: (any PhotoReference)?, first: Int)
  /// Any other change, with its index.
  case other(PhotoChangeRequest.Change, index: Int)

  /// The changes as steps: items that follow each other into one album go together.
  static func steps(of changes: [PhotoChangeRequest.Change]) -> [ChangeStep] {
    var steps: [ChangeStep] = []
    // Beside the steps: in one of them, each addition would copy those before it.
    var additions: [PhotoChangeRequest.Addition] = []
    var target: (any PhotoReference)?
    func endAdditions(before index: Int) {
      if !additions.isEmpty {
        steps.append(.add(additions, album: target, first: index - additions.count))
      }
      additions = []
    }
    for (index, change) in changes.enumerated() {
      switch change {
      case .add(let addition, let album):
        if !isSame(album, target) { endAdditions(before: index) }
        target = album
        additions.append(addition)
      case .createAlbum, .renameAlbum, .moveAlbum, .deleteAlbum, .addToAlbum, .removeFromAlbum, .moveToAlbum,
        .renameAsset, .favorite, .hide, .replace, .revert, .delete, .keyAsset, .moveInAlbum:
        endAdditions(before: index)
        steps.append(.other(change, index: index))
      }
    }
    endAdditions(before: changes.count)
    return steps
  }

  private static func isSame(_ one: (any PhotoReference)?, _ other: (any PhotoReference)?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return one.isSame(as: other)
  }

  /// Does it, and says in the placeholders what became of it.
  ///
  /// - Parameter purpose: what files are added for; there is a guide then, in that language.
  /// - Returns: the guide, where something was added.
  /// - Throws: the first error, with the index of its change in `item`.
  func perform(
    on connection: AlbumConnection, for purpose: LibraryInterface.SavePurpose?, language: String?
  ) throws(AlbumError) -> AuthorizationInterface.Guide? {
    switch self {
    case .add(let additions, let album, let first):
      var guide: AuthorizationInterface.Guide?
      let results = connection.save(
        additions.map(\.item), to: try album?.resolved(), for: purpose, language: language,
        desktop: DesktopSettings.current, guide: { guide = $0 })
      var failure: AlbumError?
      for (index, (addition, result)) in zip(additions, results).enumerated() {
        addition.placeholder.finish(result)
        if case .failure(let error) = result, failure == nil { failure = error.about(item: first + index) }
      }
      if let failure { throw failure }
      return guide
    case .other(let change, let index):
      do throws(AlbumError) { try change.perform(on: connection) } catch { throw error.about(item: index) }
      return nil
    }
  }
}

extension PhotoChangeRequest.Change {
  /// The most assets that one call names.
  private static let limit = 1000

  fileprivate func perform(on connection: AlbumConnection) throws(AlbumError) {
    switch self {
    // These go together: see the steps.
    case .add: break
    case .createAlbum(let title, let parent, let placeholder):
      do throws(AlbumError) {
        placeholder.finish(.success(try connection.createAlbum(title, in: try parent?.resolved()).id))
      } catch {
        placeholder.finish(.failure(error))
        throw error
      }
    case .renameAlbum(let album, let title): _ = try connection.rename(album: try album.resolved(), to: title)
    case .moveAlbum(let album, let parent):
      _ = try connection.move(album: try album.resolved(), into: try parent?.resolved())
    case .deleteAlbum(let album): _ = try connection.delete(album: try album.resolved())
    case .keyAsset(let asset, let album):
      try connection.setKeyAsset(try asset?.resolved(), of: try album.resolved())
    case .addToAlbum(let assets, let album):
      let album = try album.resolved()
      try Self.forEachBatch(assets) { ids throws(AlbumError) in try connection.add(ids, toAlbum: album) }
    case .removeFromAlbum(let assets, let album):
      let album = try album.resolved()
      try Self.forEachBatch(assets) { ids throws(AlbumError) in try connection.remove(ids, fromAlbum: album) }
    case .moveToAlbum(let assets, let album):
      let album = try album?.resolved()
      try Self.forEachBatch(assets) { ids throws(AlbumError) in try connection.move(ids, toAlbum: album) }
    case .moveInAlbum(let assets, let album, let other):
      let (album, other) = (try album.resolved(), try other?.resolved())
      try Self.forEachBatch(assets) { ids throws(AlbumError) in
        try connection.move(ids, inAlbum: album, before: other)
      }
    case .renameAsset(let asset, let filename):
      _ = try connection.rename(asset: try asset.resolved(), to: filename)
    case .favorite(let assets, let isSet):
      try Self.forEachBatch(assets) { ids throws(AlbumError) in try connection.setFavorite(isSet, of: ids) }
    case .hide(let assets, let isSet):
      try Self.forEachBatch(assets) { ids throws(AlbumError) in try connection.setHidden(isSet, of: ids) }
    case .replace(let asset, let source, let adjustment):
      let file: OwnedDescriptor
      do throws(SystemError) { file = try source.open() } catch {
        throw AlbumError(opening: error)
      }
      _ = try connection.replace(try asset.resolved(), with: file, adjustment: adjustment)
    case .revert(let asset): _ = try connection.revert(try asset.resolved())
    case .delete(let assets):
      try Self.forEachBatch(assets) { ids throws(AlbumError) in _ = try connection.delete(ids) }
    }
  }

  private static func forEachBatch(
    _ assets: [any PhotoReference], _ body: ([String]) throws(AlbumError) -> Void
  ) throws(AlbumError) {
    var ids: [String] = []
    for asset in assets { ids.append(try asset.resolved()) }
    for start in stride(from: 0, to: ids.count, by: limit) {
      try body(Array(ids[start..<min(start + limit, ids.count)]))
    }
  }
}
