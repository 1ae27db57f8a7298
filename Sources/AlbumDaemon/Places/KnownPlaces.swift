internal import PictureAPI

/// What was found about places in files, by what exactly was looked through, and for whom: what read it may have been taken
/// over by another file that the same user's apps opened. Bounded; the oldest is forgotten first.
struct KnownPlaces {
  /// The bytes that were looked through, and the user for whom.
  struct Key: Hashable {
    let user: UInt32
    let version: FileVersion
  }

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

  private var findings: [Key: Finding] = [:]
  private var order: [Key] = []
  private var ranges = 0

  subscript(key: Key) -> Finding? { findings[key] }

  /// Remembers what was found in a file.
  mutating func note(_ finding: Finding, of key: Key) {
    if let former = findings.updateValue(finding, forKey: key) {
      ranges -= former.count
    } else {
      order.append(key)
    }
    ranges += finding.count
    guard order.count > Self.most || ranges > Self.mostRanges else { return }
    // Many at once: an array's first costs as much as all.
    let leaving = order.prefix(order.count / 4 + 1)
    for key in leaving { ranges -= findings.removeValue(forKey: key)?.count ?? 0 }
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
