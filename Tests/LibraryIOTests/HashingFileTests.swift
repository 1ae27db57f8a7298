import CLinux
import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Linux
import TestSupport
import Testing

/// Files that are hashed, as a thread does it (S96).
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct HashingFileTests {
  /// SHA-256 of nothing, of `abc`, and of a million times `a` (FIPS 180-2, appendix B).
  private static let known: [(content: String, hash: String)] = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ]

  @EventLoopActor
  private static func open(_ library: TestLibrary, _ name: String) throws -> (Asset, HeldFile) {
    let asset = try #require(try library.asset(name))
    return (asset, HeldFile(try library.monitor.contents.open(asset), closedBy: nil))
  }

  private static func hashing(_ asset: Asset, settlesAfter: Duration = .zero) -> HashingFile {
    HashingFile(of: asset, settlesAfter: settlesAfter)
  }

  @Test("S96: a hash is the SHA-256 of all bytes")
  @EventLoopActor
  func known() async throws {
    let library = try await TestLibrary.make { files in
      for (number, one) in Self.known.enumerated() { try files.put("in/\(number).jpg", one.content) }
    }
    for (number, one) in Self.known.enumerated() where !one.content.isEmpty {
      let (asset, file) = try Self.open(library, "\(number).jpg")
      let hashing = Self.hashing(asset)
      #expect(hashing.turn(file) == .hashed(try #require(ContentHash(text: "sha256:\(one.hash)"))))
      #expect(hashing.progress == asset.byteCount)
    }
    library.end()
  }

  @Test("S96: what was changed a moment ago is not read yet, and what somebody has open for writing")
  @EventLoopActor
  func unsettled() async throws {
    let library = try await TestLibrary.make { try $0.put("in/a.jpg", "abc") }
    let (asset, file) = try Self.open(library, "a.jpg")
    let fresh = Self.hashing(asset, settlesAfter: .seconds(3600))
    #expect(fresh.turn(file) == .unsettled && fresh.progress == 0)
    let writer = try library.files.open("in/a.jpg")
    let written = Self.hashing(asset)
    #expect(written.turn(file) == .unsettled && written.progress == 0)
    close(writer)
    #expect(Self.hashing(asset).turn(file) != .unsettled)
    library.end()
  }

  @Test(
    "S96: where the kernel does not tell whether it is written to, it has to rest for longer",
    arguments: [Duration.zero, .seconds(3600)])
  @EventLoopActor
  func unsure(rest: Duration) async throws {
    let library = try await TestLibrary.make { try $0.put("in/a.jpg", "abc") }
    let asset = try #require(try library.asset("a.jpg"))
    // Of what is open as a path only the kernel says nothing; nor is it read.
    let file = HeldFile(
      try OwnedDescriptor(
        Glibc.open("\(library.root)/a.jpg", CInt(LINUX_O_PATH) | O_CLOEXEC), call: "open"), closedBy: nil)
    let hashing = HashingFile(of: asset, settlesAfter: .zero, settlesUnsureAfter: rest)
    #expect(hashing.turn(file) == (rest == .zero ? .failed(EBADF) : .unsure))
    #expect(hashing.progress == 0)
    library.end()
  }

  @Test("S96: a file that is another than the index has, or changes between two turns, has no hash")
  @EventLoopActor
  func changed() async throws {
    let size = HashingFile.turnBytes + 1
    let library = try await TestLibrary.make { files in
      let file = try files.open("in/long.jpg")
      defer { close(file) }
      // Holes, but not too many of them.
      try #require(ftruncate(file, off_t(size)) == 0)
    }
    let (asset, file) = try Self.open(library, "long.jpg")
    #expect(HashingFile.isLong(asset))
    let whole = Self.hashing(asset)
    #expect(whole.turn(file) == .paused && whole.progress == HashingFile.turnBytes)
    // It is another descriptor, of the same file.
    let (_, again) = try Self.open(library, "long.jpg")
    // Of so many zeroes, as sha256sum(1) says.
    let zeroes = ContentHash(text: "sha256:da6ce8755151acd05195db67ebce3ee0fb5f4012e71e821cc5750f3304eaf41e")
    #expect(whole.turn(again) == .hashed(try #require(zeroes)))
    let disturbed = Self.hashing(asset)
    #expect(disturbed.turn(file) == .paused)
    // Its length and its time are what they were: st_ctime is not.
    let writer = try library.files.open("in/long.jpg")
    try #require(pwrite(writer, "x", 1, 5) == 1)
    try #require(futimens(writer, [asset.modifiedTime, asset.modifiedTime]) == 0)
    close(writer)
    #expect(disturbed.turn(file) == .unsettled)
    #expect(disturbed.progress == HashingFile.turnBytes)
    // It is not what the index has.
    var former = asset
    former.modified -= 1
    #expect(Self.hashing(former).turn(file) == .unsettled)
    library.end()
  }

  @Test("S96: a file that is mostly holes, and large, keeps nobody waiting")
  @EventLoopActor
  func sparse() async throws {
    let library = try await TestLibrary.make { files in
      for (name, size) in [("huge", Int64(1) << 42), ("small", 1 << 20)] {
        let file = try files.open("in/\(name).mp4")
        defer { close(file) }
        try #require(ftruncate(file, off_t(size)) == 0)
      }
    }
    let (huge, file) = try Self.open(library, "huge.mp4")
    let hashing = Self.hashing(huge)
    #expect(hashing.turn(file) == .sparse && hashing.progress == 0)
    let (small, other) = try Self.open(library, "small.mp4")
    guard case .hashed = Self.hashing(small).turn(other) else {
      Issue.record("holes are nothing but zeroes")
      return
    }
    library.end()
  }

  @Test("S96: one that is ended stops, and comes to nothing")
  @EventLoopActor
  func ended() async throws {
    let library = try await TestLibrary.make { try $0.put("in/a.jpg", "abc") }
    let (asset, file) = try Self.open(library, "a.jpg")
    let hashing = Self.hashing(asset)
    hashing.end()
    #expect(hashing.turn(file) == .unsettled && hashing.progress == 0)
    library.end()
  }

  @Test("S96: what was hashed of a file that has other content by now is not noted")
  @EventLoopActor
  func noted() async throws {
    let library = try await TestLibrary.make { try $0.put("in/a.jpg", "abc") }
    let (asset, file) = try Self.open(library, "a.jpg")
    guard case .hashed(let hash) = Self.hashing(asset).turn(file) else {
      Issue.record("it can be hashed")
      return
    }
    try library.files.put("in/a.jpg", "other")
    try await library.until { try $0.asset("a.jpg")?.byteCount == 5 }
    library.forget()
    try library.monitor.edits.hashes.note([.init(asset: asset, hash: hash)])
    #expect(try library.asset("a.jpg")?.contentHash == nil && library.changes.isEmpty)
    let now = try #require(try library.asset("a.jpg"))
    try library.monitor.edits.hashes.note([.init(asset: now, hash: hash)])
    #expect(try library.asset("a.jpg")?.contentHash == hash)
    #expect(library.changes.map(\.operation) == [.changed(content: false)])
    library.end()
  }
}

extension Asset {
  fileprivate var modifiedTime: timespec {
    timespec(tv_sec: Int(modified / 1_000_000_000), tv_nsec: Int(modified % 1_000_000_000))
  }
}
