internal import CLinux
internal import Digests
internal import Glibc
package import LibraryModel
internal import Linux
internal import Synchronization

/// A file whose content is hashed in turns, on a thread: so that nothing else waits for a long one, and it for nobody (S96).
///
/// A hash counts for one version of the file: for all of it that the kernel says, `st_ctime` included, before the first
/// byte is read and after the last, with nobody having it open for writing at either moment. What was changed only a moment
/// ago is not read yet: a clock that ticks coarsely would show the same time for what is written next.
package final class HashingFile: Sendable {
  /// What became of a turn.
  package enum Outcome: Hashable, Sendable {
    /// It is done.
    case hashed(ContentHash)
    /// There is more to read.
    case paused
    /// It is written to, was a moment ago, or is not what the index has: later.
    case unsettled
    /// It was changed too short a time ago for a file of which nobody can tell whether it is written to: later, and not soon.
    case unsure
    /// It is mostly holes, and so large that others would wait for nothing.
    case sparse
    /// It cannot be read.
    case failed(CInt)
  }

  /// What is read at once.
  package static let sliceBytes = 256 << 10
  /// What is read in one turn.
  package static let turnBytes: Int64 = 256 << 20
  /// More than so many bytes of holes, and it is not hashed.
  package static let mostHoleBytes: Int64 = 1 << 30
  /// For so long its status must not have changed: FAT keeps times of two seconds.
  package static let settlesAfter = Duration.seconds(2)
  /// The same where the kernel does not say whether anybody has it open for writing: the daemon does not own it, or its file
  /// system has no leases. It is longer than what is written through a mapping waits for its way to the disk, after which the
  /// next write has another time (`vm.dirty_expire_centisecs`, 30 seconds).
  package static let settlesUnsureAfter = Duration.seconds(60)

  private struct State {
    let hash = SHA256()
    var position: Int64 = 0
    var version: ReadFile.Version?
  }

  /// What the index has.
  private let asset: Asset
  private let settlesAfter: Duration
  private let settlesUnsureAfter: Duration
  private let state = Mutex(State())
  private let read = Atomic<Int64>(0)
  private let isEnded = Atomic(false)

  /// - Parameter asset: whose file it is, as it was when that was opened.
  package init(
    of asset: Asset, settlesAfter: Duration = HashingFile.settlesAfter,
    settlesUnsureAfter: Duration = HashingFile.settlesUnsureAfter
  ) {
    self.asset = asset
    self.settlesAfter = settlesAfter
    self.settlesUnsureAfter = settlesUnsureAfter
  }

  /// How many bytes were read so far: whoever waits sees by that whether it goes on. Any thread may ask.
  package var progress: Int64 { read.load(ordering: .relaxed) }

  /// The turn that is under way ends early, and comes to nothing. Any thread may say so.
  package func end() { isEnded.store(true, ordering: .relaxed) }

  /// Whether it takes more than one turn.
  package static func isLong(_ asset: Asset) -> Bool { asset.byteCount > turnBytes }

  /// Reads on, at most ``turnBytes``, on a thread of the caller's that may wait for the disk for as long as it takes. It reads half
  /// of the time at most, and only what no one else wants to read meanwhile.
  ///
  /// - Parameter file: opened for this turn, so that between two nothing is: a disk can be unmounted, and what is deleted
  ///   makes room.
  package func turn(_ file: HeldFile) -> Outcome {
    linux_read_when_idle()
    return state.withLock { state in
      do throws(SystemError) {
        if let outcome = try check(file, &state) { return outcome }
        if try readOn(file, &state) { return .paused }
        // All of it, whatever a file system says where it ends.
        guard state.position == asset.byteCount, let version = state.version else { return .unsettled }
        if let outcome = try unsettled(file, as: version) { return outcome }
      } catch { return .failed(error.code) }
      return state.hash.finalize().withUnsafeBytes { ContentHash(bytes: $0) }.map(Outcome.hashed)
        ?? .unsettled
    }
  }

  // MARK: Whether it may be read

  /// Whether it is still what it was; nil where it may be read.
  private func check(_ file: HeldFile, _ state: inout State) throws(SystemError) -> Outcome? {
    if let version = state.version { return try look(file) == version ? nil : .unsettled }
    let version = try look(file)
    guard version.identity == asset.identity, version.byteCount == asset.byteCount,
      version.modified == asset.modified, hasRested(version, for: settlesAfter)
    else { return .unsettled }
    if let outcome = try unsettled(file, as: version) { return outcome }
    // Most are smaller, and need not be asked.
    if version.byteCount > Self.mostHoleBytes,
      linux_hole_bytes(file.number, version.byteCount, Self.mostHoleBytes) > Self.mostHoleBytes
    {
      return .sparse
    }
    state.version = version
    return nil
  }

  private func look(_ file: HeldFile) throws(SystemError) -> ReadFile.Version {
    try ReadFile.Version(file.number, on: asset.identity.volume)
  }

  /// Whether it changed long enough ago, by a clock that may have been set meanwhile.
  private func hasRested(_ version: ReadFile.Version, for time: Duration) -> Bool {
    let (age, overflows) = RealTime.nanoseconds.subtractingReportingOverflow(version.changed)
    return overflows || age.magnitude >= UInt64(time.microseconds) * 1000
  }

  /// Why it does not count as what it was seen as; nil where it does.
  private func unsettled(_ file: HeldFile, as version: ReadFile.Version) throws(SystemError) -> Outcome? {
    switch linux_is_open_for_writing(file.number) {
    case 0: break
    case 1: return .unsettled
    default: guard hasRested(version, for: settlesUnsureAfter) else { return .unsure }
    }
    return try look(file) == version ? nil : .unsettled
  }

  // MARK: Reading

  /// - Returns: whether there is more.
  private func readOn(_ file: HeldFile, _ state: inout State) throws(SystemError) -> Bool {
    linux_leave_access_time(file.number)
    posix_fadvise(file.number, 0, 0, CInt(POSIX_FADV_SEQUENTIAL))
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.sliceBytes, alignment: 4096)
    defer { buffer.deallocate() }
    let end = min(asset.byteCount, state.position + Self.turnBytes)
    while state.position < end, !isEnded.load(ordering: .relaxed) {
      let began = Clock.monotonic
      let wanted = Int(min(Int64(buffer.count), end - state.position))
      let count = pread(file.number, buffer.baseAddress, wanted, off_t(state.position))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError("pread") }
      // It was cut off.
      guard count > 0 else { return false }
      state.hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      // What others read stays in memory, and this does not push it out.
      posix_fadvise(file.number, off_t(state.position), off_t(count), CInt(POSIX_FADV_DONTNEED))
      state.position += Int64(count)
      read.add(Int64(count), ordering: .relaxed)
      // As long as it took, others have the disk and the processor for themselves.
      usleep(UInt32(clamping: min(Clock.monotonic - began, Self.longestPause)))
    }
    return state.position < asset.byteCount && !isEnded.load(ordering: .relaxed)
  }

  private static let longestPause: UInt64 = 100_000
}
