/// How a library is compared that nothing was told of: a little at a time, directory by directory, and then anew. What
/// changes files without an event (mmap(2), truncate(2), another name outside of the library) is found so
/// (docs/decisions/0070-idle-round.md).
///
/// Without IO, and without time of its own: how long something took is told to it.
package struct IdleRound: Sendable {
  /// What there is to know of a directory.
  package struct Directory: Sendable {
    /// How many names it holds that will be compared.
    package var names: Int
    /// What lies in it.
    package var children: [DirectoryID]

    /// A directory.
    package init(names: Int, children: [DirectoryID]) {
      self.names = names
      self.children = children
    }
  }

  /// So many names are compared at a time: about 50 ms of one processor, and so much of one disk as it has cached.
  static let portion = 15_000
  /// What opening a directory costs, in names.
  static let costOfDirectory = 8
  /// A portion that took long, because its names had to be read from the disk, is followed by a pause this many times as
  /// long: whoever else uses the disk has nearly all of it.
  static let restPerWork: UInt64 = 100
  /// But so many times the shortest pause at most: a machine that was stopped meanwhile, or a file system that hung, shows
  /// nothing of what a portion costs.
  static let longestRest: UInt64 = 100

  private var toCome: [DirectoryID] = []
  /// What was compared beyond a portion, because a directory is compared as a whole.
  private var debt = 0

  /// A round that is over.
  package init() {}

  /// Whether all was compared.
  package var isOver: Bool { toCome.isEmpty }

  /// Begins anew.
  ///
  /// - Parameter roots: where; with all beneath.
  package mutating func begin(_ roots: [DirectoryID]) { toCome = roots }

  /// Takes what is compared now: directories with about ``portion`` names, and at least one unless the last portions
  /// were too large.
  ///
  /// - Parameter look: what there is to know of a directory; `nil` for one that is not to be compared, nor anything
  ///   beneath it.
  package mutating func takePortion(_ look: (DirectoryID) -> Directory?) -> [DirectoryID] {
    var portion: [DirectoryID] = []
    debt -= Self.portion
    while debt < 0, let next = toCome.popLast() {
      guard let directory = look(next) else { continue }
      portion.append(next)
      toCome += directory.children
      debt += directory.names + Self.costOfDirectory
    }
    // What is left of a portion is no credit.
    debt = max(debt, 0)
    return portion
  }

  /// For how long nothing is compared after a portion that took so long, in the same unit.
  ///
  /// - Parameter interval: for how long at least; a hundred times that at most.
  package static func rest(after took: UInt64, atLeast interval: UInt64) -> UInt64 {
    let (wanted, overflows) = took.multipliedReportingOverflow(by: restPerWork)
    return max(interval, min(overflows ? .max : wanted, interval * longestRest))
  }
}
