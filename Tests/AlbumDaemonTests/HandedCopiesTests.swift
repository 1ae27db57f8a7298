import CLinux
import EventLoop
import Glibc
import Linux
import LoopTesting
import Testing

@testable import AlbumDaemon

@Suite("What apps have that was made for them", .serialized)
struct HandedCopiesTests {
  init() { LoopThread.start() }

  /// A memory file, as an app has it: closed with this.
  private static func file(_ byteCount: Int) throws -> OwnedDescriptor {
    let bytes = [UInt8](repeating: 7, count: byteCount)
    return try OwnedDescriptor(linux_sealed_file(bytes, bytes.count), call: "memfd_create")
  }

  @Test("S54, S56: what is being made counts before it is there, for its user and for all")
  func reserved() async {
    await EventLoopActor.run {
      let copies = HandedCopies(
        limits: .init(count: 3, countOfAll: 4, memoryBytes: 10, memoryBytesOfAll: 15, diskBytes: 20))
      var held = [copies.reserve(6, mostInMemory: nil, for: 1)]
      #expect(held[0] != nil && copies.reserve(5, mostInMemory: nil, for: 1) == nil)
      // A copy is on the disk then, a preview is not.
      held.append(copies.reserve(5, mostInMemory: 8, for: 1))
      #expect(held[1]?.isInMemory == false)
      #expect(copies.reserve(16, mostInMemory: 8, for: 1) == nil, "no more of the disk")
      held.append(copies.reserve(9, mostInMemory: nil, for: 2))
      #expect(held[2] != nil && copies.reserve(1, mostInMemory: nil, for: 3) == nil, "no more for all")
      held.append(copies.reserve(1, mostInMemory: 0, for: 3))
      #expect(held[3] != nil && copies.reserve(1, mostInMemory: 0, for: 4) == nil, "nor as many files")
      for size in [-1, .max] { #expect(copies.reserve(size, mostInMemory: .max, for: 5) == nil) }
      // What comes of none is given back.
      held = []
      held = [copies.reserve(10, mostInMemory: nil, for: 1), copies.reserve(5, mostInMemory: nil, for: 2)]
      #expect(held.allSatisfy { $0 != nil })
    }
  }

  @Test("S54: what has come out larger than thought is refused where there is no room for it")
  func resized() async throws {
    await EventLoopActor.run {
      let copies = HandedCopies(limits: .init(memoryBytes: 10))
      guard let one = copies.reserve(4, mostInMemory: nil, for: 1),
        let other = copies.reserve(4, mostInMemory: nil, for: 1)
      else {
        Issue.record("there is room for two")
        return
      }
      #expect(!copies.resize(one, to: 7) && one.byteCount == 4)
      #expect(copies.resize(one, to: 6) && !copies.resize(other, to: 5))
      #expect(copies.resize(one, to: 1) && copies.resize(other, to: 9))
    }
  }

  @Test("S54, S56: who keeps what it was handed gets no more, until it closes one; another user does")
  func handed() async throws {
    try await EventLoopActor.run {
      let copies = HandedCopies(limits: .init(count: 100, memoryBytes: 100 * 4))
      var files: [CInt] = []
      defer { for file in files { close(file) } }
      for _ in 0..<100 {
        guard let reservation = copies.reserve(4, mostInMemory: nil, for: 1) else {
          Issue.record("there is room")
          return
        }
        let file = try Self.file(4)
        try copies.note(file.number, reservation)
        files.append(file.take())
      }
      #expect(copies.reserve(0, mostInMemory: nil, for: 1) == nil, "no more files")
      #expect(copies.reserve(4, mostInMemory: nil, for: 2) != nil, "another user")
      for file in files.dropFirst(20) { close(file) }
      files = Array(files.prefix(20))
      // Of many it is not looked at once again who has closed what, since nothing was closed the last time.
      let end = Clock.monotonic + 600_000_000
      var held: [HandedCopies.Reservation] = []
      while held.isEmpty, Clock.monotonic < end {
        if let reservation = copies.reserve(4, mostInMemory: nil, for: 1) { held.append(reservation) }
      }
      while let reservation = copies.reserve(4, mostInMemory: nil, for: 1) { held.append(reservation) }
      #expect(held.count == 80)
    }
  }

  @Test(
    "S54, S56: it is looked who has closed what also while somebody gets more all the time",
    .timeLimit(.minutes(5)))
  @EventLoopActor
  func sweptMeanwhile() async throws {
    let copies = HandedCopies(limits: .init(interval: .milliseconds(20)))
    let file = try Self.file(4)
    func hand(_ file: CInt, to user: UInt32) throws {
      let reservation = try #require(copies.reserve(4, mostInMemory: nil, for: user))
      try copies.note(file, reservation)
    }
    do {
      let closed = try Self.file(4)
      try hand(closed.number, to: 1)
    }
    // Again long before it would be looked, for as long as that takes many times over.
    var handed = 1
    while copies.count == handed, handed < 500 {
      try hand(file.number, to: 2)
      handed += 1
      await withCheckedContinuation { continuation in
        let timer = Timer { continuation.resume() }
        timer.arm(after: .milliseconds(2))
        Self.timers = [timer]
      }
    }
    #expect(copies.count < handed)
    Self.timers = []
  }

  @EventLoopActor private static var timers: [Timer] = []
}
