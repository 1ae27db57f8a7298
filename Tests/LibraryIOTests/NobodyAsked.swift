import LibraryModel

@testable import LibraryIO

// Edits that nobody has to be asked about: what refuses one when it is its turn, DecidedWhenItBeginsTests has.
extension Deletions {
  func carryOut(_ deletion: DeletedAsset) async throws {
    try await carryOut(deletion, mayBegin: nobodyAsked)
  }
}

extension Replacements {
  func carryOut(_ replacement: DeletedAsset, of id: AssetID) async throws -> Asset {
    try await carryOut(replacement, of: id, mayBegin: nobodyAsked)
  }
}

extension Reversions {
  func carryOut(_ reversion: DeletedAsset, of id: AssetID) async throws -> Asset {
    try await carryOut(reversion, of: id, mayBegin: nobodyAsked)
  }
}

extension Restorations {
  func record(_ id: AssetID) async throws -> DeletedAsset { try await record(id, mayBegin: nobodyAsked) }

  @discardableResult
  func carryOut(_ restoration: DeletedAsset) async throws -> Asset {
    try await carryOut(restoration, mayBegin: nobodyAsked)
  }
}

extension DeletionRecords {
  func purge(_ record: DeletedAsset) async throws -> Bool { try await purge(record, mayBegin: nobodyAsked) }
}

extension AssetMoves {
  @discardableResult
  func carryOut(_ relocation: Relocation, of id: AssetID) async throws -> Asset {
    try await carryOut(relocation, of: id, mayBegin: nobodyAsked)
  }
}

extension Removals {
  func unlink(_ asset: Asset, from album: AlbumID) async throws {
    try await unlink(asset, from: album, mayBegin: nobodyAsked)
  }
}

extension AlbumRemovals {
  func remove(_ id: AlbumID) async throws { try await remove(id, mayBegin: nobodyAsked) }
}

extension AlbumMoves {
  func move(
    _ id: AlbumID, to names: [FileName], in parent: DirectoryID, keepsShared: Bool
  ) async throws -> Album {
    try await move(id, to: names, in: parent, keepsShared: keepsShared, mayBegin: nobodyAsked)
  }
}

extension FlagChanges {
  func set(_ flag: AssetFlags, _ isSet: Bool, of asset: Asset) async throws {
    try await set(flag, isSet, of: asset, mayBegin: nobodyAsked)
  }
}

extension LibraryEditor {
  func add(
    _ files: NewFiles, as suggestion: FileName, movieEnding: String? = nil, rawEnding: String? = nil,
    sidecarEndings: [String] = [], created: Int64? = nil, reading: ReadCopies? = nil,
    in directory: DirectoryID
  ) async throws -> Asset {
    try await add(
      files, as: suggestion, movieEnding: movieEnding, rawEnding: rawEnding, sidecarEndings: sidecarEndings,
      created: created, reading: reading, in: directory, mayBegin: nobodyAsked)
  }

  func makeAlbum(_ title: FileName, in parent: DirectoryID) async throws -> Album {
    try await makeAlbum(title, in: parent, mayBegin: nobodyAsked)
  }

  func makeDirectory(_ name: String, in parent: DirectoryID) async throws -> DirectoryID {
    try await makeDirectory(name, in: parent, mayBegin: nobodyAsked)
  }

  func link(_ asset: Asset, into album: AlbumID) async throws {
    try await link(asset, into: album, mayBegin: nobodyAsked)
  }
}
