package import EventLoop
package import LibraryModel

/// Writes what files say of themselves into the index, and tells of it (S50).
@EventLoopActor
package final class DescriptionWriter {
  /// An asset whose files were read.
  package struct Described {
    /// As it was when they were opened.
    package let asset: Asset
    /// Its photo or video.
    package let main: ReadFile
    /// The movie of a live photo, where that could be opened.
    package let movie: ReadFile?
    /// What is told of it; nil where nothing is known.
    package let description: AssetDescription?

    /// An asset, described.
    package init(asset: Asset, main: ReadFile, movie: ReadFile?, description: AssetDescription?) {
      self.asset = asset
      self.main = main
      self.movie = movie
      self.description = description
    }
  }

  private let between: BetweenTurns

  init(_ between: BetweenTurns) {
    self.between = between
  }

  /// Notes what was read, and tells of what is new. What is another asset by now is left as it is.
  ///
  /// - Parameter reader: the version of what has read it.
  package func note(_ described: [Described], reader: Int) throws {
    try between.change { librarian, database in
      for one in described where try librarian.files.describe(one.asset, one.description) {
        try database.descriptions.put(one.main, of: one.asset.id, .main, reader: reader)
        if let movie = one.movie {
          try database.descriptions.put(movie, of: one.asset.id, .pairedVideo, reader: reader)
        }
      }
    }
  }

  /// Where a file says where it was taken (S56).
  package struct Overwritings {
    /// Whose file it is, and which of its files.
    package let asset: AssetID
    /// Which of its files.
    package let resource: Link.Resource
    /// Of which bytes.
    package let stamp: FileStamp
    /// As a reader has said it.
    package let bytes: [UInt8]

    /// What was found in a file.
    package init(asset: AssetID, resource: Link.Resource, stamp: FileStamp, bytes: [UInt8]) {
      self.asset = asset
      self.resource = resource
      self.stamp = stamp
      self.bytes = bytes
    }
  }

  /// Notes what is to be overwritten in files, beside what they say.
  package func note(_ found: [Overwritings]) throws {
    try between.change { _, database in
      for one in found {
        try database.descriptions.put(overwritings: one.bytes, of: one.asset, one.resource, one.stamp)
      }
    }
  }

  /// What another version could not read is yet to be described (S51).
  ///
  /// - Parameter reader: the version that reads now.
  package func tryAgain(with reader: Int) throws {
    try between.change { _, database in try database.descriptions.tryAgain(unreadableByOthersThan: reader) }
  }
}
