import CPictures
import Foundation
import Glibc
import Linux
import PictureAPI
import TestSupport
import Testing
import Varlink
import VarlinkTransport

/// A program of ours with a socket at descriptor 3, as albumd starts it. It is killed and reaped with the object.
final class PictureProcess {
  /// How it ended.
  enum Exit: Equatable {
    case status(CInt)
    case signal(CInt)
  }

  let socket: CInt
  private let pid: pid_t
  private var exit: Exit?

  init(_ program: String, _ arguments: [String] = []) throws {
    var ends: [CInt] = [-1, -1]
    guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw SystemError("socketpair")
    }
    let far = OwnedDescriptor(owning: ends[1])
    socket = ends[0]
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let path = URL(filePath: bundle).deletingLastPathComponent().appending(path: program).path()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // A descriptor that is its own copy would be closed by exec(2).
    let high = try OwnedDescriptor(copyWithHighNumber(far.number), call: "fcntl")
    posix_spawn_file_actions_adddup2(&actions, high.number, 3)
    var child = pid_t()
    let result = StartOfProcesses.alone {
      let texts = ([path] + arguments).map { strdup($0) } + [nil]
      defer { for text in texts { free(text) } }
      return texts.withUnsafeBufferPointer { buffer in
        buffer.baseAddress.map { posix_spawn(&child, path, &actions, nil, $0, nil) } ?? EINVAL
      }
    }
    guard result == 0 else { throw SystemError("posix_spawn", code: result, subject: path) }
    pid = child
  }

  deinit {
    close(socket)
    guard exit == nil else { return }
    kill(pid, SIGKILL)
    waitpid(pid, nil, 0)
  }

  /// Waits for its end: what is under test bounds how long that takes.
  func wait() -> Exit {
    var status: CInt = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    let result: Exit = status & 0x7f == 0 ? .status(status >> 8 & 0xff) : .signal(status & 0x7f)
    exit = result
    return result
  }

  /// Everything that it says, until it ends.
  func output() -> String {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(socket, &part, part.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += part[..<count]
    }
  }
}

/// A copy of a descriptor with a number that no child is started with.
private func copyWithHighNumber(_ number: CInt) -> CInt {
  fcntl(number, F_DUPFD_CLOEXEC, 100)
}

/// albumd-pictures at work.
struct Reader {
  private let process: PictureProcess
  private let client: ClientConnection

  init() throws {
    process = try PictureProcess("albumd-pictures")
    client = ClientConnection(socket: try OwnedDescriptor(dup(process.socket), call: "dup"))
  }

  /// What a file says of itself; nil where it says nothing.
  func describe(_ path: String) throws -> PicturesInterface.Description? {
    try describe(OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC), call: "open", subject: path))
  }

  /// The same of bytes.
  func describe(_ bytes: [UInt8]) throws -> PicturesInterface.Description? {
    try describe(Self.file(of: bytes))
  }

  /// A small picture of one, as pixels; nil where none can be made.
  func render(_ bytes: [UInt8], pixels: Int = 256, isSquare: Bool = false) throws -> Shown? {
    let batch = DescriptorBatch()
    let index = batch.append(try Self.file(of: bytes))
    return try readable {
      let call = PicturesInterface.Render.Parameters(
        fileDescriptor: index, pixels: pixels, square: isSquare, pixmap: true)
      let answer = try client.call(PicturesInterface.Render.self, call, descriptors: batch)
      let count = answer.reply.byteCount
      guard let file = answer.descriptors.take(answer.reply.fileDescriptor),
        let start = pictures_map(file.number, count)
      else { throw SystemError("mmap") }
      defer { pictures_unmap(start, count) }
      let size = (width: answer.reply.pixelWidth, height: answer.reply.pixelHeight)
      let bytes = UnsafeRawBufferPointer(start: start, count: count)
      return Shown(size: size, pixels: Array(bytes.suffix(size.width * size.height * 3)))
    }
  }

  /// A picture that was made.
  struct Shown {
    let size: (width: Int, height: Int)
    /// Three bytes each.
    let pixels: [UInt8]

    /// One of them.
    func colour(_ x: Int, _ y: Int) -> [Int] {
      pixels.dropFirst((y * size.width + x) * 3).prefix(3).map { Int($0) }
    }
  }

  /// What is to be overwritten so that it says no place; nil where that cannot be told.
  func findPlaces(_ bytes: [UInt8]) throws -> [Overwriting]? {
    let batch = DescriptorBatch()
    let index = batch.append(try Self.file(of: bytes))
    let found = try readable {
      try client.call(PicturesInterface.FindPlaces.self, .init(fileDescriptor: index), descriptors: batch)
        .reply.overwritings
    }
    return try found.map {
      try #require(
        OverwritingBytes.bytes(of: $0).flatMap { OverwritingBytes.decode($0, fileSize: bytes.count) })
    }
  }

  private func describe(_ file: consuming OwnedDescriptor) throws -> PicturesInterface.Description? {
    let batch = DescriptorBatch()
    let index = batch.append(file)
    return try readable {
      try client.call(PicturesInterface.Describe.self, .init(fileDescriptor: index), descriptors: batch)
        .reply.description
    }
  }

  private func readable<Value>(_ call: () throws -> Value) throws -> Value? {
    do { return try call() } catch let error as RemoteError
      where error.typed(PicturesInterface.Unreadable.self) != nil
    {
      return nil
    }
  }

  /// A memory file.
  private static func file(of bytes: [UInt8]) throws -> OwnedDescriptor {
    try OwnedDescriptor(pictures_sealed(bytes, bytes.count), call: "memfd_create")
  }
}
