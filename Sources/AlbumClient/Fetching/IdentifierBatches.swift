/// Ids as they fit a message, of which the daemon takes 1 MiB by default: in batches, of which the last may be
/// empty; once nil for no ids at all.
struct IdentifierBatches: Sequence, IteratorProtocol {
  /// The most bytes of a batch, quotes and commas included. A made-up id can take six times as many once it is
  /// JSON.
  static let limit = 128 << 10
  /// No id is longer: there is nothing of such a name.
  private static let longest = 256

  private var rest: ArraySlice<String>
  private let isAny: Bool
  private var isFirst = true

  init(_ identifiers: Set<String>?) {
    isAny = identifiers == nil
    rest = (identifiers ?? []).filter { $0.utf8.count <= Self.longest }.sorted()[...]
  }

  mutating func next() -> [String]?? {
    defer { isFirst = false }
    if isAny { return isFirst ? .some(nil) : nil }
    guard isFirst || !rest.isEmpty else { return nil }
    var batch: [String] = []
    var size = 0
    while let identifier = rest.first, size < Self.limit {
      batch.append(identifier)
      size += identifier.utf8.count + 3
      rest.removeFirst()
    }
    return .some(batch)
  }
}
