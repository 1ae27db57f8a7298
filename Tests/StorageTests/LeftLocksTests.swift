import Glibc
import Testing

@testable import Storage

@Suite("SQLite's locks that a killed daemon leaves")
struct LeftLocksTests {
  @Test("what nobody has locked stays, and what is not there is no error")
  func unlocked() throws {
    let state = try StateDirectory()
    try state.write("registry.sqlite-shm", [0])
    LeftLocks.discard(in: state.path, of: getpid())
    #expect(state.names == ["registry.sqlite-shm"])
  }

  /// That of the daemon before is seen in HangTests: nobody's locks are in the way of the process that has them.
  @Test("the locks of another program stay, whatever it is: it relies on them")
  func others() throws {
    let state = try StateDirectory()
    let path = "\(state.path)/library.sqlite-shm"
    try state.write("library.sqlite-shm", [UInt8](repeating: 0, count: 32768))
    let file = open(path, O_RDWR | O_CLOEXEC)
    defer { close(file) }
    // A lock of an open file is another's to whoever asks for a process's, and of no process (-1).
    var lock = flock(
      l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: LeftLocks.range.start,
      l_len: LeftLocks.range.length, l_pid: 0)
    let setLockOfOpenFile: CInt = 37  // F_OFD_SETLK (fcntl.h)
    try #require(fcntl(file, setLockOfOpenFile, &lock) == 0)
    #expect(LeftLocks.locker(of: path) == -1)
    LeftLocks.discard(in: state.path, of: getpid())
    LeftLocks.discard(in: state.path, of: nil)
    #expect(state.names == ["library.sqlite-shm"])
  }
}
