import EventLoop
import Glibc
import LibraryModel
import Storage
import TestSupport
import Testing

@testable import LibraryIO

/// What no event tells is found while nothing happens, and when it is opened.
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct IdleTests {
  private static let files = ["truncated", "outside", "hidden", "part"]

  private static func prepare(_ files: TestFiles) throws {
    try files.directory("in/a/.hidden")
    for name in Self.files { try files.put("in/a/\(name).jpg", "former") }
    try files.link("in/a/outside.jpg", "out/outside.jpg")
    try files.link("in/a/hidden.jpg", "in/a/.hidden/hidden.jpg")
    try files.link("in/a/part.jpg", "in/a/part.jpg.part")
  }

  /// Changes each in its own way of which nobody tells.
  private static func change(_ files: TestFiles, _ round: Int = 1) throws {
    #expect(truncate("\(files.base)/in/a/truncated.jpg", off_t(6 - round)) == 0)
    for name in ["out/outside.jpg", "in/a/.hidden/hidden.jpg", "in/a/part.jpg.part"] {
      try files.put(name, String(repeating: "latter", count: round + 1))
    }
  }

  @Test(
    "28, S88: a file that was changed without an event is told of by the next round, once, and not as a scan")
  @EventLoopActor
  func unheard() async throws {
    let library = try await TestLibrary.make { try Self.prepare($0) }
    let ids = try Self.files.map { try #require(try library.asset("a/\($0).jpg")).id }
    try Self.change(library.files)
    try await library.settle()
    library.forget()
    try await library.compareIdly()
    #expect(ids.allSatisfy { library.operations($0) == [.changed(content: true)] })
    for name in Self.files {
      let length = try library.files.status("in/a/\(name).jpg").size
      #expect(try library.asset("a/\(name).jpg")?.byteCount == length)
    }
    library.forget()
    try await library.compareIdly()
    #expect(ids.allSatisfy { library.operations($0).isEmpty })
    #expect(library.monitor.statistics.scans == 1 && library.monitor.state.summary == .ready)
    library.end()
  }

  @Test("28, S88: rounds come by themselves, one after the other")
  @EventLoopActor
  func rounds() async throws {
    let library = try await TestLibrary.make(idleInterval: .milliseconds(20)) { try Self.prepare($0) }
    let ids = try Self.files.map { try #require(try library.asset("a/\($0).jpg")).id }
    for round in 1...3 {
      library.forget()
      try Self.change(library.files, round)
      await library.until { library in
        ids.allSatisfy { library.operations($0).contains(.changed(content: true)) }
      }
    }
    library.end()
  }

  @Test("28, S88: a file that was changed without an event is told of when it is opened")
  @EventLoopActor
  func opened() async throws {
    let library = try await TestLibrary.make { try Self.prepare($0) }
    let assets = try Self.files.map { try #require(try library.asset("a/\($0).jpg")) }
    try Self.change(library.files)
    // What events there were is taken in.
    try await library.settle()
    library.forget()
    for asset in assets {
      _ = try library.monitor.contents.open(asset)
      // The call does not wait for it.
      #expect(library.changes.isEmpty)
    }
    await library.until { library in
      assets.allSatisfy { library.operations($0.id) == [.changed(content: true)] }
    }
    // Nothing more is told when they are opened again.
    for asset in assets {
      _ = try library.monitor.contents.open(try #require(try library.store.files.asset(asset.id)))
    }
    library.forget()
    try await library.settle()
    #expect(library.changes.allSatisfy { change in !assets.contains { change.subject == .asset($0.id) } })
    library.end()
  }

  @Test("28, S88: the movie of a live photo likewise")
  @EventLoopActor
  func openedMovie() async throws {
    let library = try await TestLibrary.make { files in
      for name in ["a.jpg", "a.mov"] { try files.put("in/\(name)", name) }
      try files.link("in/a.mov", "out/a.mov")
    }
    let asset = try #require(try library.asset("a.jpg"))
    try library.files.put("out/a.mov", "longer than before")
    _ = try library.monitor.contents.open(.pairedVideo, of: asset)
    await library.until { $0.operations(asset.id) == [.changed(content: true)] }
    library.end()
  }

  @Test("28, S88: a disk to which nothing was written is not read")
  @EventLoopActor
  func asleep() async throws {
    let devices = try TemporaryDirectory()
    func write(_ sectors: Int, _ root: String) throws {
      var status = stat()
      try #require(stat(root, &status) == 0)
      let (major, minor) = (status.st_dev >> 8 & 0xFFF, status.st_dev & 0xFF | status.st_dev >> 12 & 0xFFF00)
      let directory = "\(devices.path)/\(major):\(minor)"
      mkdir(directory, 0o755)
      let file = open("\(directory)/stat", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
      try #require(file >= 0)
      let text = "  139003    31362  6912650   136212    71239   130734 \(sectors)    77885        0\n"
      #expect(Glibc.write(file, text, text.utf8.count) == text.utf8.count)
      close(file)
    }
    let library = try await TestLibrary.make(blockDevices: devices.path) { try Self.prepare($0) }
    try write(1000, library.root)
    let scanned = library.monitor.statistics.listings
    try await library.compareIdly()
    let first = library.monitor.statistics.listings
    #expect(first > scanned)
    try Self.change(library.files)
    try await library.compareIdly()
    #expect(library.monitor.statistics.listings == first)
    try write(1001, library.root)
    try await library.compareIdly()
    #expect(library.monitor.statistics.listings > first)
    library.end()
    withExtendedLifetime(devices) {}
  }
}

extension TestLibrary {
  /// Has a portion compared to its end, which nobody need be told of.
  fileprivate func compareIdly() async throws {
    monitor.idle.compare()
    repeat { try await settle() } while monitor.idle.isComparing
  }
}
