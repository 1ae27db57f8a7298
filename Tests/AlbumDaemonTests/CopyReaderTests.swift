import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Linux
import LoopTesting
import PictureAPI
import TestSupport
import Testing

@testable import AlbumDaemon

@Suite("What copies say, before they are added", .timeLimit(.minutes(30))) struct CopyReaderTests {
  init() { LoopThread.start() }

  /// Answers so many turns of the loop after it was asked.
  @EventLoopActor
  private final class LateReader: PictureReading {
    var turns = 0
    /// To whom it answers nothing.
    var silent: PictureDemand.Client?
    private(set) var demands: [PictureDemand] = []
    private(set) var cancelledCount = 0

    func describe(
      _ file: borrowing OwnedDescriptor, _ demand: PictureDemand,
      completion: @escaping @EventLoopActor (Result<FileDescription, PictureFailure>) -> Void
    ) -> PicturePlan.JobID {
      demands.append(demand)
      if demand.client == silent { return 1 }
      answer(after: turns) { completion(.failure(.unreadable)) }
      return 1
    }

    private func answer(after turns: Int, _ answer: @escaping @EventLoopActor () -> Void) {
      EventLoopActor.afterReturn { [self] in turns == 0 ? answer() : self.answer(after: turns - 1, answer) }
    }

    func cancel(_ id: PicturePlan.JobID) { cancelledCount += 1 }
  }

  @Test(
    "S50: an answer counts in whatever turn of the loop it comes, also of a task that begins to wait in that one"
  )
  func turns() async throws {
    let directory = try TemporaryDirectory()
    try await turns(directory.path)
  }

  @Test("S50: whose copies are not read in time keeps no other user's from being read, nor waiting")
  func users() async throws {
    let directory = try TemporaryDirectory()
    try await users(directory.path)
  }

  @EventLoopActor
  private func users(_ path: String) async throws {
    let files = try Self.files(in: path)
    let late = LateReader()
    late.silent = .user(1)
    let reader = CopyReader(late, patience: .milliseconds(1))
    #expect(await reader.read(files, hasMovie: false, for: 1) == nil)
    #expect(late.cancelledCount == 1)
    let patient = CopyReader(late, patience: .seconds(60))
    #expect(await patient.read(files, hasMovie: false, for: 2) != nil)
    #expect(late.demands == [.common(.soon, for: .user(1)), .common(.soon, for: .user(2))])
    // Its next ones are not waited for.
    #expect(await reader.read(files, hasMovie: false, for: 1) == nil)
    #expect(late.demands.count == 2)
    _ = await reader.read(files, hasMovie: false, for: 2)
    #expect(late.demands.count == 3)
  }

  /// A copy.
  private static func files(in path: String) throws -> NewFiles {
    let place = try OwnedDescriptor(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), call: "open")
    let files = NewFiles(in: HeldFile(place, closedBy: nil))
    _ = try files.make(as: FileName("a.jpg"))
    return files
  }

  @EventLoopActor
  private func turns(_ path: String) async throws {
    let files = try Self.files(in: path)
    let late = LateReader()
    let reader = CopyReader(late, patience: .seconds(60))
    for turns in 0..<8 {
      late.turns = turns
      // As the daemon serves a call: what resumes it comes by the loop's queue.
      let read = await withCheckedContinuation { continuation in
        Task.onLoopNow {
          continuation.resume(returning: await reader.read(files, hasMovie: files.count > 1, for: 1) != nil)
        }
      }
      #expect(read, "after \(turns) turns")
    }
    #expect(late.cancelledCount == 0, "nothing takes long here")
  }
}
