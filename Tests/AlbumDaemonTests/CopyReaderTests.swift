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

    func describe(
      _ file: borrowing OwnedDescriptor, _ urgency: PictureUrgency,
      completion: @escaping @EventLoopActor (Result<FileDescription, PictureFailure>) -> Void
    ) -> PicturePlan.JobID {
      answer(after: turns) { completion(.failure(.unreadable)) }
      return 1
    }

    private func answer(after turns: Int, _ answer: @escaping @EventLoopActor () -> Void) {
      EventLoopActor.afterReturn { [self] in turns == 0 ? answer() : self.answer(after: turns - 1, answer) }
    }

    func cancel(_ id: PicturePlan.JobID) { Issue.record("nothing takes long here") }
  }

  @Test(
    "S50: an answer counts in whatever turn of the loop it comes, also of a task that begins to wait in that one"
  )
  func turns() async throws {
    let directory = try TemporaryDirectory()
    try await turns(directory.path)
  }

  @EventLoopActor
  private func turns(_ path: String) async throws {
    let place = try OwnedDescriptor(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), call: "open")
    let files = NewFiles(in: HeldFile(place, closedBy: nil))
    _ = try files.make(as: FileName("a.jpg"))
    let late = LateReader()
    let reader = CopyReader(late, patience: .seconds(60))
    for turns in 0..<8 {
      late.turns = turns
      // As the daemon serves a call: what resumes it comes by the loop's queue.
      let read = await withCheckedContinuation { continuation in
        Task.onLoopNow {
          continuation.resume(returning: await reader.read(files, hasMovie: files.count > 1) != nil)
        }
      }
      #expect(read, "after \(turns) turns")
    }
  }
}
