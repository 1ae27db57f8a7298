internal import CLinux
internal import Glibc
internal import LibraryModel
internal import Linux
internal import Synchronization

/// Lists directories on a thread of its own: getdents64(2) and a statx(2) for every name that counts.
///
/// Jobs go in from any thread and are done in order; results are given to `deliver` on the lister's thread.
final class DirectoryLister: Sendable {
  /// What came of a job.
  enum Result: Sendable {
    /// - Parameter isWhole: whether every name could be looked at.
    case listing(DirectoryListing, isWhole: Bool)
    case failed(SystemError)
    /// Its root does not answer, or is not there.
    case offline
  }

  private struct Job {
    var directory: DirectoryID
    var descriptor: CInt
    var flagsKnown: Int64
  }

  private struct State {
    var jobs: [Job] = []
    var isStopped = false
  }

  private let state = Mutex(State())
  private let signal: WakeSignal
  private let volumes: Volumes
  private let deliver: @Sendable (DirectoryID, Result) -> Void

  /// Starts the thread.
  init(_ volumes: Volumes, deliver: @escaping @Sendable (DirectoryID, Result) -> Void) throws(SystemError) {
    self.deliver = deliver
    self.volumes = volumes
    signal = try WakeSignal()
    // The thread keeps the lister until ``stop()``.
    guard runDetached({ [self] in work() }) else { throw SystemError("pthread_create", code: EAGAIN) }
  }

  /// Lists a directory that is open for reading.
  ///
  /// - Parameter flagsKnown: of what has not changed since, what it says beside its content is known.
  func list(_ directory: DirectoryID, _ descriptor: consuming OwnedDescriptor, flagsKnown: Int64) {
    let number = descriptor.take()
    state.withLock { $0.jobs.append(Job(directory: directory, descriptor: number, flagsKnown: flagsKnown)) }
    signal.wake()
  }

  /// Ends the thread when it is done with its present job.
  func stop() {
    state.withLock { $0.isStopped = true }
    signal.wake()
  }

