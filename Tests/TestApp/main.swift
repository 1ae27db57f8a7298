import Glibc
import Linux
import VarlinkTransport

// An app of the integration tests: `test-app SOCKET [UID]`. Its identity is that of the file it was
// started from. It does what the messages on standard input, a Unix socket, say, and ends with that:
//   connect        connects to SOCKET and answers with the connected descriptor, or with what went wrong
//   send MESSAGE   sends a message, and its NUL, to the socket that comes with this
//   become FILE    becomes the program FILE, called as this one was
//   root DIRECTORY has DIRECTORY as its root from then on (chroot(2)); it connects by where it is

/// Becomes another user for good.
func become(_ uid: UInt32) -> Bool {
  getuid() == uid || setgroups(0, nil) == 0 && setgid(uid) == 0 && setuid(uid) == 0
}

/// Becomes another program.
func become(_ program: String) -> Never {
  let arguments = ([program] + CommandLine.arguments.dropFirst()).map { strdup($0) } + [nil]
  setenv("TEST_APP_BECAME", program, 1)
  execv(program, arguments)
  exit(3)
}

/// Goes where the socket is, which it can reach from there whatever its root is.
func changeRoot(to root: String, from socket: String) throws -> String {
  let parts = socket.split(separator: "/")
  guard chdir("/" + parts.dropLast().joined(separator: "/")) == 0, chroot(root) == 0 else {
    throw SystemError("chroot", subject: root)
  }
  return parts.last.map(String.init) ?? ""
}

func wait(for events: Int16) {
  var request = pollfd(fd: STDIN_FILENO, events: events, revents: 0)
  _ = poll(&request, 1, -1)
}

func run() throws {
  guard CommandLine.arguments.count >= 2 else { exit(2) }
  var socket = CommandLine.arguments[1]
  if CommandLine.arguments.count > 2, let uid = UInt32(CommandLine.arguments[2]) {
    guard become(uid) else { throw SystemError("setuid") }
  }
  var reader = MessageReader(limit: 4096, descriptors: .received)
  var writer = MessageWriter()
  if getenv("TEST_APP_BECAME") != nil { try writer.send(Array("done\0".utf8), to: STDIN_FILENO) }
  while true {
    let next = try reader.next { bytes, arrival in
      (String(decoding: bytes, as: UTF8.self), arrival.descriptors)
    }
    if let (text, received) = next {
      let (command, argument) = (text.prefix { $0 != " " }, String(text.drop { $0 != " " }.dropFirst()))
      if command == "become" { become(argument) }
      if command == "root" { socket = try changeRoot(to: argument, from: socket) }
      if command == "send", let socket = received?.take(0) {
        var sender = MessageWriter()
        try sender.send(Array(argument.utf8) + [0], to: socket.number)
      }
      guard command == "connect" else {
        try writer.send(Array("done\0".utf8), to: STDIN_FILENO)
        continue
      }
      let batch = DescriptorBatch()
      var answer = "connected"
      do throws(SystemError) { _ = batch.append(try UnixSocket.connect(to: socket)) } catch {
        answer = error.description
      }
      try writer.send(Array(answer.utf8) + [0], descriptors: batch, to: STDIN_FILENO)
      continue
    }
    switch try reader.fill(from: STDIN_FILENO) {
    case .read: break
    case .wouldBlock, .descriptors: wait(for: Int16(POLLIN))
    case .endOfStream: return
    }
  }
}

do { try run() } catch {
  StandardStream.error.write("test-app: \(error)\n")
  exit(1)
}
