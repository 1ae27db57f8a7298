import Glibc
import LibraryModel
import Linux
import TestSupport
import Testing

@testable import LibraryIO

/// What `make file-systems` shows on real ones: here without a disk on which case does not count, whose answers are played.
@Suite("Where case does not count")
final class CaseTests {
  private let directory: TemporaryDirectory
  private let descriptor: OwnedDescriptor
  private let volumes = Volumes()

  init() throws {
    directory = try TemporaryDirectory()
    descriptor = try OwnedDescriptor(open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), call: "open")
  }

  private func make(_ names: String...) {
    for name in names { close(creat("\(directory.path)/\(name)", 0o600)) }
  }

  /// - Parameter listed: what the directory says that it has.
  private func countsCase(_ name: String, listed: String..., device: UInt64) -> Bool {
    volumes.findCase(FileName(name), on: device, in: descriptor.number, isServed: false) { name in
      listed.contains { FileName($0) == name }
    }
  }

  @Test("27: it is found out by a name that is found in the other case, and not listed")
  func found() throws {
    make("a.jpg", "A.JPG", "alone.jpg", "1234")
    #expect(countsCase("a.jpg", listed: "a.jpg", "A.JPG", device: 1), "both are there")
    #expect(countsCase("alone.jpg", listed: "alone.jpg", device: 2))
    #expect(!countsCase("a.jpg", listed: "a.jpg", device: 3))
    #expect(!countsCase("a.jpg", listed: "A.JPG", device: 4), "somebody spelled it otherwise")
    // What says nothing leaves it open.
    #expect(countsCase("1234", listed: "1234", device: 5))
    #expect(countsCase("a.jpg", device: 5), "neither is listed: it has just gone")
    #expect(volumes.caseCounts(on: 5) == nil)
  }

  @Test("27: it is found out once for a device, until something is mounted")
  func once() throws {
    make("a.jpg", "A.JPG")
    #expect(!countsCase("a.jpg", listed: "a.jpg", device: 1))
    #expect(!countsCase("a.jpg", listed: "a.jpg", "A.JPG", device: 1))
    volumes.mountsChanged()
    #expect(countsCase("a.jpg", listed: "a.jpg", "A.JPG", device: 1))
  }

  @Test("27: names are those of a listing that is no older than what was told of them, to the byte")
  func exact() throws {
    make("a.jpg", "\u{FF}é.JPG")
    var names = ExactNames()
    func has(_ name: String) -> Bool {
      names.has(FileName(name), in: DirectoryID(rawValue: 1), descriptor.number)
    }
    #expect(has("a.jpg") && has("\u{FF}é.JPG"))
    #expect(!has("A.jpg") && !has("e.JPG") && !has(""))
    make("b.jpg")
    #expect(!has("b.jpg"))
    names.listings.noteTold(of: Location(DirectoryID(rawValue: 1), FileName("b.jpg")))
    #expect(has("b.jpg"))
  }

  @Test("27: a thousand names more than one read brings are all there")
  func many() throws {
    let all = (0..<1500).map {
      "a name of some length to fill the buffer of one read with few of them \($0).jpg"
    }
    for name in all { make(name) }
    var names = ExactNames()
    for name in all {
      let isThere = names.has(FileName(name), in: DirectoryID(rawValue: 1), descriptor.number)
      #expect(isThere, "\(name)")
    }
  }
}
