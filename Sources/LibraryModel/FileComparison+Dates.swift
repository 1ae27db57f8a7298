extension FileComparison {
  /// The picture at a name came to be before its file says so. That is kept for the asset's life; a file system has no
  /// place for it, so an index that is made anew takes the file's word again.
  ///
  /// - Parameter created: nanoseconds since 1970-01-01. A later time than is known changes nothing.
  package func backdate(_ location: Location, to created: Int64) throws {
    guard let link = try index.link(at: location), let before = try index.asset(link.asset),
      created < before.fileCreated
    else { return }
    var after = before
    after.fileCreated = created
    try index.update(after)
    try context.publish(before, after, content: false)
  }
}
