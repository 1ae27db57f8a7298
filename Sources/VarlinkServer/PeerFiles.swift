internal import CLinux
public import EventLoop
internal import Glibc
public import Linux

/// The descriptors that came with a call. They are in a process of their own (``Porter``), and are only ever read
/// there: what comes back are values, and copies in files of ours.
@EventLoopActor
public final class PeerFiles {
  /// Why one cannot be had.
  public struct Failure: Error, Hashable, Sendable {
    /// What is at fault.
    public enum Code: Hashable, Sendable {
      /// No descriptor with that index came with the call.
      case missing
      /// It is no regular file: nothing else is read.
      case notRegular
      /// It cannot be read, or does not answer.
      case unreadable
      /// It has more bytes than are taken.
      case tooLarge
      /// The file that it is copied to cannot be written.
      case target
      /// Whoever wanted the copy wants it no more.
      case stopped
    }
    /// What is at fault.
    public let code: Code
    /// What the system said.
    public let cause: SystemError

    /// Why a file of a peer, or a copy of one, cannot be had.
    public init(code: Code, cause: SystemError) {
      self.code = code
      self.cause = cause
    }
  }

  /// How many came.
  public let count: Int
  private let job: PorterJob?

  /// Those of a call with which none came: most.
  static let none = PeerFiles()

  private init() {
    count = 0
    job = nil
  }

  init(_ job: PorterJob, count: Int) {
    self.job = job
    self.count = count
  }

  /// How many bytes of a file ``look(at:_:)`` gives at most.
  public static let mostBytes = Int(PORTER_MOST_BYTES)
  /// After about so many bytes of a copy it is asked whether it goes on.
  public static let stepBytes = Int64(PORTER_STEP_BYTES)

  /// The beginning of a regular file.
  ///
  /// - Parameters:
  ///   - index: as the call's parameters name it.
  ///   - count: bytes at most.
  public func look(at index: Int, _ count: Int) async throws(Failure) -> [UInt8] {
    try await ask(Int(PORTER_LOOK), index, min(count, Self.mostBytes), nil, "pread").bytes
  }

  /// Copies a regular file, from its beginning, and brings the copy to disk.
  ///
  /// - Parameters:
  ///   - index: as the call's parameters name it.
  ///   - target: an empty file, open for writing; the caller keeps it.
  ///   - limit: how many bytes are taken at most. The file may grow while it is copied: the limit holds.
  ///   - goesOn: told after each ``stepBytes``, or a little more, how many there are; says whether more are wanted.
  /// - Returns: how many bytes it has.
  public func copy(
    _ index: Int, to target: CInt, limit: Int64,
    goesOn: @escaping @EventLoopActor (Int64) -> Bool = { _ in true }
  ) async throws(Failure) -> Int64 {
    let answer = try await ask(
      Int(PORTER_COPY), index, Int(clamping: limit), target, "copy_file_range", goesOn: goesOn)
    return Int64(clamping: answer.count)
  }

  private func ask(
    _ kind: Int, _ index: Int, _ bytes: Int, _ target: CInt?, _ call: StaticString,
    goesOn: PorterJob.Progress? = nil
  ) async throws(Failure) -> PorterJob.Answer {
    guard let job, (0..<count).contains(index) else {
      throw Failure(code: .missing, cause: SystemError(call, code: EBADF))
    }
    let answer = await withCheckedContinuation { continuation in
      job.ask(kind, index: index, count: bytes, with: target, goesOn: goesOn) {
        continuation.resume(returning: $0)
      }
    }
    let cause = SystemError(call, code: answer.error)
    switch Int(answer.stage) {
    case Int(PORTER_DONE): return answer
    case Int(PORTER_NOT_REGULAR): throw Failure(code: .notRegular, cause: cause)
    case Int(PORTER_TOO_LARGE): throw Failure(code: .tooLarge, cause: cause)
    case Int(PORTER_TARGET): throw Failure(code: .target, cause: cause)
    case Int(PORTER_STOPPED): throw Failure(code: .stopped, cause: cause)
    default: throw Failure(code: .unreadable, cause: cause)
    }
  }

  /// Nobody reads them any more.
  func end() {
    job?.end()
  }

  isolated deinit {
    job?.end()
  }
}
