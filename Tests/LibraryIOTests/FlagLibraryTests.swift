import CLinux
import EventLoop
import Glibc
import LibraryModel
import Linux
import Storage
import TestSupport
import Testing

@testable import LibraryIO

/// Favourites and hidden assets on a disk: what files say beside their content, for other programs (S90, S91).
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct FlagLibraryTests {
  private static let tags = "user.xdg.tags"
  private static let hidden = "user.io.albumd.hidden"

  @EventLoopActor
  private func library() async throws -> TestLibrary {
    try await TestLibrary.make { files in
      try files.directory("in/a")
      for name in ["plain", "star", "hidden", "both"] { try files.put("in/a/\(name).jpg", name) }
      try files.put("in/a/star.jpg.xmp", "packet")
      try files.setAttribute("in/a/star.jpg.xmp", Self.hidden, "1")
      try files.setAttribute("in/a/star.jpg", Self.tags, "sea,Favorite")
      try files.setAttribute("in/a/hidden.jpg", Self.hidden, "1")
      try files.setAttribute("in/a/plain.jpg", Self.hidden, "0")
      try files.setAttribute("in/a/both.jpg", Self.tags, "favorite")
      try files.setAttribute("in/a/both.jpg", Self.hidden, "1")
      // More names than are listed at once.
      for number in 0..<80 { try files.setAttribute("in/a/both.jpg", "user.another.\(number)", "") }
    }
  }

  private let names = ["plain", "star", "hidden", "both"]
  private let expected: [AssetFlags] = [[], .favorite, .hidden, [.favorite, .hidden]]

  @EventLoopActor
  private func flags(_ library: TestLibrary) throws -> [AssetFlags?] {
    try names.map { try library.asset("a/\($0).jpg")?.flags }
  }

  @Test("S90: the first scan reads what files say, and another start tells what was said since, and no more")
  @EventLoopActor
  func scanned() async throws {
    let library = try await library()
    #expect(try flags(library) == expected)
    #expect(library.store.flagsKnown > 0)
    try await library.restart { _ in }
    #expect(try flags(library) == expected && library.changes.isEmpty)
    let star = try library.asset("a/star.jpg")?.id
    try await library.restart { files in
      try files.setAttribute("in/a/star.jpg", Self.tags, "sea")
      try files.setAttribute("in/a/plain.jpg", Self.tags, "Favorite")
    }
    #expect(try flags(library) == [.favorite, [], .hidden, [.favorite, .hidden]])
    #expect(library.changes.count == 2 && library.operations(star) == [.changed(content: false)])
    library.end()
  }

  @Test("S90: what another program says of a file is told at once, as no change of its content")
  @EventLoopActor
  func toldByOthers() async throws {
    let library = try await library()
    let plain = try #require(try library.asset("a/plain.jpg"))
    try library.files.setAttribute("in/a/plain.jpg", Self.tags, "a,Favorite")
    try await library.until { try $0.asset("a/plain.jpg")?.isFavorite ?? false }
    try library.files.setAttribute("in/a/plain.jpg", Self.hidden, "1")
    try await library.until { try $0.asset("a/plain.jpg")?.isHidden ?? false }
    try library.files.setAttribute("in/a/plain.jpg", Self.hidden, nil)
    try library.files.setAttribute("in/a/plain.jpg", Self.tags, "a")
    try await library.until { try $0.asset("a/plain.jpg")?.flags == [] }
    try await library.settle()
    #expect(Set(library.operations(plain.id)) == [.changed(content: false)])
    #expect(library.changes.filter { $0.subject == .asset(plain.id) }.map(\.wasHidden).contains(true))
    library.end()
  }

  @Test("S90: what is set is in the file beside all else, told once, and there after a restart")
  @EventLoopActor
  func set() async throws {
    let library = try await library()
    let edits = library.monitor.edits.flags
    let star = try #require(try library.asset("a/star.jpg"))
    try await edits.set(.hidden, true, of: star)
    #expect(library.files.attribute("in/a/star.jpg", Self.hidden) == "1")
    #expect(library.files.attribute("in/a/star.jpg", Self.tags) == "sea,Favorite")
    #expect(library.operations(star.id) == [.changed(content: false)], "told when it returns")
    let now = try #require(try library.asset("a/star.jpg"))
    try await edits.set(.favorite, false, of: now)
    #expect(library.files.attribute("in/a/star.jpg", Self.tags) == "sea")
    let both = try #require(try library.asset("a/both.jpg"))
    try await edits.set(.favorite, false, of: both)
    #expect(library.files.attribute("in/a/both.jpg", Self.tags) == nil, "no empty list of tags is left")
    try await library.settle()
    #expect(library.operations(star.id).count == 2 && library.operations(both.id).count == 1)
    try await library.restart { _ in }
    #expect(try flags(library) == [[], .hidden, .hidden, .hidden] && library.changes.isEmpty)
    library.end()
  }

  @Test("S39, S90: an asset saved as another file keeps its marks; what is set then, the new file says")
  @EventLoopActor
  func replaced() async throws {
    let library = try await library()
    let both = try #require(try library.asset("a/both.jpg"))
    try library.files.put("in/a/.new", "saved anew")
    try library.files.move("in/a/.new", "in/a/both.jpg")
    await library.until { !$0.operations(both.id).isEmpty }
    let saved = try #require(try library.asset("a/both.jpg"))
    #expect(
      saved.id == both.id && saved.identity != both.identity && saved.flags.told == [.favorite, .hidden])
    #expect(library.operations(both.id) == [.changed(content: true)])
    try await library.restart { $0.touch("in/a/both.jpg") }
    #expect(try library.asset("a/both.jpg")?.flags.told == [.favorite, .hidden])
    try await library.monitor.edits.flags.set(.hidden, false, of: saved)
    #expect(library.files.attribute("in/a/both.jpg", Self.tags) == "Favorite")
    #expect(try library.asset("a/both.jpg")?.flags == .favorite)
    library.end()
  }

  @Test("S33, S39, S90: deleted and restored, an asset has its marks, also those that its file does not say")
  @EventLoopActor
  func restored() async throws {
    let library = try await library()
    let both = try #require(try library.asset("a/both.jpg"))
    try library.files.put("in/a/.new", "saved anew")
    try library.files.move("in/a/.new", "in/a/both.jpg")
    await library.until { !$0.operations(both.id).isEmpty }
    let saved = try #require(try library.asset("a/both.jpg"))
    let (deletions, restorations) = (library.monitor.edits.deletions, library.monitor.edits.restorations)
    try await deletions.carryOut(deletions.record(saved, by: nil, at: 1))
    library.forget()
    let back = try await restorations.carryOut(restorations.record(both.id))
    #expect(back.id == both.id && back.flags == saved.flags && back.flags.inherited == [.favorite, .hidden])
    let told = library.changes.filter { $0.subject == .asset(both.id) }
    #expect(told.allSatisfy { $0.snapshot?.isHidden ?? false } && !told.isEmpty)
    library.end()
  }

  @Test("S90, S94: what takes an asset's place says its marks, and no others; so does its original put back")
  @EventLoopActor
  func edited() async throws {
    let library = try await library()
    let edits = library.monitor.edits
    let star = try #require(try library.asset("a/star.jpg"))
    let adjustment = Adjustment(
      formatIdentifier: "org.example.Editor", formatVersion: "1", data: [1], mayTellPlace: false)
    let record = try edits.replacements.record(star, adjustment: adjustment, by: "app", at: 1)
    _ = try await edits.records.openHidden(of: record, for: 1).number
    let incoming = "in/.albumd-deleted/\(record.key.name(0))"
    try library.files.put(incoming, "newer")
    try library.files.setAttribute(incoming, Self.hidden, "1")
    let edited = try await edits.replacements.carryOut(record, of: star.id)
    #expect(edited.identity != star.identity && edited.flags == .favorite)
    #expect(library.files.attribute("in/a/star.jpg", Self.tags) == "Favorite")
    #expect(library.files.attribute("in/a/star.jpg", Self.hidden) == nil)
    try await edits.flags.set(.favorite, false, of: edited)
    try await edits.flags.set(.hidden, true, of: edited)
    let marked = try #require(try library.asset("a/star.jpg"))
    let reversion = try #require(try edits.reversions.record(marked, by: "app", at: 2))
    let reverted = try await edits.reversions.carryOut(reversion, of: star.id)
    #expect(reverted.identity == star.identity && reverted.flags == .hidden)
    #expect(library.files.attribute("in/a/star.jpg", Self.tags) == "sea")
    #expect(library.files.attribute("in/a/star.jpg", Self.hidden) == "1")
    library.end()
  }

  @Test("S90, S91: what cannot be read is not taken for nothing said, and is not written over")
  @EventLoopActor
  func unreadable() async throws {
    let library = try await library()
    let base = "\(library.base)/in/a"
    try library.files.put("in/a/none.jpg")
    let directory = Glibc.open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let file = Glibc.open("\(base)/star.jpg", O_WRONLY | O_CLOEXEC)
    try #require(directory >= 0 && file >= 0)
    defer {
      close(directory)
      close(file)
    }
    // Others may look into it, and write to the one.
    chmod(base, 0o755)
    chmod("\(base)/star.jpg", 0o222)
    for name in ["plain", "hidden", "both", "none"] { chmod("\(base)/\(name).jpg", 0) }
    let (read, failed) = try withoutPrivileges {
      (
        ["plain", "star", "hidden", "both", "none", "missing"].map {
          FileAttributes.flags(of: "\($0).jpg", in: directory)
        },
        failure {
          _ = try FileAttributes.change(file, setting: .favorite, clearing: .hidden, subject: "star.jpg")
        }
      )
    }
    // One that says that it is not hidden says so to others only; of the one with many names it is not known.
    #expect(read == [.hidden, nil, .hidden, nil, [], nil])
    #expect(failed == .noAttributes)
    #expect(library.files.attribute("in/a/star.jpg", Self.tags) == "sea,Favorite")
    library.end()
  }

  @Test("S91: where a file system keeps nothing of the kind, that files say nothing is not known")
  func notKept() throws {
    // procfs (proc(5)) lists no attributes, and knows none.
    let files = TestFiles(base: "/tmp")
    let process = Glibc.open("/proc/self", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let usual = Glibc.open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    try #require(process >= 0 && usual >= 0)
    let name = "albumd-flags-\(UInt64.random(in: 0...(.max))).jpg"
    try files.put(name)
    defer {
      close(process)
      close(usual)
      unlink("/tmp/\(name)")
    }
    #expect(!FileAttributes.areKept(in: process) && FileAttributes.areKept(in: usual))
    #expect(FileAttributes.flags(of: "status", in: process) == nil)
    #expect(FileAttributes.flags(of: name, in: usual) == [])
    #expect(
      FileAttributes.reading(after: EOPNOTSUPP) == .notKept && FileAttributes.reading(after: EIO) == .failed)
  }

  @Test(
    "S90: a listing is whole only where all that files say could be read, or none of it can be as they are")
  func listed() throws {
    let directory = try TemporaryDirectory()
    for name in ["a.jpg", "b.jpg"] { close(creat("\(directory.path)/\(name)", 0o600)) }
    let readings: [(FileAttributes.Reading, isWhole: Bool)] = [
      (.flags(.hidden), true), (.unreadable, true), (.notKept, true), (.failed, false),
    ]
    for (reading, isWhole) in readings {
      let number = Glibc.open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
      defer {
        close(number)
        buffer.deallocate()
      }
      let result = DirectoryLister.list(
        number, Volumes(), buffer, flagsKnown: 0,
        readFlags: { name, _ in name[0] == 98 ? reading : .flags([]) })
      guard case .listing(let listing, let found) = result else {
        Issue.record("\(result)")
        continue
      }
      #expect(found == isWhole && listing.entries.count == 2, "\(reading)")
      let flags: AssetFlags? = if case .flags(let flags) = reading { flags } else { nil }
      #expect(listing.entries.map(\.facts.flags) == [[], flags])
      #expect(listing.entries.map(\.facts.mayTellFlags) == [true, reading != .notKept])
    }
  }

  @Test("S90: what was noted by a clock that was wrong keeps nothing from being read")
  @EventLoopActor
  func wrongClock() async throws {
    let library = try await library()
    let store = library.store
    try await library.restart { files in
      try store.begin()
      try store.noteFlagsKnown(until: .max)
      try store.commit()
      try files.setAttribute("in/a/plain.jpg", Self.tags, "Favorite")
    }
    #expect(try library.asset("a/plain.jpg")?.isFavorite == true)
    try await library.settle()
    #expect(library.store.flagsKnown < .max)
    library.end()
  }

  /// Calls `body` as one who may not read everything.
  private func withoutPrivileges<Value>(_ body: () -> Value) throws -> Value {
    // Of this thread only. No module has it.
    let symbol = try #require(dlsym(nil, "setfsuid"))
    let setfsuid = unsafeBitCast(symbol, to: (@convention(c) (uid_t) -> CInt).self)
    let former = setfsuid(65534)
    defer { _ = setfsuid(uid_t(bitPattern: former)) }
    return body()
  }

  @Test("S91: a hidden file that comes is never told as one that is not, whichever way it comes")
  @EventLoopActor
  func arrived() async throws {
    let library = try await library()
    try library.files.directory("out/b")
    for path in ["out/file.jpg", "out/b/inside.jpg"] {
      try library.files.put(path)
      try library.files.setAttribute(path, Self.hidden, "1")
    }
    try library.files.move("out/file.jpg", "in/a/file.jpg")
    try library.files.move("out/b", "in/b")
    try await library.until { try $0.asset("b/inside.jpg") != nil && $0.asset("a/file.jpg") != nil }
    for path in ["a/file.jpg", "b/inside.jpg"] {
      let id = try #require(try library.asset(path)?.id)
      let told = library.changes.filter { $0.subject == .asset(id) }
      #expect(told.allSatisfy { $0.snapshot?.isHidden ?? false } && !told.isEmpty, "\(path)")
    }
    library.end()
  }

  @Test(
    "S43, S90: another file, one that has gone, and one that nothing may be written to are refused, unchanged"
  )
  @EventLoopActor
  func refused() async throws {
    let library = try await library()
    let edits = library.monitor.edits.flags
    let (plain, star) = try (
      #require(try library.asset("a/plain.jpg")), #require(try library.asset("a/star.jpg"))
    )
    try library.files.put("in/a/.new", "other")
    try library.files.move("in/a/.new", "in/a/plain.jpg")
    #expect(await failure { try await edits.set(.favorite, true, of: plain) } == .replaced)
    #expect(library.files.attribute("in/a/plain.jpg", Self.tags) == nil)
    try library.files.unlink("in/a/star.jpg")
    #expect(await failure { try await edits.set(.hidden, true, of: star) } == .gone)
    // Longer than a file system of this kind keeps: nothing of what is there is lost.
    let hidden = try #require(try library.asset("a/hidden.jpg"))
    let long = String(repeating: "t", count: 3900)
    if (try? library.files.setAttribute("in/a/hidden.jpg", Self.tags, long)) != nil {
      for number in 0..<100 {
        guard (try? library.files.setAttribute("in/a/hidden.jpg", "user.n\(number)", "1234567890")) != nil
        else { break }
      }
      if await failure({ try await edits.set(.favorite, true, of: hidden) }) != nil {
        #expect(library.files.attribute("in/a/hidden.jpg", Self.tags) == long)
        #expect(try library.asset("a/hidden.jpg")?.isFavorite == false)
      }
    }
    library.end()
  }
}

extension TestFiles {
  /// - Parameter value: nil removes it.
  fileprivate func setAttribute(_ path: String, _ name: String, _ value: String?) throws {
    let full = "\(base)/\(path)"
    let result = value.map { setxattr(full, name, $0, $0.utf8.count, 0) } ?? removexattr(full, name)
    guard result == 0 else { throw SystemError("setxattr", subject: path) }
  }

  fileprivate func attribute(_ path: String, _ name: String) -> String? {
    var value = [UInt8](repeating: 0, count: 1 << 16)
    let count = getxattr("\(base)/\(path)", name, &value, value.count)
    return count < 0 ? nil : String(decoding: value[..<count], as: UTF8.self)
  }

  /// Changes nothing but when it was changed.
  fileprivate func touch(_ path: String) { chmod("\(base)/\(path)", 0o600) }
}
