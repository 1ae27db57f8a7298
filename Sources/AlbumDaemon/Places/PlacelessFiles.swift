internal import EventLoop
internal import Glibc
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
  private var threads: [UInt32: CopyingThread] = [:]

  /// Copies of more bytes than that are on the disk.
  private static let mostInMemory = 8 << 20

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
  ///   - name: which file it is.
  ///   - user: against whom it counts.
  /// - Returns: a descriptor for reading; the caller has to close it.
  /// - Throws: ``Failure``, or why it cannot be copied.
  func descriptor(
    for original: consuming OwnedDescriptor, _ name: PlaceFindings.File, of user: UInt32
  ) async throws -> CInt {
    let version = try FileVersion(original.number)
    let isSettled = version.isSettled(at: RealTime.microseconds)
    let finding = isSettled ? findings.finding(in: version, of: name) : nil
    switch finding {
    case .untraceable: throw Failure.cannotBeRemoved
    case .overwrite(let overwritings) where overwritings.isEmpty: return original.take()
    case .overwrite, nil: break
    }
    guard let memory = copies.room(for: user, byteCount: Int(version.byteCount)) else { throw Failure.busy }
    let place = PrivateCopy.Place(
      mostInMemory: min(Self.mostInMemory, memory), directory: directory, room: room)
    let file = OpenFile(original)
    let copy = try await run(for: user) { try PrivateCopy(of: file.descriptor, in: place) }
    // What is known is so of these bytes only.
    let overwritings: [Overwriting]
    if case .overwrite(let those) = finding, copy.version == version {
      overwritings = those
    } else {
      overwritings = try await find(in: copy, name)
    }
    try await run(for: user) { try copy.finish(overwritings) }
    let descriptor = try PrivateCopy.reopened(copy.reader.number)
    try copies.note(copy, of: user)
    return descriptor.take()
  }

  /// The same of a file whose file system may not answer: all that waits for it, its close(2) too, is the user's thread.
  ///
  /// - Parameter byteCount: as the index has it.
  func descriptor(
    forApart original: consuming OwnedDescriptor, byteCount: Int64, _ name: PlaceFindings.File,
    of user: UInt32
  ) async throws -> CInt {
    let number = original.take()
    guard let memory = copies.room(for: user, byteCount: Int(byteCount)) else {
      ThreadReserve.shared.run { _ = OwnedDescriptor(owning: number) }
      throw Failure.busy
    }
    let place = PrivateCopy.Place(
      mostInMemory: min(Self.mostInMemory, memory), directory: directory, room: room)
    let copy = try await run(for: user) {
      let file = OwnedDescriptor(owning: number)
      return try PrivateCopy(of: file, in: place)
    }
    let overwritings = try await find(in: copy, name)
    try await run(for: user) { try copy.finish(overwritings) }
    let descriptor = try PrivateCopy.reopened(copy.reader.number)
    try copies.note(copy, of: user)
    return descriptor.take()
  }

  /// Looks through a copy, which nobody else can change.
  private func find(in copy: PrivateCopy, _ name: PlaceFindings.File) async throws -> [Overwriting] {
    let outcome: Result<String, PictureFailure> = await withCheckedContinuation { continuation in
      pictures.ask(
        PicturesInterface.FindPlaces.self, .init(fileDescriptor: 0), about: copy.reader.number, .shown
      ) { outcome in continuation.resume(returning: outcome.map(\.reply.overwritings)) }
    }
    // What was found in what did not change meanwhile is found for good.
    let version = copy.version.flatMap { $0.isSettled(at: RealTime.microseconds) ? $0 : nil }
    switch outcome {
    case .success(let text):
      guard let bytes = OverwritingBytes.bytes(of: text),
        let overwritings = OverwritingBytes.decode(bytes, fileSize: copy.byteCount)
      else { throw Failure.cannotBeRemoved }
      if let version { findings.note(.overwrite(overwritings), in: version, of: name) }
      return overwritings
    case .failure(.busy): throw Failure.busy
    case .failure(.unavailable): throw Failure.cannotBeRemoved
    case .failure(.unreadable), .failure(.broke):
      if let version { findings.note(.untraceable, in: version, of: name) }
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

/// An open file that is handed to another thread.
private final class OpenFile: Sendable {
  let descriptor: OwnedDescriptor

  init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }
}
