import LibraryModel

/// A disk in memory: inodes, names, hard links, and a clock. Paths are beneath the one root.
final class MemoryDisk: LibraryDisk {
  struct Inode {
    var identity: FileIdentity
    var isDirectory: Bool
    var byteCount: Int64 = 0
    var modified: Int64 = 0
    var changed: Int64 = 0
    var flags: AssetFlags?
    var children: [FileName: UInt64] = [:]
  }

  private(set) var inodes: [UInt64: Inode] = [:]
  let root: UInt64 = 1
  private var clock: Int64 = 1000

  init() {
    inodes[root] = Inode(identity: FileIdentity(volume: .test, inode: root, birthTime: 1), isDirectory: true)
  }

  var rootIdentity: FileIdentity { FileIdentity(volume: .test, inode: root, birthTime: 1) }

  // MARK: Operations, as system calls do them; false where they fail

  /// - Parameter reused: the number that a new file gets, of one that is gone.
  @discardableResult
  func write(_ path: String, _ content: Int64, reusing reused: UInt64? = nil) -> Bool {
    guard let (parent, name) = place(path) else { return false }
    clock += 1
    if let number = inodes[parent]?.children[name] {
      guard inodes[number]?.isDirectory == false else { return false }
      inodes[number]?.byteCount = content
      inodes[number]?.modified = clock
      inodes[number]?.changed = clock
      return true
    }
    let number = reused ?? UInt64(clock)
    inodes[number] = Inode(
      identity: FileIdentity(volume: .test, inode: number, birthTime: clock), isDirectory: false,
      byteCount: content,
      modified: clock, changed: clock)
    inodes[parent]?.children[name] = number
    return true
  }

  /// chmod(2); or a write of as many bytes as there are, and utimensat(2).
  func change(_ path: String) {
    clock += 1
    if let number = number(path) { inodes[number]?.changed = clock }
  }

  /// Time passes: nanoseconds.
  func pass(_ time: Int64) { clock += time }

  /// utimensat(2).
  func setModified(_ path: String, _ time: Int64) {
    change(path)
    if let number = number(path) { inodes[number]?.modified = time }
  }

  /// setxattr(2).
  ///
  /// - Parameter flags: nil where they cannot be read.
  func say(_ flags: AssetFlags?, of path: String) {
    change(path)
    if let number = number(path) { inodes[number]?.flags = flags }
  }

  @discardableResult
  func mkdir(_ path: String) -> Bool {
    guard let (parent, name) = place(path), inodes[parent]?.children[name] == nil else { return false }
    clock += 1
    let number = UInt64(clock)
    inodes[number] = Inode(
      identity: FileIdentity(volume: .test, inode: number, birthTime: clock), isDirectory: true)
    inodes[parent]?.children[name] = number
    return true
  }

  @discardableResult
  func link(_ path: String, _ other: String) -> Bool {
    guard let number = number(path), inodes[number]?.isDirectory == false, let (parent, name) = place(other),
      inodes[parent]?.children[name] == nil
    else { return false }
    inodes[parent]?.children[name] = number
    return true
  }

  /// rename(2): what is at the target, a file or an empty directory, is replaced.
  @discardableResult
  func rename(_ path: String, _ other: String) -> Bool {
    guard let (from, oldName) = place(path), let number = inodes[from]?.children[oldName],
      let (target, newName) = place(other), !isBeneath(target, number)
    else { return false }
    if let taken = inodes[target]?.children[newName] {
      if taken == number { return false }
      guard inodes[taken]?.isDirectory == inodes[number]?.isDirectory,
        inodes[taken]?.children.isEmpty ?? true
      else { return false }
    }
    inodes[from]?.children[oldName] = nil
    inodes[target]?.children[newName] = number
    return true
  }

  /// RENAME_EXCHANGE.
  @discardableResult
  func exchange(_ path: String, _ other: String) -> Bool {
    guard let (from, oldName) = place(path), let number = inodes[from]?.children[oldName],
      let (target, newName) = place(other), let second = inodes[target]?.children[newName],
      !isBeneath(target, number), !isBeneath(from, second)
    else { return false }
    inodes[from]?.children[oldName] = second
    inodes[target]?.children[newName] = number
    return true
  }

