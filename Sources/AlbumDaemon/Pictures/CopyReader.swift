internal import EventLoop
internal import Glibc
internal import LibraryIO
internal import LibraryModel
internal import Linux

/// Reads what copies say of themselves that are about to be added, so that it is told with them (S50). It waits for that no
/// longer than somebody who saves a photo would: what takes longer is read behind, like all others. One user's copies keep
/// no other's waiting (docs/decisions/0150-a-process-beside-others.md).
@EventLoopActor
final class CopyReader {
  private let reader: any PictureReading
  private let patience: Duration
  private let zone = LocalZone()
  /// When one of a user's was not read in time, its next ones are not waited for until then (microseconds, CLOCK_MONOTONIC):
  /// who adds many would wait as long for each.
  private var restsUntil: [UInt32: UInt64] = [:]
  private static let rest: UInt64 = 30_000_000

  init(_ reader: any PictureReading, patience: Duration = .seconds(3)) {
    self.reader = reader
    self.patience = patience
  }

  /// What copies say that have no names yet: one file, or the two of a live photo. Nobody reads their sidecars.
  ///
  /// - Parameter user: who adds them.
  /// - Returns: nil where one was not read in time.
  func read(_ files: NewFiles, hasMovie: Bool, for user: UInt32) async -> ReadCopies? {
    let now = Clock.monotonic
    restsUntil = restsUntil.filter { $0.value > now }
    guard restsUntil[user] == nil, let main = await describe(files.descriptor(0), for: user) else {
      return nil
    }
    var read = [main.description]
    if hasMovie {
      guard let movie = await describe(files.descriptor(1), for: user) else { return nil }
      read.append(movie.description)
    }
    return ReadCopies(
      files: read,
      description: AssetDescription(
        main.description ?? .nothing, movie: hasMovie ? read[1] : nil, offset: zone.offset(showing:)),
      reader: PictureReader.version)
  }

  private struct Answer: Sendable {
    /// nil where it cannot be read.
    let description: FileDescription?
  }

  private func describe(_ copy: CInt, for user: UInt32) async -> Answer? {
    // Who reads it must not be able to write to it.
    let number = open("/proc/self/fd/\(copy)", O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    let waiting = Waiting()
    let demand = PictureDemand.common(.soon, for: .user(user))
    let id = reader.describe(OwnedDescriptor(owning: number), demand) { result in
      switch result {
      case .success(let description): waiting.end(Answer(description: description))
      case .failure(.unreadable), .failure(.broke): waiting.end(Answer(description: nil))
      case .failure(.unavailable), .failure(.busy): waiting.end(nil)
      }
    }
    let answer = await waiting.answer(within: patience)
    if waiting.isLate {
      reader.cancel(id)
      restsUntil[user] = Clock.monotonic + Self.rest
    }
    return answer
  }

  /// Waits for an answer, or for its time to be over.
  @EventLoopActor
  private final class Waiting {
    private(set) var isLate = false
    private var continuation: CheckedContinuation<Answer?, Never>?
    private var early: Answer??
    private lazy var timer = Timer { [unowned self] in
      isLate = true
      end(nil)
    }

    func answer(within patience: Duration) async -> Answer? {
      // Looked at within: waiting may begin with a turn of the loop, in which it comes.
      await withCheckedContinuation { waiting in
        if let early { return waiting.resume(returning: early) }
        timer.arm(after: patience)
        continuation = waiting
      }
    }

    func end(_ answer: Answer?) {
      timer.disarm()
      guard let continuation else { return early = .some(answer) }
      self.continuation = nil
      continuation.resume(returning: answer)
    }
  }
}
