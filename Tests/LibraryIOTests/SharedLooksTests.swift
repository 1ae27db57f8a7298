import LibraryModel
import TestSupport
import Testing

@testable import LibraryIO

/// Where case does not count, and each listing is asked of a process that serves the files.
@Suite(
  .enabled(if: HangingFileSystem.isPossible, "mounting a file system in user space is not permitted"))
final class SharedLooksTests {
  private static let names = (0..<40).map { "photo \($0).jpg" }
  private let served: ServedDisk
  private let thread: RootThread
  private let disk: BeneathRoot
  /// How many looks were not answered in time: then the listing that was made for one is lost.
  private var lateCount = 0

  init() throws {
    served = try ServedDisk(Self.names, ignoresCase: true)
    thread = RootThread(served.volumes)
    disk = served.disk(closer: nil)
    disk.threads = [ServedDisk.root: thread]
    // Until it is known that case does not count.
    while served.volumes.caseCounts(on: try #require(disk.roots[ServedDisk.root]).device) == nil {
      _ = look(Self.names[0])
    }
    #expect(served.files.listingCount > 0)
  }

  deinit { thread.stop() }

  /// Whether something is there with this name, to the letter; nil where nobody answers in time.
  private func look(_ name: String) -> Bool? {
    thread.noteAnswer()
    switch served.look(name, by: disk) {
    case .found: return true
    case .absent: return false
    case .unknown, .offline:
      lateCount += 1
      return nil
    }
  }

  /// How often the directory is listed meanwhile, but for answers that came too late.
  private func listings(_ body: () -> Void) -> Int {
    let (before, late) = (served.files.listingCount, lateCount)
    body()
    return served.files.listingCount - before - (lateCount - late)
  }

  @Test("36: forty names are looked at by one listing, and by another what is told of after that")
  func shared() {
    disk.endBatch()
    let count = listings {
      for name in Self.names {
        #expect(look(name) ?? true)
        #expect(look(name.uppercased()) != true, "it is spelled otherwise")
      }
    }
    #expect(count <= 1)
    disk.closeDirectories()
    for _ in 0..<1000 where look(Self.names[0]) != nil { break }
    #expect(listings { _ = look(Self.names[1]) } <= 0, "also in the next turn")
    served.files.change("new.jpg", to: 5)
    disk.exactNames.listings.noteTold(of: ServedDisk.location("new.jpg"))
    #expect(look("new.jpg") ?? true)
  }

  @Test("36: what the daemon itself may have done is not looked at by a listing of before")
  func own() {
    _ = look(Self.names[0])
    served.files.change("new.jpg", to: 5)
    disk.endBatch()
    #expect(look("new.jpg") ?? true)
  }
}
