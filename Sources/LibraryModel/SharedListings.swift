/// The names that directories have to the letter, where only a listing tells (docs/decisions/0067-case.md): one for the looks
/// at many names, since one for each look takes as long as all that is in the directory (race 36).
///
/// A listing is older than what is told after it began. A name of which something was told since has its directory listed once
/// more, and that listing serves all that was told until then: there are about as many as times that events are read.
package struct SharedListings {
  private struct Listing {
    let names: Set<FileName>
    /// Of which something was told since it began.
    private(set) var told: Set<FileName> = []

    init(_ names: Set<FileName>) { self.names = names }

    /// - Returns: whether nothing was told of it before.
    mutating func note(_ name: FileName) -> Bool { told.insert(name).inserted }
  }

  /// As ``RecentValues`` has them, but by how many names they hold.
  private var young: [DirectoryID: Listing] = [:]
  private var old: [DirectoryID: Listing] = [:]
  private var youngSize = 0
  /// How many names were told of since the last time that all was forgotten.
  private var toldCount = 0
  private let capacity: Int

  /// None.
  ///
  /// - Parameter capacity: with how many names the last listings are kept at least; with twice as many at most, unless a single
  ///   one has more. A directory counts as one more.
  package init(capacity: Int = 1 << 17) { self.capacity = capacity }

  /// Whether there are none, and so nothing need be told.
  package var isEmpty: Bool { young.isEmpty && old.isEmpty }

  /// The names that are in the directory of a name; nil where it is to be listed for that one.
  package func names(for location: Location) -> Set<FileName>? {
    guard let listing = young[location.directory] ?? old[location.directory],
      !listing.told.contains(location.name)
    else { return nil }
    return listing.names
  }

  /// A directory was listed, and nothing was told since that began.
  package mutating func add(_ names: Set<FileName>, of directory: DirectoryID) {
    forget(directory)
    let size = names.count + 1
    if youngSize + size > capacity { (old, young, youngSize) = (young, [:], 0) }
    young[directory] = Listing(names)
    youngSize += size
  }

  /// Something was told of a name.
  package mutating func noteTold(of location: Location) {
    let directory = location.directory
    guard young[directory]?.note(location.name) ?? old[directory]?.note(location.name) ?? false else {
      return
    }
    toldCount += 1
    // As many as there are names in those that are kept, and nobody looks at them.
    if toldCount > capacity { removeAll() }
  }

  /// A directory may be another one, or its names others without being told.
  package mutating func forget(_ directory: DirectoryID) {
    if let former = young.removeValue(forKey: directory) { youngSize -= former.names.count + 1 }
    old[directory] = nil
  }

  /// All names may be others.
  package mutating func removeAll() {
    guard !isEmpty else { return }
    (young, old, youngSize, toldCount) = ([:], [:], 0, 0)
  }
}
