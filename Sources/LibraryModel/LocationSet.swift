/// Names, by their directories: what is known of one of these is forgotten without a look at the others.
struct LocationSet {
  private var names: [DirectoryID: Set<FileName>] = [:]

  var isEmpty: Bool { names.isEmpty }

  /// In order.
  var sorted: [Location] {
    names.flatMap { directory, names in names.map { Location(directory, $0) } }.sorted()
  }

  func contains(_ location: Location) -> Bool {
    names[location.directory]?.contains(location.name) ?? false
  }

  mutating func insert(_ location: Location) {
    names[location.directory, default: []].insert(location.name)
  }

  mutating func remove(_ location: Location) {
    guard let index = names.index(forKey: location.directory) else { return }
    names.values[index].remove(location.name)
    if names.values[index].isEmpty { names.remove(at: index) }
  }

  /// Removes what is in a directory.
  mutating func removeAll(in directory: DirectoryID) {
    names[directory] = nil
  }

  mutating func removeAll() {
    names.removeAll()
  }
}
