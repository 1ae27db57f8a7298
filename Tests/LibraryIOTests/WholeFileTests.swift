import Glibc
import Linux
import TestSupport
import Testing

/// What is expected of a first scan stands on this.
@Suite("Files that tests write")
struct WholeFileTests {
  @Test("S40: what is being written is open where no child is forked, which would go on to have it open")
  func notInherited() async throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    let reader = try OwnedDescriptor(open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), call: "open")
    // More than a pipe holds: it is not written before it is read.
    let bytes = [UInt8](repeating: 7, count: 1 << 20)
    let writing = Task.detached(executorPreference: ThreadPerJob()) { try writeWhole(path, bytes) }
    var count = 0
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while count < bytes.count {
      var ready = pollfd(fd: reader.number, events: Int16(POLLIN), revents: 0)
      try retryingInterrupts("poll") { poll(&ready, 1, -1) }
      // Of this process, but for the thread that writes.
      let targets = entries(of: "/proc/self/fd").map { target(of: "/proc/self/fd/\($0)") }
      #expect(targets.count { $0 == path } == 1)
      let number = reader.number
      count += try retryingInterrupts("read") { read(number, &block, block.count) }
    }
    try await writing.value
    #expect(count == bytes.count)
  }

  private func target(of link: String) -> String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &path, path.count)
    return String(decoding: path.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