  private func work() {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 8)
    defer { buffer.deallocate() }
    while true {
      let (jobs, isStopped) = state.withLock { state in
        defer { state.jobs.removeAll() }
        return (state.jobs, state.isStopped)
      }
      for job in jobs {
        let descriptor = OwnedDescriptor(owning: job.descriptor)
        if !isStopped {
          deliver(job.directory, Self.list(descriptor.number, volumes, buffer, flagsKnown: job.flagsKnown))
        }
      }
      if isStopped { return }
      guard jobs.isEmpty else { continue }
      signal.wait()
    }
  }

  /// What no directory holds: a file system that tells more never comes to an end, or has no room in memory.
  struct Bounds {
    /// How many names there may be, whether they count or not.
    var names = 4_000_000
    /// How many bytes the names that count may have together.
    var bytes = 128 << 20
  }

  /// Lists an open directory.
  ///
  /// - Parameters:
  ///   - buffer: where getdents64(2) writes to.
  ///   - flagsKnown: of what has not changed since, what it says beside its content is known: nanoseconds since 1970.
  ///   - bounds: beyond them it fails with EOVERFLOW.
  ///   - progress: called after each name.
  ///   - readFlags: reads what a file says.
  static func list(
    _ directory: CInt, _ volumes: Volumes, _ buffer: UnsafeMutableRawBufferPointer, flagsKnown: Int64,
    bounds: Bounds = Bounds(), progress: () -> Void = {},
    readFlags: @escaping ReadFlags = { FileAttributes.read($0, in: $1) }
  ) -> Result {
    var listing = DirectoryListing()
    var raw = linux_facts()
    guard linux_look(directory, "", &raw) == 0 else { return .failed(SystemError("statx")) }
    let volume: VolumeNumber
    do throws(SystemError) { volume = try volumes.number(of: raw, in: directory, "") } catch {
      return .failed(error)
    }
    listing.identity = FileFacts(raw, on: volume).identity
    let place = Place(
      directory: directory, device: raw.device, volume: volume, volumes: volumes, flagsKnown: flagsKnown,
      isServed: volumes.isServed(raw), keepsFlags: FileAttributes.areKept(in: directory),
      readFlags: readFlags)
    var isWhole = true
    var nameCount = 0
    let now = RealTime.nanoseconds
    while true {
      let count = linux_getdents(directory, buffer.baseAddress, buffer.count)
      if count == 0 { break }
      // ENOENT: the directory was removed while it was open; what was seen is then of no use to anyone.
      guard count > 0 else { return .failed(SystemError("getdents64")) }
      var offset = 0
      while offset < count {
        let record = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[offset..<count])
        offset += Int(record.loadUnaligned(fromByteOffset: 16, as: UInt16.self))
        nameCount += 1
        guard nameCount <= bounds.names, listing.byteCount <= bounds.bytes else {
          return .failed(SystemError("getdents64", code: EOVERFLOW))
        }
        if !add(record, in: place, to: &listing, now: now) { isWhole = false }
        progress()
      }
    }
    listing.sort()
    findCase(listing, in: place)
    return .listing(listing, isWhole: isWhole)
  }

  /// By the first name: before an event tells of one that somebody spelled otherwise.
  private static func findCase(_ listing: DirectoryListing, in place: Place) {
    guard place.volumes.caseCounts(on: place.device) == nil else { return }
    let names = listing.entries.lazy.map(listing.name)
    guard let first = names.first(where: { $0.inOtherCase != nil }) else { return }
    _ = place.volumes.findCase(
      first, on: place.device, in: place.directory, isServed: place.isServed
    ) { names.contains($0) }
  }

  /// What is listed.
  private struct Place {
    let directory: CInt
    let device: UInt64
    let volume: VolumeNumber
    let volumes: Volumes
    let flagsKnown: Int64
    /// Whether a process serves it: names are asked for anew then (race 39).
    let isServed: Bool
    let keepsFlags: Bool
    let readFlags: ReadFlags
  }

  /// Reads what a file says beside its content, by its name in a directory.
  typealias ReadFlags = (UnsafePointer<CChar>, CInt) -> FileAttributes.Reading

  /// A `struct linux_dirent64`: inode, offset, length, type, then the name.
  ///
  /// - Returns: whether it could be looked at.
  private static func add(
    _ record: UnsafeRawBufferPointer, in place: Place, to listing: inout DirectoryListing, now: Int64
  ) -> Bool {
    guard let start = record.baseAddress?.advanced(by: 19).assumingMemoryBound(to: CChar.self) else {
      return true
    }
    let name = UnsafeRawBufferPointer(start: start, count: strlen(start))
    guard name.first != UInt8(ascii: ".") else { return true }
    let type = CInt(record[18])
    let mayBeDirectory = type == 4 || type == 0  // DT_DIR, DT_UNKNOWN
    let mayBeFile = (type == 8 || type == 0) && FileName.countsAsFile(name)  // DT_REG
    guard mayBeDirectory || mayBeFile else { return true }
    var raw = linux_facts()
    var isRead = true
    // A name that has gone since has an event of its own.
    let look = place.isServed ? linux_look_anew : linux_look
    guard look(place.directory, start, &raw) == 0 else { return errno == ENOENT }
    switch raw.kind {
    case .directory:
      // What is mounted there, or a subvolume.
      let isOther = raw.device != place.device
      guard
        let volume = isOther ? try? place.volumes.number(of: raw, in: place.directory, start) : place.volume
      else { return false }
      listing.append(name: name, facts: FileFacts(raw, on: volume))
    case .regular where mayBeFile:
      let isBeingWritten = isBeingWritten(start, place.directory, &raw, now: now)
      // What has become something else has an event of its own as well.
      guard raw.kind == .regular else { break }
      var facts = FileFacts(raw, on: place.volume)
      facts.isServed = place.isServed
      if facts.changed > place.flagsKnown, FileName.countsAsAsset(name) {
        switch place.keepsFlags ? place.readFlags(start, place.directory) : .notKept {
        case .flags(let flags): facts.flags = flags
        case .notKept: facts.mayTellFlags = false
        case .unreadable: break
        // It is asked for again: nothing need have changed about it when it can be read.
        case .failed: isRead = false
        }
      }
      listing.append(name: name, facts: facts, isBeingWritten: isBeingWritten)
    case .regular, .other: break
    }
    return isRead
  }

  /// Only what changed in the last minute is asked about: a writer that has kept a file open for longer,
  /// without writing, will close it and be heard then.
  ///
  /// - Parameter facts: what was read before; of a file that is whole, read anew: whoever wrote it may have closed
  ///   it since, and what was read was half a file (S40).
  private static func isBeingWritten(
    _ name: UnsafePointer<CChar>, _ directory: CInt, _ facts: inout linux_facts, now: Int64
  ) -> Bool {
    guard facts.changed > now - 60_000_000_000, facts.links == 1 else { return false }
    let check = WriterCheck(of: name, in: directory)
    switch check.result {
    case .complete: break
    case .unknown(let quiet) where quiet >= WriterEvidence.quiet: break
    case .beingWritten, .unknown: return true
    }
    facts = check.facts
    return false
  }
}