  /// Removes a name, with all beneath it.
  @discardableResult
  func remove(_ path: String) -> Bool {
    guard let (parent, name) = place(path) else { return false }
    return inodes[parent]?.children.removeValue(forKey: name) != nil
  }

  // MARK: Mounts

  /// A name in a directory, by that one's number.
  private struct Name: Hashable {
    let parent: UInt64
    let name: FileName
  }

  /// What is beneath mounts: by the names that those cover.
  private var covered: [Name: UInt64] = [:]

  /// `mount --bind`: a directory is there under a second name as well, over what is there.
  func bind(_ path: String, over other: String) {
    guard let number = number(path), let (parent, name) = place(other) else { return }
    covered[Name(parent: parent, name: name)] = inodes[parent]?.children[name]
    inodes[parent]?.children[name] = number
  }

  /// umount(8).
  func unbind(_ path: String) {
    guard let (parent, name) = place(path) else { return }
    inodes[parent]?.children[name] = covered.removeValue(forKey: Name(parent: parent, name: name))
  }

  // MARK: Looking

  /// Which file or directory has a number, as statx(2) says it.
  func identity(_ number: UInt64) -> FileIdentity? { facts(number)?.identity }

  /// Every directory that can be reached, by inode.
  var directories: Set<UInt64> {
    var found: Set<UInt64> = []
    var open = [root]
    while let number = open.popLast() {
      found.insert(number)
      open += inodes[number]?.children.values.filter { inodes[$0]?.isDirectory == true } ?? []
    }
    return found
  }

  /// Every path of a regular file, with its inode.
  var files: [String: UInt64] {
    var found: [String: UInt64] = [:]
    var open = [(root, "")]
    while let (number, path) = open.popLast() {
      for (name, child) in inodes[number]?.children ?? [:] {
        let childPath = path.isEmpty ? name.description : "\(path)/\(name)"
        if inodes[child]?.isDirectory == true {
          open.append((child, childPath))
        } else {
          found[childPath] = child
        }
      }
    }
    return found
  }

  func look(at location: Location, in tree: DirectoryTree) -> DiskAnswer {
    lookCount += 1
    if isOffline(location.directory, in: tree) { return .offline }
    if let isSlow, isSlow(location) { return .unknown }
    guard let directory = directory(location.directory, in: tree) else { return .unknown }
    if let isAway, location.name.countsAsFile, isAway(location) {
      missed.insert(location)
      return .absent
    }
    let children = inodes[directory]?.children ?? [:]
    let other = ignoresCase ? children.first { $0.key.lowercased == location.name.lowercased }?.value : nil
    guard var facts = (children[location.name] ?? other).flatMap(facts) else { return .absent }
    facts.isMount = covered[Name(parent: directory, name: location.name)] != nil
    return .found(facts)
  }

  /// Whether a look at a file takes too long for anybody to wait.
  var isSlow: ((Location) -> Bool)?
  /// Whether a file is away just when it is looked for: renamed to something else, and back.
  var isAway: ((Location) -> Bool)?
  /// The names of which that was said.
  var missed: Set<Location> = []

  /// The album at the top of which the file system is not there.
  var offline: String?

  private func isOffline(_ id: DirectoryID, in tree: DirectoryTree) -> Bool {
    tree.isAway(id) || offline.map { tree.path(of: id)?.first == FileName($0) } ?? false
  }

  /// Whether a name stands for what is there under it in another case.
  var ignoresCase = false
  /// Whether files tell of one link only: of several names, the others are those of a second mount.
  var hasMounts = false
  /// What some inodes say that they are: those of a snapshot have the numbers and births of others on another volume.
  var snapshots: [UInt64: FileIdentity] = [:]
  /// Whether files can say anything beside their content.
  var keepsFlags = true
  /// How often a name was looked at.
  private(set) var lookCount = 0
  /// Whether inodes have birth times.
  var hasBirthTimes = true
  /// In which steps times are counted; 1 where each is another.
  var timeStep: Int64 = 1

  private func inSteps(_ time: Int64) -> Int64 { timeStep == 1 ? time : (time / timeStep + 1) * timeStep }

