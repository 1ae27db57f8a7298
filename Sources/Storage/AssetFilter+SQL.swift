internal import LibraryModel

extension AssetFilter {
  /// The same as a condition on rows of `asset`: its text holds parameters only, whose values are added to those before it.
  ///
  /// What it names is looked up for each asset that is looked at. Lists of all that an album or a subtype has would take memory
  /// for each time that one is named, as much as the library is large.
  func condition(_ arguments: inout [AssetSearch.Argument]) -> String {
    switch self {
    case .all(let parts): return Self.joined(parts, "AND", ofNothing: "1", &arguments)
    case .any(let parts): return Self.joined(parts, "OR", ofNothing: "0", &arguments)
    case .none(let parts): return "NOT \(Self.joined(parts, "OR", ofNothing: "0", &arguments))"
    case .mediaTypes(let types):
      arguments.append(.text(json(types.lazy.map { Int64($0.rawValue) }.sorted())))
      return "mediaType IN (SELECT value FROM json_each(?))"
    case .subtypes(let subtypes):
      // As it is told of the asset: that of a file that is another by now is in the table of descriptions still.
      arguments.append(.number(Int64(subtypes.rawValue)))
      let described = "ifnull(unicode(CAST(substr(asset.description, 2, 1) AS TEXT)), 0) & ? <> 0"
      return subtypes.contains(.raw) ? "(\(described) OR asset.raw <> 0)" : described
    case .albums(let ids):
      let ids = AssetSearch.Argument.text(json(ids.lazy.map(\.rawValue)))
      arguments += [ids, ids]
      return """
        (directory IN (SELECT value FROM json_each(?)) OR linkCount > 1 AND EXISTS (SELECT 1 FROM extraLink
        WHERE extraLink.asset = asset.id AND extraLink.directory IN (SELECT value FROM json_each(?))))
        """
    case .createdAfter(let time): return Self.comparison("created >= ?", .number(time), &arguments)
    case .createdBefore(let time): return Self.comparison("created < ?", .number(time), &arguments)
    case .nameContains(let text):
      return Self.comparison("instr(lower(CAST(name AS TEXT)), lower(?)) > 0", .text(text), &arguments)
    case .minByteCount(let count): return Self.comparison("byteCount >= ?", .number(count), &arguments)
    case .maxByteCount(let count): return Self.comparison("byteCount <= ?", .number(count), &arguments)
    case .isFavorite(let isFavorite): return isFavorite ? "flags & 1 <> 0" : "flags & 1 = 0"
    case .burst(let identifier):
      return Self.comparison("burst(mediaType, name) IS ?", .text(identifier), &arguments)
    }
  }

  private static func comparison(
    _ text: String, _ value: AssetSearch.Argument, _ arguments: inout [AssetSearch.Argument]
  ) -> String {
    arguments.append(value)
    return text
  }

  private static func joined(
    _ parts: [AssetFilter], _ word: String, ofNothing: String, _ arguments: inout [AssetSearch.Argument]
  ) -> String {
    if parts.isEmpty { return "(\(ofNothing))" }
    return "(" + parts.map { $0.condition(&arguments) }.joined(separator: " \(word) ") + ")"
  }

  private func json(_ numbers: some Sequence<Int64>) -> String {
    "[" + numbers.map { String($0) }.joined(separator: ",") + "]"
  }
}
