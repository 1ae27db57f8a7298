internal import AlbumAPI

/// The photos that match a filter, as one list. Of more ids than a call may name, it is asked in parts, and the
/// parts follow one another.
struct PhotoList: Hashable, Sendable {
  /// The most ids that a call may name.
  private static let mostNamed = 10_000

  /// What matches.
  let filter: LibraryInterface.FetchAssets.Parameters
  /// One for each question that it takes; at least one.
  private(set) var parts: [PhotoPages]

  /// - Parameter filter: without order and page: the newest come first.
  init(_ filter: LibraryInterface.FetchAssets.Parameters) {
    self.filter = filter
    parts = Self.questions(filter).map(PhotoPages.init)
  }

  /// The filter as calls ask for it.
  private static func questions(
    _ filter: LibraryInterface.FetchAssets.Parameters
  ) -> [LibraryInterface.FetchAssets.Parameters] {
    guard let ids = filter.ids, ids.count > mostNamed else { return [filter] }
    return stride(from: 0, to: ids.count, by: mostNamed).map { start in
      var question = filter
      question.ids = Array(ids[start..<min(start + mostNamed, ids.count)])
      return question
    }
  }

  /// How many match; nil before the first page of every part.
  var total: Int? {
    let totals = parts.compactMap(\.total)
    return totals.count == parts.count ? totals.reduce(0, +) : nil
  }

  /// The photo at a place; nil where none was read.
  subscript(index: Int) -> LibraryInterface.Asset? {
    var index = index
    for part in parts {
      guard let total = part.total else { return nil }
      if index < total { return part[index] }
      index -= total
    }
    return nil
  }

  /// What to read so that these places can be shown; nil when they can be. Ask again when it was read.
  func missing(in range: Range<Int>) -> LibraryInterface.FetchAssets.Parameters? {
    if let unknown = parts.first(where: { $0.total == nil }) { return unknown.missing(in: range) }
    var first = 0
    for part in parts {
      let end = first + (part.total ?? 0)
      let shown = range.clamped(to: first..<end)
      if let page = part.missing(in: shown.lowerBound - first..<shown.upperBound - first) { return page }
      first = end
    }
    return nil
  }

  /// Takes the page that was asked for.
  mutating func add(
    _ page: LibraryInterface.FetchAssets.Reply, for question: LibraryInterface.FetchAssets.Parameters
  ) {
    guard let part = parts.firstIndex(where: { $0.filter.ids == question.ids }) else { return }
    parts[part].add(page, from: question.cursor)
  }
}
