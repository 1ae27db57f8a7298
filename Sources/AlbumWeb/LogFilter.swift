package import AlbumAPI

/// What a person looks for in the log (S64): each is one thing of the page's filter, and every line is found by one.
package enum LogFilter: String, CaseIterable, Sendable {
  case request, decision, fetch, open, add, change, delete, pick, owner, refused

  /// The one that finds lines of this kind.
  package init(finding kind: ManagerInterface.AccessKind) {
    self =
      switch kind {
      case .request: .request
      case .decision, .settings: .decision
      case .fetch: .fetch
      case .open: .open
      case .add, .createAlbum: .add
      case .replace, .revert, .addToAlbum, .removeFromAlbum, .moveAlbum, .renameAsset, .moveAssets, .favorite,
        .hide, .arrangeAlbum:
        .change
      case .delete, .deleteAlbum, .restore, .purge: .delete
      case .pick: .pick
      case .owner, .agent: .owner
      case .refused: .refused
      }
  }
}
