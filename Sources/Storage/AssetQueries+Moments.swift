package import LibraryModel
internal import Linux

extension AssetQueries {
  /// The moments of the assets that match, in order (S58).
  ///
  /// Of the whole library they were counted beforehand (``MomentTable``), so that it costs what there are days; else it
  /// costs what matches.
  package func moments(_ query: AssetQuery, by unit: Moment.Unit) throws -> [Moment] {
    try transaction.catchUp()
    var kinds = query
    kinds.mediaTypes = []
    return try kinds.isUnfiltered ? countedMoments(of: query.mediaTypes, unit) : foundMoments(query, unit)
  }

  private func countedMoments(of mediaTypes: Set<MediaType>, _ unit: Moment.Unit) throws -> [Moment] {
    let zone = files.moments.zone
    var spans: [(day: Int64, count: Int, first: AssetID)] = []
    for (day, count, first) in try files.moments.days(of: mediaTypes) {
      let start = unit.firstDay(of: day)
      if spans.last?.day == start {
        spans[spans.count - 1].count += count
      } else {
        spans.append((start, count, first))
      }
    }
    return spans.map { Moment(start: zone.start(ofDay: $0.day), count: $0.count, first: $0.first) }
  }

  private func foundMoments(_ query: AssetQuery, _ unit: Moment.Unit) throws -> [Moment] {
    let (conditions, arguments) = try filter(query)
    let statement = try connection.query(
      "SELECT id, created FROM asset WHERE \(conditions.joined(separator: " AND ")) ORDER BY created, id")
    bind(arguments, to: statement)
    let zone = files.moments.zone
    var spans: [(first: Int64, count: Int, id: AssetID)] = []
    for (id, created) in try statement.all({ (AssetID(rawValue: $0.int(0)), $0.int(1)) }) {
      let first = unit.firstDay(of: zone.day(at: created.dividedDown(by: 1_000_000_000)))
      if spans.last?.first == first {
        spans[spans.count - 1].count += 1
      } else {
        spans.append((first, 1, id))
      }
    }
    return spans.map { Moment(start: zone.start(ofDay: $0.first), count: $0.count, first: $0.id) }
  }
}