  /// A mount: what is there says another number of itself, which may have been another's.
  ///
  /// - Parameter numbers: a number for each of those given, of files and directories.
  func renumber(_ numbers: [UInt64: UInt64]) {
    for (inode, number) in numbers {
      guard let identity = inodes[inode]?.identity else { continue }
      snapshots[inode] = FileIdentity(volume: .test, inode: number, birthTime: identity.birthTime)
    }
  }

  /// All of them, but the root: numbers as there were, given in another order.
  func renumber(_ random: inout some RandomNumberGenerator) {
    let all = inodes.keys.filter { $0 != root }.sorted()
    renumber(Dictionary(uniqueKeysWithValues: zip(all, all.shuffled(using: &random))))
  }

  /// The paths that someone is writing to.
  var written: Set<String> = []
  /// What is said of other files than those.
  var closed = Completeness.complete

  func completeness(of location: Location, in tree: DirectoryTree) -> Completeness {
    let names = (tree.path(of: location.directory) ?? []) + [location.name]
    return written.contains(names.map(\.description).joined(separator: "/")) ? .beingWritten : closed
  }

  /// What the lister gives: names that count, and what is there. Nil when the directory is not where the tree has it.
  func listing(of id: DirectoryID, in tree: DirectoryTree) -> DirectoryListing? {
    guard !isOffline(id, in: tree), let directory = directory(id, in: tree) else { return nil }
    var listing = DirectoryListing()
    listing.identity = id.isRoot ? rootIdentity : facts(directory)?.identity
    for (name, child) in inodes[directory]?.children ?? [:] {
      guard var facts = facts(child),
        facts.kind == .directory ? name.countsAsAlbum : name.countsAsFile
      else { continue }
      facts.isMount = covered[Name(parent: directory, name: name)] != nil
      let isBeingWritten = facts.linkCount == 1 && completeness(of: Location(id, name), in: tree) != .complete
      name.bytes.withUnsafeBytes {
        listing.append(name: $0, facts: facts, isBeingWritten: isBeingWritten)
      }
    }
    listing.sort()
    return listing
  }

  private func facts(_ number: UInt64) -> FileFacts? {
    inodes[number].map { inode in
      let links = inodes.values.reduce(0) { $0 + $1.children.values.count { $0 == number } }
      let own = snapshots[number] ?? inode.identity
      let identity = FileIdentity(
        volume: own.volume, inode: own.inode, birthTime: hasBirthTimes ? inSteps(own.birthTime) : 0)
      var facts = FileFacts(
        kind: inode.isDirectory ? .directory : .regular, identity: identity,
        byteCount: inode.byteCount, modified: inSteps(inode.modified),
        linkCount: hasMounts ? 1 : UInt32(links))
      facts.changed = inode.changed
      facts.flags = keepsFlags ? inode.flags : nil
      facts.mayTellFlags = keepsFlags
      return facts
    }
  }

  private func directory(_ id: DirectoryID, in tree: DirectoryTree) -> UInt64? {
    guard let path = tree.path(of: id) else { return nil }
    var number = root
    for name in path {
      guard let next = inodes[number]?.children[name], inodes[next]?.isDirectory == true else { return nil }
      number = next
    }
    return id.isRoot || facts(number)?.identity == tree[id]?.identity ? number : nil
  }

  func number(_ path: String) -> UInt64? {
    place(path).flatMap { inodes[$0.parent]?.children[$0.name] }
  }

  /// Where a path leads: the directory, and the name in it.
  func place(_ path: String) -> (parent: UInt64, name: FileName)? {
    var number = root
    let names = path.split(separator: "/").map { FileName(String($0)) }
    for name in names.dropLast() {
      guard let next = inodes[number]?.children[name], inodes[next]?.isDirectory == true else { return nil }
      number = next
    }
    return names.last.map { (number, $0) }
  }

  private func isBeneath(_ number: UInt64, _ ancestor: UInt64) -> Bool {
    if number == ancestor { return true }
    return inodes[ancestor]?.children.values.contains { isBeneath(number, $0) } ?? false
  }
}

extension FileName {
  fileprivate var lowercased: String { description.lowercased() }
}

extension VolumeNumber {
  /// The one that all of a disk in memory is on.
  static let test = VolumeNumber(rawValue: 1)
}
