// What becomes of an asset when another file is under its name (S39): which of the two it is depends on where
// its file has gone, and so on what is found under other names.
extension Librarian {
  /// Another file is where `row` was.
  func replace(_ row: Link, by facts: FileFacts) throws {
    guard try !followChain(from: row, facts), let before = try index.asset(row.asset) else { return }
    let others = before.links.filter { $0 != row.location }
    if others.contains(where: { mayBe(row.identity, at: $0) }) {
      // The file that the asset is lives on elsewhere: this one is not it.
      try drop(row)
      return try arrive(row.location, facts)
    }
    if mayKnow(facts) {
      let known = try knownLinks(facts).filter { $0.asset != row.asset }
      if let swapped = known.first(where: { identity(at: $0.location) == row.identity }) {
        return try rotate([row, swapped])
      }
      if known.contains(where: { isLive($0.location, facts.identity, facts) }) {
        try drop(row)
        return try arrive(row.location, facts)
      }
      // Renamed over this name, as a save does: the name's asset stays, the other's name has gone.
      for link in known { try drop(link, buries: false) }
      // A movie that was beside it may be something else now.
      guard try index.link(at: row.location) == row, try index.asset(row.asset) == before else {
        return try settle(row.location, facts, .renamed)
      }
    }
    var after = before
    for link in others {
      _ = after.removeLink(link)
      try index.removeLink(at: link)
      count(-1, link)
    }
    try save(before, after, facts)
  }

  /// Settles first what decides about the asset at `row`: its file may be under another name by now, whose own
  /// file has been replaced as well, and so on. The asset whose file is nowhere keeps its name; the others go
  /// with their files to the names that become free.
  ///
  /// - Returns: whether that settled `row` as well.
  private func followChain(from row: Link, _ facts: FileFacts) throws -> Bool {
    var rows = [row]
    while let place = whereabouts.removeValue(forKey: rows[rows.count - 1].identity),
      identity(at: place) == rows[rows.count - 1].identity, let next = try index.link(at: place),
      next.resource == .main
    {
      rows.append(next)
    }
    guard rows.count > 1 else { return false }
    if rows[rows.count - 1].identity == facts.identity, Set(rows.map(\.asset)).count == rows.count {
      try rotate(rows)
      return true
    }
    for row in rows.dropFirst().reversed() { try examine(row.location, removal: true, .none) }
    guard try index.link(at: row.location) != row else { return false }
    // It was looked at already, and is whole.
    try settle(row.location, facts, .renamed)
    return true
  }

  /// Files changed places (RENAME_EXCHANGE, or a few renames): the file of each row is where the next is, that
  /// of the last where the first is. Each asset follows its file.
  private func rotate(_ rows: [Link]) throws {
    var moves: [(before: Asset, after: Asset)] = []
    for (row, next) in zip(rows, rows.dropFirst() + rows.prefix(1)) {
      guard let before = try index.asset(row.asset) else { return }
      var after = before
      after.addLink(next.location)
      _ = after.removeLink(row.location)
      moves.append((before, after))
      var link = row
      link.location = next.location
      try index.update(link)
    }
    for (before, after) in moves {
      // Written to as well, it is told so by the looks that follow.
      try save(before, after, nil)
    }
  }
}
