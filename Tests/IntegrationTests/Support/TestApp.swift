import Foundation
import Glibc
import Linux
import TestSupport
import Varlink
import VarlinkTransport

/// A running app: a process of its own, started from a program file of its own, which is what the daemon
/// knows it by. The test speaks for it over the connections that it makes.
final class TestApp {
  let process: ChildProcess
  private let control: OwnedDescriptor
  private var reader = MessageReader(limit: 4096, descriptors: .received)
  private var writer = MessageWriter()

  init(_ program: String, in library: TemporaryLibrary, uid: UInt32? = nil) throws {
    let path = library.executable(of: program)
    try StartOfProcesses.alone {
      if FileManager.default.fileExists(atPath: path) { return }
      // A copy, not a link: an identity is a file.
      try FileManager.default.copyItem(atPath: BuildFolder.app, toPath: path)
    }
    var numbers: [CInt] = [-1, -1]
    let type = CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &numbers) == 0 else { throw SystemError("socketpair") }
    control = OwnedDescriptor(owning: numbers[0])
    let far = OwnedDescriptor(owning: numbers[1])
    process = try ChildProcess(
      path, [library.socket] + (uid.map { ["\($0)"] } ?? []), input: far.number,
      log: "\(library.directory)/log.\(program)")
  }

  /// A new connection of this process.
  func connect() throws -> Connection {
    let (text, batch) = try perform("connect")
    guard let socket = batch.take(0) else { throw DaemonProcess.Failure("the app: \(text)") }
    return Connection(socket)
  }

  /// Has the process itself send a message on a connection.
  func send(_ call: Call, on connection: Connection) throws {
    let batch = DescriptorBatch()
    _ = batch.append(try OwnedDescriptor(dup(connection.descriptor), call: "dup"))
    let message = connection.prepare(call)
    _ = try perform("send \(String(decoding: message.dropLast(), as: UTF8.self))", batch)
  }

  /// Has the process send the end of a message, of which this process sends the beginning.
  func sendEnd(of call: Call, on connection: Connection) throws {
    let batch = DescriptorBatch()
    _ = batch.append(try OwnedDescriptor(dup(connection.descriptor), call: "dup"))
    let message = connection.prepare(call)
    let half = message.count / 2
    guard write(connection.descriptor, message, half) == half else { throw SystemError("write") }
    _ = try perform("send \(String(decoding: message[half...].dropLast(), as: UTF8.self))", batch)
  }

  /// Has the process become another program of the library, which can do the same; its id stays.
  func become(_ program: String, in library: TemporaryLibrary) throws {
    let path = library.executable(of: program)
    try StartOfProcesses.alone {
      if !FileManager.default.fileExists(atPath: path) {
        try FileManager.default.copyItem(atPath: BuildFolder.app, toPath: path)
      }
    }
    // The other one answers.
    _ = try perform("become \(path)")
  }

  /// Has the process have another root directory; it goes on to reach the daemon.
  func changeRoot(to path: String) throws { _ = try perform("root \(path)") }

  private func perform(
    _ command: String, _ descriptors: DescriptorBatch? = nil
  ) throws -> (String, DescriptorBatch) {
    try writer.send(Array(command.utf8) + [0], descriptors: descriptors, to: control.number)
    let deadline = Deadline.generous
    while true {
      let next = try reader.next { bytes, arrival in
        (String(decoding: bytes, as: UTF8.self), arrival.descriptors ?? DescriptorBatch())
      }
      if let next { return next }
      switch try reader.fill(from: control.number) {
      case .read: break
      case .wouldBlock, .descriptors: try deadline.poll([control.number], for: "the app's answer")
      case .endOfStream: throw DaemonProcess.Failure("the app ended")
      }
    }
  }

  /// Ends the process and waits for its end.
  func end() throws {
    process.signal(SIGKILL)
    try process.wait()
  }
}
