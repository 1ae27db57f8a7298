internal import CLinux
package import LibraryModel
internal import Linux

/// What copies say of themselves that are about to be added (S50): read while they had no name.
package struct ReadCopies: Sendable {
  /// What the first says, and the movie of a live photo; nil of one that cannot be read.
  let files: [FileDescription?]
  /// What is told of the asset; nil where nothing is known.
  let description: AssetDescription?
  /// The version of what has read them.
  let reader: Int

  /// What was read.
  package init(files: [FileDescription?], description: AssetDescription?, reader: Int) {
    self.files = files
    self.description = description
    self.reader = reader
  }
}

extension Librarian {
  /// Notes what copies that have their names by now say of themselves, so that they are told with it.
  ///
  /// - Returns: the same, by file.
  func foretell(_ read: ReadCopies, _ files: NewFiles, in directory: DirectoryID) throws -> [ReadFile] {
    guard let volume = directories.tree[directory]?.identity.volume else { return [] }
    let versions = try read.files.indices.map {
      try ReadFile.Version(justWritten: files.descriptor($0), on: volume)
    }
    if let first = versions.first { self.files.foretell(read.description, of: first.identity) }
    return zip(versions, read.files).map { ReadFile($0, $1) }
  }
}

extension LibraryDatabase {
  /// Notes what was read of the files of an asset.
  func note(_ files: [ReadFile], at location: Location, reader: Int) throws {
    guard let asset = try index.files.link(at: location)?.asset else { return }
    for (file, resource) in zip(files, [Link.Resource.main, .pairedVideo]) {
      try descriptions.put(file, of: asset, resource, reader: reader)
    }
  }
}
