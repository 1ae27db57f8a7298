package import EventLoop
package import LibraryModel

/// Marks assets as favourites, or as hidden (S90, S91): in their files, where other programs find it, those of RAW as
/// well, and in the index.
@EventLoopActor
package final class FlagChanges {
  private let between: BetweenTurns
  private let contents: LibraryContents
  /// So many names are written to in one go, where each has become a file of its own.
  private static let slice = 16

  init(_ between: BetweenTurns, _ contents: LibraryContents) {
    self.between = between
    self.contents = contents
  }

  /// Sets one flag of an asset, or takes it away: on disk and told when this returns.
  ///
  /// - Throws: ``LibraryFileError``: `gone`, `replaced`, `offline`, `noAttributes`, `noSpace`, `readOnly`, `system`; or the
  ///   database's error. A file that was changed all the same is found to be when it is looked at next.
  package func set(
    _ flag: AssetFlags, _ isSet: Bool, of asset: Asset, mayBegin: MayBegin
  ) async throws {
    let subject = asset.filename.description
    // What it has from a former file, the file is to say from now on.
    let set = (isSet ? asset.flags.inherited.union(flag) : asset.flags.inherited.subtracting(flag)).told
    let cleared: AssetFlags = isSet ? [] : flag
    let raw = try contents.parts(.alternatePhoto, of: asset)
    let directories = (asset.links + raw.map(\.location)).map(\.directory)
    try await between.editing(directories, mayBegin: mayBegin) {
      try between.requireWritable()
      // RAW first: alone it says the same, and nothing is hidden that would be shown then (S99).
      for link in raw {
        do throws(LibraryFileError) {
          try EditDeadline.check(subject)
          _ = try await between.onDisk([link.location.directory], subject) {
            (disk, tree) throws(LibraryFileError) in
            try disk.changeFlags(of: link, setting: set, clearing: cleared, in: tree)
          }
        } catch {
          // What is not there says nothing.
          if error.code != .gone, error.code != .replaced { throw error }
        }
      }
      var failure = LibraryFileError(.gone, subject: subject)
      var written: AssetFlags?
      // Where a name that is another file's by now says nothing, that one would be shown.
      var unsaid: LibraryFileError?
      let hasOthers = !asset.otherLinks.isEmpty
      for (number, link) in asset.knownLinks.enumerated() {
        if number % Self.slice == Self.slice - 1 { await EventLoopActor.giveWay() }
        do throws(LibraryFileError) {
          try EditDeadline.check(subject)
          let (flags, isParted) = try await between.onDisk([link.location.directory], subject) {
            (disk, tree) throws(LibraryFileError) in
            let flags = try disk.changeFlags(of: link, setting: set, clearing: cleared, in: tree)
            return (flags, hasOthers && disk.isAnother(link, in: tree))
          }
          written = written ?? flags
          // All its names say it, if they are names of one file.
          guard isParted else { break }
        } catch {
          failure = error
          if written != nil, error.code != .gone, error.code != .replaced { unsaid = unsaid ?? error }
        }
      }
      guard let written else { throw failure }
      try between.change { librarian, _ in try librarian.files.flagsWritten(written, of: asset.id) }
      if let unsaid { throw unsaid }
    }
  }
}

extension BeneathRoot {
  /// Whether a name that was just written to is one of another file by that: an overlay copies what lies beneath, and so
  /// parts the names of a file.
  fileprivate func isAnother(_ link: Link, in tree: DirectoryTree) -> Bool {
    switch look(at: link.location, in: tree) {
    case .found(let facts): facts.identity != link.identity
    case .absent, .offline: false
    // Who cannot be asked now.
    case .unknown: true
    }
  }
}
