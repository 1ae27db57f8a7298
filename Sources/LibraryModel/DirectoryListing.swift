/// What was in a directory when it was listed: sorted by name, all names in one buffer, because a first
/// scan carries a million of them.
package struct DirectoryListing: Sendable {
  /// One name and what the disk said about it.
  package struct Entry: Sendable {
    fileprivate var nameStart: UInt32
    fileprivate var nameCount: UInt32
    /// The facts.
    package var facts: FileFacts
    /// Whether a writer had the file open, so that it does not count yet (S40).
    package var isBeingWritten: Bool
  }

  /// Which directory was listed, if that is known.
  package var identity: FileIdentity?
  private var names: [UInt8] = []
  /// The entries.
  package private(set) var entries: [Entry] = []

  /// How many bytes their names have: up to 4 GiB can be told apart.
  package var byteCount: Int { names.count }

  /// A listing without entries.
  package init() {}

  /// Adds an entry.
  package mutating func append(name: UnsafeRawBufferPointer, facts: FileFacts, isBeingWritten: Bool = false) {
    entries.append(
      Entry(
        nameStart: UInt32(names.count), nameCount: UInt32(name.count), facts: facts,
        isBeingWritten: isBeingWritten))
    names.append(contentsOf: name)
  }

  /// Brings the entries into the order of their names, which ``Reconciliation`` needs.
  package mutating func sort() {
    names.withUnsafeBytes { names in
      entries.sort { FileName.compare($0.bytes(in: names), $1.bytes(in: names)) < 0 }
    }
  }

  /// The name of an entry.
  package func name(of entry: Entry) -> FileName {
    names.withUnsafeBytes { FileName(entry.bytes(in: $0)) }
  }

  /// Less than 0, 0 or more, as the entry's name comes before, is, or comes after a name.
  func compare(_ entry: Entry, to name: FileName) -> Int {
    names.withUnsafeBytes { names in
      name.bytes.withUnsafeBytes { FileName.compare(entry.bytes(in: names), $0) }
    }
  }
}

extension DirectoryListing.Entry {
  fileprivate func bytes(in names: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: names[Int(nameStart)..<Int(nameStart + nameCount)])
  }
}
