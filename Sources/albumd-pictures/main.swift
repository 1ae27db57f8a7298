// Reads pictures and films for albumd, which sends open files over descriptor 3 and has what they say of themselves
// back (io.albumd.Pictures). It may do nothing else (docs/decisions/0091-the-sandbox.md), and ends with that socket.
import Glibc
import Linux
import Pictures

/// The first descriptor that a service manager hands over (sd_listen_fds(3)); albumd does likewise.
let socket: CInt = 3

/// Ends the process with the reason.
func fail(_ reason: String, _ status: CInt) -> Never {
  StandardStream.error.write("albumd-pictures: \(reason)\n")
  exit(status)
}

var kind: stat = stat()
guard fstat(socket, &kind) == 0, kind.st_mode & S_IFMT == S_IFSOCK else {
  fail("albumd starts this program: there is no socket at descriptor 3.", EX_USAGE)
}
Confinement.closeAll(after: socket)
do {
  try Confinement.loadLibraries()
  let confinement = try Confinement.enter(endingWith: socket)
  let service = PictureService(on: OwnedDescriptor(owning: socket), in: confinement)
  try service.run()
} catch { fail("\(error)", EXIT_FAILURE) }
