import CLinux
import Glibc
import LibraryModel
import Linux
import TestSupport
import Testing

@testable import LibraryIO

/// What the kernel was told by a process that serves files, and believes for a while: here for an hour.
@Suite(
  .enabled(if: HangingFileSystem.isPossible, "mounting a file system in user space is not permitted"))
final class ServedFilesTests {
  private let served: ServedDisk

  init() throws {
    served = try ServedDisk(["a.jpg", "b.jpg"], memory: 3600)
    // What the kernel believes from now on.
    #expect(look("a.jpg") == 16)
    #expect(look("b.jpg") == 16)
    #expect(look("c.jpg") == nil)
    served.files.change("a.jpg", to: 5)
    served.files.change("b.jpg", to: nil)
    served.files.change("c.jpg", to: 7)
  }

  /// How long a file is; nil where there is none.
  private func look(_ name: String) -> Int64? {
    switch served.look(name, by: served.disk(closer: Closer())) {
    case .found(let facts): return facts.byteCount
    case .absent: return nil
    case .unknown, .offline:
      Issue.record("\(name) cannot be looked at")
      return nil
    }
  }

  @Test("39: a look is not told what the kernel remembers of a file, or that there was one, or none")
  func looked() {
    #expect(look("a.jpg") == 5)
    #expect(look("b.jpg") == nil)
    #expect(look("c.jpg") == 7)
    served.files.change("a.jpg", to: 9, isSame: false)
    #expect(look("a.jpg") == 9)
    // Nothing was made by asking.
    #expect(look("d.jpg") == nil)
  }

  @Test("39: nor is a listing")
  func listed() throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
    defer { buffer.deallocate() }
    let top = try served.open("", O_DIRECTORY)
    let result = DirectoryLister.list(top.number, served.volumes, buffer, flagsKnown: 0)
    guard case .listing(let listing, isWhole: true) = result else {
      Issue.record("\(result)")
      return
    }
    let found = listing.entries.map { "\(listing.name(of: $0)) \($0.facts.byteCount)" }
    #expect(found == ["a.jpg 5", "c.jpg 7"])
  }

  @Test("39: whether case counts is not told by what the kernel remembers of a name in the other case")
  func otherCase() throws {
    let served = try ServedDisk(["a.jpg", "A.JPG"], memory: 3600)
    _ = try served.open("A.JPG")
    served.files.change("A.JPG", to: nil)
    let top = try served.open("", O_DIRECTORY)
    let volumes = Volumes()
    func counts(isServed: Bool) -> Bool {
      volumes.mountsChanged()
      return volumes.findCase(FileName("a.jpg"), on: 1, in: top.number, isServed: isServed) {
        ExactNames.list(top.number)?.contains($0) ?? true
      }
    }
    #expect(!counts(isServed: false), "it is remembered")
    #expect(counts(isServed: true))
  }

  @Test("39: a file that was opened is another version when it was written by another of its names")
  func open() throws {
    let file = try ReadableFile(try served.open("a.jpg"), on: VolumeNumber(rawValue: 1))
    #expect(file.isUnchanged)
    served.files.change("a.jpg", to: 6)
    #expect(!file.isUnchanged)
  }

  @Test("where a server says that a hole begins where data does, none is counted, and there is an end")
  func holes() throws {
    let served = try ServedDisk(["stuck.jpg"])
    let file = try served.open("stuck.jpg")
    #expect(linux_hole_bytes(file.number, 16, 8) == 0)
  }
}
