// Edits that can be undone (S94), of which the files tell nothing.
extension FileComparison {
  /// What an asset was is not kept any more; if that is there.
  package func forgetEdit(of id: AssetID) throws {
    guard let before = try index.asset(id), before.edit != .none else { return }
    var after = before
    after.edit = .none
    try index.update(after)
    try context.publish(before, after, content: false)
  }
}
