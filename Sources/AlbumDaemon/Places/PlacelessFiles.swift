internal import EventLoop
internal import Glibc
internal import LibraryIO
internal import Linux
internal import PictureAPI

/// Files for apps that do not learn where pictures were taken (S56): copies in which that is overwritten, or the very file,
/// where it is known to say no place. Never anything of which that is not known.
@EventLoopActor
final class PlacelessFiles {
  /// Why there is none.
  enum Failure: Error {
    /// It cannot be followed, or changes all the time.
    case cannotBeRemoved
    /// The user has too many copies, or the readers too much to do.
    case busy
  }

  private let pictures: PicturePool
  private let copies: HandedCopies
  private let findings: PlaceFindings
  private let directory: String
  private let room: StateRoom
  private var sharing = BlockSharing()
  private var threads: [UInt32: CopyingThread] = [:]
  /// How many are being made for each user.
  private var making: [UInt32: Int] = [:]

  /// Copies of more bytes than that are on the disk.
  private static let mostInMemory = 8 << 20
  /// So many one user waits for at a time.
  private static let mostWaiting = 64

  /// - Parameter directory: where copies are that are too large for memory.
  init(
    pictures: PicturePool, copies: HandedCopies, findings: PlaceFindings, directory: String, room: StateRoom
  ) {
    self.pictures = pictures
    self.copies = copies
    self.directory = directory
    self.room = room
    self.findings = findings
  }

  /// What an app gets for an open file.
  ///
  /// - Parameters:
  ///   - original: holds the one descriptor. Where its file system may not answer, all that waits for it is
  ///     done on the user's thread.
  ///   - name: which file it is.
  ///   - user: against whom it counts.
  /// - Returns: one descriptor for reading: the batch itself, where the file is known to say no place.
  /// - Throws: ``Failure``, or why it cannot be copied.
  func file(
    for original: DescriptorBatch, _ name: PlaceFindings.File, of user: UInt32
  ) async throws -> DescriptorBatch {
    guard making[user, default: 0] < Self.mostWaiting else { throw Failure.busy }
    making[user, default: 0] += 1
    defer { making[user] = making[user].flatMap { $0 > 1 ? $0 - 1 : nil } }
    let version = try await version(of: original, user)
    let isSettled = version.isSettled(at: RealTime.microseconds)
    let finding = isSettled ? findings.finding(in: version, of: name, by: user) : nil
    switch finding {
    case .untraceable: throw Failure.cannotBeRemoved
    case .overwrite(let overwritings) where overwritings.isEmpty: return original
    case .overwrite, nil: break
    }
    // Before anything takes its time: what is asked for meanwhile counts as well.
    let (copy, reservation) = try await self.copy(of: original, version, user)
    // What is known is so of these bytes only.
    let overwritings: [Overwriting]
    if case .overwrite(let those) = finding, copy.version == version {
      overwritings = those
    } else {
      overwritings = try await find(in: copy, name, user)
      if overwritings.isEmpty, copy.wasSettled, let version = copy.version,
        try await self.version(of: original, user) == version
      {
        return original
      }
    }
    try await run(for: user) { try copy.finish(overwritings) }
    let descriptor = try PrivateCopy.reopened(copy.reader.number)
    try copies.note(copy.reader.number, reservation)
    return DescriptorBatch(owning: [descriptor.take()])
  }

  /// Which bytes it has.
  private func version(of file: DescriptorBatch, _ user: UInt32) async throws -> FileVersion {
    guard let number = file.number(0) else { throw Failure.cannotBeRemoved }
    guard file.mayWait(0) else { return try FileVersion(number) }
    defer { withExtendedLifetime(file) {} }
    return try await run(for: user) { try FileVersion(number) }
  }

  /// On the disk where it shares the blocks of the original; else in memory if it is small.
  private func copy(
    of file: DescriptorBatch, _ version: FileVersion, _ user: UInt32
  ) async throws -> (PrivateCopy, HandedCopies.Reservation) {
    let byteCount = Int(version.byteCount)
    if sharing.isWorthTrying(version),
      let reservation = copies.reserve(byteCount, mostInMemory: 0, for: user)
    {
      do {
        let copy = try await self.copy(of: file, reservation, user)
        sharing.note(copy.isShared, of: version)
        return (copy, reservation)
      } catch {
        guard byteCount <= Self.mostInMemory else { throw error }
        // A full disk may have room again.
        if !error.isNoSpace { sharing.note(false, of: version) }
      }
    }
    guard let reservation = copies.reserve(byteCount, mostInMemory: Self.mostInMemory, for: user)
    else { throw Failure.busy }
    return (try await copy(of: file, reservation, user), reservation)
  }

  private func copy(
    of file: DescriptorBatch, _ reservation: HandedCopies.Reservation, _ user: UInt32
  ) async throws -> PrivateCopy {
    guard let number = file.number(0) else { throw Failure.cannotBeRemoved }
    defer { withExtendedLifetime(file) {} }
    let place = PrivateCopy.Place(
      isInMemory: reservation.isInMemory, mostBytes: reservation.byteCount, directory: directory, room: room)
    return try await run(for: user) { try PrivateCopy(of: number, in: place) }
  }

  /// Looks through a copy, which nobody else can change.
  private func find(
    in copy: PrivateCopy, _ name: PlaceFindings.File, _ user: UInt32
  ) async throws -> [Overwriting] {
    let outcome = await pictures.answer(
      to: PicturesInterface.FindPlaces.self, .init(fileDescriptor: 0), about: copy.reader.number,
      .places(for: .user(user))
    ) { $0.map(\.reply.overwritings) }
    // What was found in what did not change meanwhile is found for good.
    let version = copy.wasSettled ? copy.version : nil
    switch outcome {
    case .success(let text):
      guard let bytes = OverwritingBytes.bytes(of: text),
        let overwritings = OverwritingBytes.decode(bytes, fileSize: copy.byteCount)
      else { throw Failure.cannotBeRemoved }
      if let version { findings.note(.overwrite(overwritings), in: version, of: name, by: user) }
      return overwritings
    case .failure(.busy): throw Failure.busy
    case .failure(.unavailable): throw Failure.cannotBeRemoved
    case .failure(.unreadable), .failure(.broke):
      if let version { findings.note(.untraceable, in: version, of: name, by: user) }
      throw Failure.cannotBeRemoved
    }
  }

  // MARK: Threads

  /// One for each user: whose disk does not answer holds up nobody else.
  private final class CopyingThread {
    let thread = SerialThread()
    var users = 0
  }

  private func run<Value: Sendable>(
    for user: UInt32, _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let thread = threads[user] ?? CopyingThread()
    threads[user] = thread
    thread.users += 1
    defer {
      thread.users -= 1
      if thread.users == 0 { threads[user] = nil }
    }
    return try await thread.thread.run(body)
  }
}
