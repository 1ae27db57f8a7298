import EventLoop
import Foundation
import Glibc
import Linux
import Logging
import LoopTesting
import PictureAPI
import TestSupport
import Testing

@testable import AlbumDaemon

@Suite("Pictures are read by processes of their own", .serialized) struct PicturePoolTests {
  init() { LoopThread.start() }

  private static func pool(_ program: PictureProgram) async -> PicturePool {
    await EventLoopActor.run {
      PicturePool(
        program, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, limits: .init(processes: 1))
    }
  }

  /// The program that was built with these tests.
  private static func built(_ name: String) throws -> String {
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(filePath: bundle).deletingLastPathComponent().appending(path: name).path()
  }

  /// A picture of one pixel (PNG).
  private static let dot: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0,
    1,
    8, 2, 0, 0, 0, 0x90, 0x77, 0x53, 0xDE, 0, 0, 0, 12, 0x49, 0x44, 0x41, 0x54, 0x08, 0xD7, 0x63, 0xF8, 0xCF,
    0xC0,
    0, 0, 3, 1, 1, 0, 0x18, 0xDD, 0x8D, 0xB0, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
  ]

  private static func file(_ bytes: [UInt8]) throws -> CInt {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/file"
    try Data(bytes).write(to: URL(filePath: path))
    return try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC), call: "open").take()
  }

  @EventLoopActor
  private static func describe(
    _ pool: PicturePool, _ bytes: [UInt8], _ urgency: PictureUrgency = .shown
  ) async throws -> Result<PicturesInterface.Description, PictureFailure> {
    let number = try file(bytes)
    return await withCheckedContinuation { continuation in
      let file = OwnedDescriptor(owning: number)
      pool.ask(
        PicturesInterface.Describe.self, .init(fileDescriptor: 0), about: file.number,
        .common(urgency, for: .daemon)
      ) {
        continuation.resume(returning: $0.map { $0.reply.description })
      }
    }
  }

  @Test("S53: a picture is read by a process that is started for it")
  func started() async throws {
    let pool = await Self.pool(.file(try Self.built("albumd-pictures")))
    let first = try await Self.describe(pool, Self.dot)
    #expect(try first.get() == .init(pixelWidth: 1, pixelHeight: 1, subtypes: []))
    #expect(try await Self.describe(pool, Array("no picture".utf8)) == .failure(.unreadable))
    let reader = try #require(try Self.confined().first, "it is confined, as Confinement.enter does it")
    let limits = try String(contentsOfFile: "/proc/\(reader)/limits", encoding: .utf8)
    for (limit, most) in [
      // Beyond what is mapped when it begins.
      ("Max address space", 64 << 30), ("Max open files", 64), ("Max file size", 64 << 20),
      ("Max cpu time", 3600), ("Max core file size", 0), ("Max locked memory", 0),
    ] {
      let line = limits.split(separator: "\n").first { $0.hasPrefix(limit) }
      let numbers = line?.dropFirst(limit.count).split(separator: " ").prefix(2).map { Int($0) }
      #expect(numbers?.count == 2 && numbers?.allSatisfy { $0 ?? .max <= most } == true, "\(limit)")
    }
    await EventLoopActor.run {
      #expect(pool.problem == nil && pool.hasLandlock != nil)
      pool.close()
    }
  }

  /// Readers of this process, of which there may be those of other tests too, that may do no more than reading takes.
  private static func confined() throws -> [pid_t] {
    let all = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
    return all.filter { process in
      let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      let lines = Set((status ?? "").split(separator: "\n"))
      return lines.isSuperset(of: [
        "Name:\talbumd-pictures", "PPid:\t\(getpid())", "Seccomp:\t2", "NoNewPrivs:\t1",
      ])
    }
  }

  @Test("S51: that this process can open no more files is not said of a picture")
  func shortage() async {
    // Its limit is the whole process's.
    await #expect(processExitsWith: .success) {
      LoopThread.start()
      let suite = PicturePoolTests.self
      let pool = await suite.pool(.file(try suite.built("albumd-pictures")))
      _ = try await suite.describe(pool, suite.dot).get()
      let file = try suite.file(suite.dot)
      let free = fcntl(file, F_DUPFD_CLOEXEC, 0)
      close(free)
      // Room for the copy of the file that is kept, and nothing else.
      let limit = DescriptorLimit(free + 1)
      let described = await suite.describe(pool, about: file)
      let rendered = await suite.render(pool, about: file)
      limit.end()
      try #require(described.map(\.pixelWidth) == .success(1))
      // What is made comes with a descriptor.
      try #require(rendered == .failure(.busy))
      try #require(await suite.render(pool, about: file) == .success(1))
      await pool.close()
    }
  }

  @Test("S53: a process whose client has gone is ended, and another has the next picture")
  func deserted() async {
    // Its readers are those of this process.
    await #expect(processExitsWith: .success) {
      LoopThread.start()
      let suite = PicturePoolTests.self
      let program = try suite.built("albumd-pictures")
      let pool = await EventLoopActor.run {
        PicturePool(
          .file(program),
          log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, limits: .init(processes: 1),
          patience: .init(usual: .seconds(1_000_000)))
      }
      _ = try await suite.describe(pool, suite.dot).get()
      let reader = try #require(try suite.confined().first)
      // It answers nothing, however long it is waited for.
      kill(reader, SIGSTOP)
      let file = try suite.file(suite.dot)
      let waiting = Task { @EventLoopActor in
        await pool.answer(
          to: PicturesInterface.Describe.self, .init(fileDescriptor: 0), about: file,
          .common(.shown, for: .user(7))
        ) { $0.map(\.reply.description) }
      }
      while await !pool.isAtWork { await EventLoopActor.giveWay() }
      waiting.cancel()
      try #require(await waiting.value == .failure(.unavailable))
      _ = try await suite.describe(pool, suite.dot).get()
      try #require(try suite.confined() != [reader])
      await pool.close()
    }
  }

  @EventLoopActor
  private static func render(_ pool: PicturePool, about file: CInt) async -> Result<Int, PictureFailure> {
    await withCheckedContinuation { continuation in
      pool.ask(
        PicturesInterface.Render.self, .init(fileDescriptor: 0, pixels: 16, square: false, pixmap: false),
        about: file,
        .common(.shown, for: .daemon)
      ) {
        continuation.resume(returning: $0.map(\.reply.pixelWidth))
      }
    }
  }

  @EventLoopActor
  private static func describe(
    _ pool: PicturePool, about file: CInt
  ) async -> Result<PicturesInterface.Description, PictureFailure> {
    await withCheckedContinuation { continuation in
      pool.ask(
        PicturesInterface.Describe.self, .init(fileDescriptor: 0), about: file, .common(.shown, for: .daemon)
      ) {
        continuation.resume(returning: $0.map(\.reply.description))
      }
    }
  }

  @Test("S53: what nobody waits for is read by a process that lets everybody else go first")
  func idle() async throws {
    let pool = await Self.pool(.file(try Self.built("albumd-pictures")))
    #expect(try await Self.describe(pool, Self.dot, .idle).get().pixelWidth == 1)
    let children = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
      .filter {
        let status = try? String(contentsOfFile: "/proc/\($0)/status", encoding: .utf8)
        return status.map { $0.contains("Name:\talbumd-pictures") && $0.contains("PPid:\t\(getpid())\n") }
          ?? false
      }
    // SCHED_IDLE (sched(7)). Other tests of this process have readers too.
    #expect(children.contains { sched_getscheduler($0) == 5 })
    await pool.close()
  }

  @Test("S52: when reading ends, everybody who waits is told, in order, and nobody before that has returned")
  @EventLoopActor
  func closed() async throws {
    let pool = await Self.pool(.file(try Self.built("albumd-pictures")))
    let file = OwnedDescriptor(owning: try Self.file(Self.dot))
    var told: [Int] = []
    var cancelled: PicturePlan.JobID?
    await withCheckedContinuation { continuation in
      @EventLoopActor func ask(
        _ number: Int, _ then: @escaping @EventLoopActor () -> Void = {}
      ) -> PicturePlan.JobID {
        pool.ask(
          PicturesInterface.Describe.self, .init(fileDescriptor: 0), about: file.number,
          .common(.shown, for: .daemon)
        ) {
          #expect($0.map { $0.reply.description } == .failure(.unavailable))
          told.append(number)
          then()
        }
      }
      // What is told of the first asks and cancels: of what is cancelled nothing is told.
      _ = ask(1) {
        if let cancelled { pool.cancel(cancelled) }
        _ = ask(4) { continuation.resume() }
      }
      _ = ask(2)
      cancelled = ask(3)
      pool.close()
      #expect(told.isEmpty)
    }
    #expect(told == [1, 2, 4])
  }

  @Test("S52: where the program is not installed or does not start, who asks is told")
  func missing() async throws {
    for path in ["/nonexistent/albumd-pictures", "/bin/false"] {
      let pool = await Self.pool(.file(path))
      #expect(try await Self.describe(pool, Self.dot) == .failure(.unavailable))
      #expect(await pool.problem != nil)
    }
  }

  @Test(
    "S52: a program that hangs, crashes or answers nonsense costs the file that it is about, and nothing else",
    arguments: ["crash", "nonsense", "garbage", "hang"])
  func broken(kind: String) async throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/reader"
    try TestProgram.install(FakeReader.script(kind), at: path)
    let pool = await EventLoopActor.run {
      PicturePool(
        .file(path), log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        limits: .init(processes: 1),
        patience: .init(usual: .seconds(kind == "hang" ? 5 : 40)))
    }
    #expect(try await Self.describe(pool, Self.dot) == .failure(.broke))
    #expect(await pool.problem == nil)
    await pool.close()
  }
}

/// A reader that was taken over.
private enum FakeReader {
  static func script(_ kind: String) -> String {
    let answer =
      switch kind {
      case "crash": "os.kill(os.getpid(), 11)"
      case "nonsense": "s.sendall(b'{}\\0{\"parameters\":{},\"continues\":true}\\0')"
      case "garbage": "s.sendall(b'x' * 100000)"
      default: "s.recv(1)"
      }
    return """
      #!/usr/bin/python3
      import os, socket
      s = socket.socket(fileno=3)
      def call():
          data = b''
          while not data.endswith(b'\\0'): data += s.recv(4096)
      call()
      s.sendall(b'{"parameters":{"landlock":true}}\\0')
      call()
      \(answer)
      s.recv(1)
      """
  }
}
