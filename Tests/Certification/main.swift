// varlink-certification --varlink=unix:PATH [--client]
//
// The server and the client of org.varlink.certification, for foreign implementations to test against.

import EventLoop
import Glibc
import Linux
import VarlinkServer
import VarlinkTransport

// Before there are threads.
let porter = try Porter.fork().take()
let arguments = CommandLine.arguments.dropFirst()
let prefix = "--varlink=unix:"
guard let address = arguments.first(where: { $0.hasPrefix(prefix) })?.dropFirst(prefix.count) else {
  StandardStream.error.write("usage: varlink-certification --varlink=unix:PATH [--client]\n")
  exit(2)
}

do {
  if arguments.contains("--client") {
    try CertificationClient(connection: ClientConnection(path: String(address))).run()
    print("Certification passed")
  } else {
    let server = try EventLoopActor.assumeIsolated {
      let server = CertificationServer(porter: porter)
      try server.serve(at: String(address))
      return server
    }
    let status = EventLoop.shared.run()
    withExtendedLifetime(server) { exit(status) }
  }
} catch {
  StandardStream.error.write("varlink-certification: \(error)\n")
  exit(1)
}
