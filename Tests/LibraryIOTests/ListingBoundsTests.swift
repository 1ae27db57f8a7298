import Glibc
import LibraryModel
import Linux
import TestSupport
import Testing

@testable import LibraryIO

/// File systems that tell names without end.
@Suite("How much a directory is believed to hold")
struct ListingBoundsTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func add(_ names: some Sequence<String>) throws {
    for name in names {
      _ = try OwnedDescriptor(
        Glibc.open("\(directory.path)/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600), call: "open")
    }
  }

  /// How many names are listed; nil when they are too many.
  private func list(_ bounds: DirectoryLister.Bounds) throws -> Int? {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 10, alignment: 8)
    defer { buffer.deallocate() }
    let opened = try OwnedDescriptor(
      Glibc.open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), call: "open")
    switch DirectoryLister.list(opened.number, Volumes(), buffer, flagsKnown: 0, bounds: bounds) {
    case .listing(let listing, isWhole: _): return listing.entries.count
    case .failed(let error):
      #expect(error.code == EOVERFLOW)
      return nil
    case .offline:
      Issue.record("offline")
      return nil
    }
  }

  @Test("53: names that do not count are counted: a listing of nothing else comes to an end")
  func hiddenNames() throws {
    try add((0..<90).map { ".\($0).x" } + ["a.jpg"])
    // With the directory itself and the one above it.
    #expect(try list(DirectoryLister.Bounds(names: 93)) == 1)
    #expect(try list(DirectoryLister.Bounds(names: 92)) == nil)
  }

  @Test("53: so are the bytes of those that do")
  func longNames() throws {
    let name = String(repeating: "n", count: 196)
    try add((0..<10).map { "\(name)\($0).jpg" })
    #expect(try list(DirectoryLister.Bounds(bytes: 2010)) == 10)
    #expect(try list(DirectoryLister.Bounds(bytes: 1000)) == nil)
  }
}
