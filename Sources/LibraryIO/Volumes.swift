internal import CLinux
internal import Glibc
internal import LibraryModel
internal import Linux
internal import Synchronization

/// Which volume a directory is on, by the number that the index has for it. The file system is asked once for each mount
/// (``VolumeProbe``); after that, what statx(2) says of every file tells.
///
/// Any thread may ask.
final class Volumes: Sendable {
  /// What tells one mounted volume from another while this process lives.
  struct Mark: Hashable {
    let device: UInt64
    let mount: UInt64
    let subvolume: UInt64
    /// Whether no later mount can have the same (Linux 6.8).
    let isUnique: Bool

    init(_ facts: linux_facts) {
      device = facts.device
      mount = facts.mount
      subvolume = facts.subvolume
      isUnique = facts.is_mount_unique != 0
    }

    /// Whether the mount is there still, as the kernel says without asking it; nil where it does not say, as where another
    /// one may have the same number by now.
    var isMounted: Bool? {
      guard isUnique else { return nil }
      let answer = linux_is_mounted(mount)
      return answer < 0 ? nil : answer > 0
    }
  }

  /// An object, since it is looked at for every directory that is opened, and a mount is several strings.
  fileprivate final class Found: Sendable {
    let number: VolumeNumber
    /// The mount it was found in, to see whether it is still there without asking it.
    let mount: MountTable.Mount?

    init(number: VolumeNumber, mount: MountTable.Mount?) {
      self.number = number
      self.mount = mount
    }
  }

  fileprivate struct State {
    var numbers: [Volume: VolumeNumber] = [:]
    var volumes: [VolumeNumber: Volume] = [:]
    var found: [Mark: Found] = [:]
    /// Which was at a path when that was last looked at.
    var places: [[UInt8]: VolumeNumber] = [:]
    var unwritten: [NumberedVolume] = []
    /// Whether case counts in names, where that was found out.
    var caseCounts: [UInt64: Bool] = [:]
  }

  private let state = Mutex(State())

  // MARK: The index

  /// Begins with what the index has.
  func restore(_ volumes: [NumberedVolume]) {
    state.withLock { state in
      // What was found out and not written stays known: it is written with the next batch.
      let rest = state.volumes.filter { number, _ in !volumes.contains { $0.number == number } }
      state.unwritten = rest.map { NumberedVolume(number: $0, volume: $1) }.sorted {
        $0.number.rawValue < $1.number.rawValue
      }
      for volume in volumes {
        state.numbers[volume.volume] = volume.number
        state.volumes[volume.number] = volume.volume
      }
    }
  }

  /// Volumes that the index does not have: each to be written before what is on it.
  var unwritten: [NumberedVolume] { state.withLock(\.unwritten) }

  /// Those are written, and kept.
  func noteWritten(_ volumes: [NumberedVolume]) {
    state.withLock { state in state.unwritten.removeAll { volumes.contains($0) } }
  }

  /// A volume; `nil` for a number that stands for none.
  subscript(number: VolumeNumber) -> Volume? { state.withLock { $0.volumes[number] } }

  /// Whether two are subvolumes of one file system.
  func areOfOneFileSystem(_ one: VolumeNumber, _ other: VolumeNumber) -> Bool {
    guard let one = self[one], let other = self[other] else { return false }
    return one.fileSystem == other.fileSystem && one.copy == other.copy
  }

  /// Which volume was last at a path: of several that say the same of themselves, it is taken for that one.
  func expect(_ number: VolumeNumber, at path: [UInt8]) {
    state.withLock { $0.places[path] = number }
  }

  // MARK: The disk

  /// The kernel may use the numbers of mounts again, unless it says that it does not: those are forgotten when they have gone.
  func mountsChanged() {
    let gone = state.withLock { Array($0.found.keys) }.filter { !$0.isUnique || $0.isMounted == false }
    state.withLock { state in
      for mark in gone { state.found[mark] = nil }
      state.caseCounts = [:]
    }
  }

  /// How many mounts are remembered.
  var foundCount: Int { state.withLock { $0.found.count } }

  /// Whether case counts in the names of a device; nil where nobody has found out.
  func caseCounts(on device: UInt64) -> Bool? { state.withLock { $0.caseCounts[device] } }

  /// Finds out whether case counts, by a name that was just found in an open directory: where it does not, both cases of it
  /// are found, and one is not listed. That both have one number is not asked: some drivers number names.
  ///
  /// - Parameter isServed: whether a process serves it, which is asked itself then: what the kernel remembers of the other
  ///   name may be of another file (race 39).
  func findCase(
    _ name: FileName, on device: UInt64, in directory: CInt, isServed: Bool, isListed: (FileName) -> Bool
  ) -> Bool {
    if let known = caseCounts(on: device) { return known }
    guard let other = name.inOtherCase else { return true }
    var found = linux_facts()
    let look = isServed ? linux_look_anew : linux_look
    let isOther = withName(other) { look(directory, $0, &found) } == 0
    let (isNameListed, isOtherListed) = isOther ? (isListed(name), isListed(other)) : (true, true)
    // Neither: it has just gone.
    guard isNameListed || isOtherListed else { return true }
    let counts = !isOther || isNameListed && isOtherListed
    state.withLock { $0.caseCounts[device] = counts }
    return counts
  }

  /// Whether a process serves the file system of which statx(2) said this (fuse(4)), so that it is asked anew (race 39).
  /// One that was not found out yet counts as none.
  func isServed(_ facts: linux_facts) -> Bool {
    guard let type = state.withLock({ $0.found[Mark(facts)]?.mount })?.type else { return false }
    return type.starts(with: "fuse".utf8) || type.elementsEqual("virtiofs".utf8)
  }

