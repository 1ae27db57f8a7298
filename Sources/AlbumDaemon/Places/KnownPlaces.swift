internal import PictureAPI

/// What was found about places in files, by what exactly was looked through. Bounded; the oldest is forgotten first.
struct KnownPlaces {
  /// What became of looking.
  enum Finding: Hashable, Sendable {
    /// This is to be overwritten; nothing where the file says no place.
    case overwrite([Overwriting])
    /// It cannot be followed.
    case untraceable
  }

  /// The most files.
  private static let most = 4096
  /// The most ranges of all of them.
  private static let mostRanges = 1 << 17

  private var findings: [FileVersion: Finding] = [:]
  private var order: [FileVersion] = []
  private var ranges = 0

  subscript(version: FileVersion) -> Finding? { findings[version] }

  /// Remembers what was found in a file.
  mutating func note(_ finding: Finding, of version: FileVersion) {
    if let former = findings.updateValue(finding, forKey: version) {
      ranges -= former.count
    } else {
      order.append(version)
    }
    ranges += finding.count
    guard order.count > Self.most || ranges > Self.mostRanges else { return }
    // Many at once: an array's first costs as much as all.
    let leaving = order.prefix(order.count / 4 + 1)
    for version in leaving { ranges -= findings.removeValue(forKey: version)?.count ?? 0 }
    order.removeFirst(leaving.count)
  }
}

extension KnownPlaces.Finding {
  fileprivate var count: Int {
    switch self {
    case .overwrite(let overwritings): overwritings.count
    case .untraceable: 0
    }
  }
}
