internal import LibraryModel
internal import Linux

/// The files of an asset on their way to other names (S77), as they are written down before the first is renamed.
///
/// Kept among what is deleted, where all is that is half done: of its files the first half are where they are to be, in
/// their order, the second half the same ones where they were.
package struct Relocation: Sendable {
  /// One file.
  struct Step: Hashable, Sendable {
    /// The hidden name that it has for a moment, where the file system cannot rename without replacing.
    let key: String
    let identity: FileIdentity
    let origin: Location
    let target: Location

    /// Whether another file was found at a name than this one.
    func isAnother(_ answer: DiskAnswer?) -> Bool {
      guard case .found(let facts) = answer else { return false }
      return facts.identity != identity
    }
  }

  /// As it is written down.
  let record: DeletedAsset
  /// The files: photos and films before the movies, RAW and sidecars that belong to them.
  let steps: [Step]

  /// What was written down.
  init(_ record: DeletedAsset) {
    self.record = record
    let files = record.files
    let count = files.count / 2
    steps = zip(files.prefix(count), files.dropFirst(count)).map { target, origin in
      Step(key: target.name, identity: target.identity, origin: origin.location, target: target.location)
    }
  }

  /// A file that is to have another name.
  struct Move {
    let identity: FileIdentity
    let origin: Location
    let target: Location
  }

  /// What is going to be written down.
  ///
  /// - Parameters:
  ///   - moves: at least one.
  ///   - id: of its own: the asset stays what it is.
  init(_ moves: [Move], of asset: Asset, id: AssetID, root: RootID, place: DirectoryID) {
    let parts =
      moves.dropFirst().map { DeletedAsset.Companion(location: $0.target, identity: $0.identity) }
      + moves.map { DeletedAsset.Companion(location: $0.origin, identity: $0.identity) }
    self.init(
      DeletedAsset(
        key: .random(), state: .moving,
        asset: Asset(
          id: id, mediaType: asset.mediaType, identity: moves[0].identity, byteCount: asset.byteCount,
          created: asset.created, modified: asset.modified, primary: moves[0].target),
        parts: parts, root: root, place: place, deleted: RealTime.seconds, app: nil))
  }
}
