import EventLoop
import Foundation
import Glibc
import Linux
import LoopTesting
import PictureAPI
import TestSupport
import Testing

@testable import AlbumDaemon

@Suite("Copies for one app alone", .serialized)
struct PrivateCopyTests {
  private let directory: TemporaryDirectory

  init() throws {
    LoopThread.start()
    directory = try TemporaryDirectory()
  }

  private func file(_ bytes: [UInt8]) throws -> OwnedDescriptor {
    let path = "\(directory.path)/file"
    try Data(bytes).write(to: URL(filePath: path))
    return try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC), call: "open")
  }

  private func place(isInMemory: Bool, mostBytes: Int = .max) -> PrivateCopy.Place {
    .init(isInMemory: isInMemory, mostBytes: mostBytes, directory: directory.path, room: .unlimited)
  }

  private func content(_ descriptor: CInt) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4 << 20)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(0, count)))
  }

  @Test(
    "S56: a copy in memory, and one on the disk, has the bytes but those that are overwritten",
    arguments: [true, false])
  func copied(_ isInMemory: Bool) throws {
    let bytes = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 / 7) | 1 }
    let original = try file(bytes)
    let copy = try PrivateCopy(of: original.number, in: place(isInMemory: isInMemory))
    #expect(copy.isInMemory == isInMemory && copy.byteCount == bytes.count)
    #expect(try copy.version == FileVersion(original.number))
    #expect(!copy.wasSettled, "it was written just now")
    #expect(throws: SystemError.self) {
      try PrivateCopy(of: original.number, in: place(isInMemory: isInMemory, mostBytes: bytes.count - 1))
    }
    try copy.finish([
      Overwriting(5..<200_000, .zeros), Overwriting(200_000..<200_003, .bytes([7, 8, 9])),
      Overwriting(300_000..<300_010, .blanks),
    ])
    var expected = bytes
    for place in 5..<200_000 { expected[place] = 0 }
    expected.replaceSubrange(200_000..<200_003, with: [7, 8, 9])
    expected.replaceSubrange(300_000..<300_010, with: [UInt8](repeating: 0x20, count: 10))
    #expect(content(copy.reader.number) == expected)
    #expect(write(copy.reader.number, "x", 1) == -1 && errno == EBADF)
    #expect(content(original.number) == bytes)
    guard isInMemory else { return }
    // Nor through another way into it.
    let again = open("/proc/self/fd/\(copy.reader.number)", O_RDWR | O_CLOEXEC)
    defer { close(again) }
    #expect(again < 0 || (pwrite(again, "x", 1, 0) == -1 && errno == EPERM))
  }

  @Test(
    "S56: whether copies share blocks is tried once for each file system, and remembered of a bounded number")
  func sharing() throws {
    let one = try file([1])
    let version = try FileVersion(one.number)
    var sharing = BlockSharing()
    #expect(sharing.isWorthTrying(version))
    sharing.note(false, of: version)
    #expect(!sharing.isWorthTrying(version))
    sharing.note(true, of: version)
    #expect(sharing.isWorthTrying(version))
    sharing.note(false, of: version)
    for device in 0..<UInt64(BlockSharing.capacity) { sharing.note(false, device: device + 1 << 40) }
    #expect(sharing.isWorthTrying(version), "forgotten with all others, and tried again")
  }

  @Test("S56: what was found is remembered of exactly these bytes, and of a bounded number of files")
  func remembered() throws {
    let one = try file([1])
    let version = try FileVersion(one.number)
    #expect(!version.isSettled(at: RealTime.microseconds))
    #expect(version.isSettled(at: RealTime.microseconds + 3_000_000))
    var known = KnownPlaces()
    let key = KnownPlaces.Key(user: 1, version: version)
    known.note(.overwrite([Overwriting(0..<1, .zeros)]), of: key)
    #expect(known[key] == .overwrite([Overwriting(0..<1, .zeros)]))
    #expect(known[.init(user: 2, version: version)] == nil, "it was looked through for another user")
    let other = try file([2, 3])
    #expect(try known[.init(user: 1, version: FileVersion(other.number))] == nil)
  }
}
