package import LibraryModel

// What apps add (S30). It is copied elsewhere, and named here, in one step with the index: what is chosen is free by
// both, and nothing that was there before becomes part of what is added, or the other way round (S16).
extension LibraryMonitor {
  /// Gives copies the first free name, takes them in, and publishes that. Until ``NewFiles/sync()``, the names may not
  /// be on disk.
  ///
  /// - Parameters:
  ///   - files: in the directory; the files of a live photo are two.
  ///   - suggestion: the name of the first, if that is free.
  ///   - movieEnding: the extension of the second.
  /// - Returns: the asset.
  /// - Throws: ``LibraryFileError``: `invalidName`, `gone` or `offline` (the directory), `noSpace`, `readOnly`,
  ///   `system`; or the database's error. No file keeps a name then.
  package func add(
    _ files: NewFiles, as suggestion: FileName, movieEnding: String? = nil, in directory: DirectoryID
  ) throws -> Asset {
    try batches.requireWritable()
    let movie = movieEnding.map { FileName("x." + $0) }
    func all(_ name: FileName) -> [FileName] { [name] + (movie.map { [$0.withStem(of: name)] } ?? []) }
    let locations = try place(NumberedNames(suggestion), all: all, in: directory, isFree: files.isFree) {
      try files.place($0)
    }
    do {
      try batch {
        for location in locations {
          librarian.forgetRemoved(at: location)
          try librarian.take(location, .renamed)
        }
      }
      guard let link = try batches.index.link(at: locations[0]),
        let asset = try batches.index.asset(link.asset)
      else {
        throw LibraryFileError(.gone, subject: suggestion.description)
      }
      return asset
    } catch {
      try files.takeBack()
      throw error
    }
  }

  /// Takes back what was added, because it could not be brought to disk.
  package func takeBack(_ files: NewFiles, _ asset: Asset) throws {
    let locations = try asset.links + pairedVideos(of: asset).map(\.location)
    let result = Result { () throws(LibraryFileError) in try files.takeBack() }
    try batch { for location in locations { try librarian.take(location, .renamed) } }
    try result.get()
  }

  /// Chooses names that are free on disk and in the index, and gives them.
  ///
  /// - Parameters:
  ///   - all: the names of all files, by the first one's.
  ///   - put: gives them; `false` when one is taken after all.
  func place(
    _ names: NumberedNames, all: (FileName) -> [FileName], in directory: DirectoryID,
    isFree: (FileName) -> Bool, put: ([FileName]) throws -> Bool
  ) throws -> [Location] {
    // One that is taken by somebody else in between is not free at the next look.
    for _ in 0..<100 {
      let name = try names.free { name in
        try all(name).allSatisfy { try isFree($0) && librarian.isFree(Location(directory, $0)) }
      }
      guard let name else { break }
      if try put(all(name)) { return all(name).map { Location(directory, $0) } }
    }
    throw LibraryFileError(.invalidName, subject: names.suggestion.description)
  }
}
