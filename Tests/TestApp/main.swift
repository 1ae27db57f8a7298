import Glibc
import Linux
import VarlinkTransport

// An app of the integration tests: `test-app SOCKET [UID]`. Its identity is that of the file it was
// started from. For every message on standard input, a Unix socket, it connects to SOCKET and answers
// with the connected descriptor, or with what went wrong. It ends with its standard input.

/// Becomes another user for good.
func become(_ uid: UInt32) -> Bool {
  setgroups(0, nil) == 0 && setgid(uid) == 0 && setuid(uid) == 0
}

func wait(for events: Int16) {
  var request = pollfd(fd: STDIN_FILENO, events: events, revents: 0)
  _ = poll(&request, 1, -1)
}

func run() throws {
  guard CommandLine.arguments.count >= 2 else { exit(2) }
  let socket = CommandLine.arguments[1]
  if CommandLine.arguments.count > 2, let uid = UInt32(CommandLine.arguments[2]) {
    guard become(uid) else { throw SystemError("setuid") }
  }
  var reader = MessageReader(limit: 4096, descriptors: .received)
  var writer = MessageWriter()
  while true {
    if try reader.next({ _, _ in }) != nil {
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