  /// The volume that a directory is on.
  ///
  /// - Parameters:
  ///   - facts: what statx(2) said of it.
  ///   - name: its name in `directory`; empty for that itself.
  /// - Throws: ``SystemError``: it cannot be asked now, or another one is there by now (EAGAIN).
  func number(
    of facts: linux_facts, in directory: CInt, _ name: UnsafePointer<CChar>
  ) throws(SystemError) -> VolumeNumber {
    let mark = Mark(facts)
    if let known = state.withLock({ $0.found[mark]?.number }) { return known }
    let descriptor = try Self.open(name, in: directory)
    var now = linux_facts()
    guard linux_look(descriptor.number, "", &now) == 0 else { throw SystemError("statx") }
    guard Mark(now) == mark, now.inode == facts.inode else { throw SystemError("statx", code: EAGAIN) }
    let volume = try VolumeProbe(descriptor.number, now).volume
    let path = MountTable.path(of: descriptor.number) ?? []
    let mount = (try? MountTable.mount(of: descriptor.number)) ?? nil
    while true {
      // Only copies of it, if any: whatever else there is need not answer.
      let others = state.withLock { $0.copies(of: volume, notOn: mark.device) }
      let live = try others.isEmpty ? [] : live(others)
      let number = state.withLock { state -> VolumeNumber? in
        // Another thread may have found one at the same time: two would be taken for one.
        guard state.copies(of: volume, notOn: mark.device).mapValues(\.number) == others.mapValues(\.number)
        else {
          return nil
        }
        let number = state.number(of: volume, at: path, besides: live)
        // A device number is of one file system at a time.
        state.found = state.found.filter { $0.key.device != mark.device || $0.value.number == number }
        state.found[mark] = Found(number: number, mount: mount)
        state.places[path] = number
        return number
      }
      if let number { return number }
    }
  }

  /// The numbers of those that are mounted still.
  private func live(_ others: [Mark: Found]) throws(SystemError) -> Set<VolumeNumber> {
    let (lines, mounts) = (Set(try MountTable.mounts()), try Mounts())
    let there = others.filter { mark, other in
      if let isMounted = mark.isMounted { return isMounted }
      guard let mount = other.mount, lines.contains(mount) else { return false }
      return isLive(other.number, at: mount, mounts)
    }
    return Set(there.values.map(\.number))
  }

  /// Whether a volume is what is mounted now by a line of the mount table. The number of a mount, and that of a device, are
  /// given again: of two disks that change places each may have the other's line (race 37). So where the kernel itself does not
  /// say (``Mark/isMounted``) it is asked, where nobody has to wait for that; elsewhere, and where it does not say, the line
  /// counts.
  func isLive(_ number: VolumeNumber, at mount: MountTable.Mount, _ mounts: Mounts) -> Bool {
    let point = mount.point.isEmpty ? [UInt8(ascii: "/")] : mount.point
    guard let path = String(validating: point, as: UTF8.self), !mounts.mayHang(path),
      let directory = try? Self.open(path, in: AT_FDCWD),
      // What covers it says nothing of it.
      (try? MountTable.mount(of: directory.number)) == mount
    else { return true }
    var facts = linux_facts()
    guard linux_look(directory.number, "", &facts) == 0,
      let found = try? VolumeProbe(directory.number, facts).volume
    else { return true }
    return found.fileSystem == self[number]?.fileSystem
  }

  private static func open(_ name: UnsafePointer<CChar>, in directory: CInt) throws(SystemError)
    -> OwnedDescriptor
  {
    let flags = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let path: UnsafePointer<CChar> = name
    var result =
      name.pointee == 0 ? openat(directory, ".", O_RDONLY | flags) : openat(directory, path, O_RDONLY | flags)
    if result < 0, errno == EACCES || errno == EPERM {
      // Somebody else's: fstatfs(2) may still be asked.
      result =
        name.pointee == 0
        ? linux_openat2(directory, ".", UInt64(CInt(LINUX_O_PATH) | flags), 0, 0)
        : linux_openat2(directory, path, UInt64(CInt(LINUX_O_PATH) | flags), 0, 0)
    }
    return try OwnedDescriptor(result, call: "openat")
  }
}

extension Volumes.State {
  /// Those that say the same of themselves as a volume, and are mounted from elsewhere.
  fileprivate func copies(of volume: Volume, notOn device: UInt64) -> [Volumes.Mark: Volumes.Found] {
    found.filter { other in
      other.key.device != device && volumes[other.value.number]?.isCopy(of: volume) ?? false
    }
  }

  /// The number of a volume, a new one if need be.
  ///
  /// - Parameter live: those that are found elsewhere just now. What says the same of itself as one of them is its copy:
  ///   the one that it was the last time, if that is known.
  fileprivate mutating func number(
    of volume: Volume, at path: [UInt8], besides live: Set<VolumeNumber>
  ) -> VolumeNumber {
    if let last = places[path], !live.contains(last), volumes[last]?.isCopy(of: volume) ?? false {
      return last
    }
    var volume = volume
    while let known = numbers[volume] {
      if !live.contains(known) { return known }
      volume.copy += 1
    }
    let number = VolumeNumber(rawValue: (volumes.keys.map(\.rawValue).max() ?? 0) + 1)
    numbers[volume] = number
    volumes[number] = volume
    unwritten.append(NumberedVolume(number: number, volume: volume))
    return number
  }
}
