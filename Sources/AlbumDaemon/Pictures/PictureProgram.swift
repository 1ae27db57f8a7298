internal import Glibc
internal import Linux
internal import VarlinkTransport

/// Where processes that read pictures come from.
package enum PictureProgram: Hashable, Sendable {
  /// A program of this installation, which is started with one end of a socket pair at descriptor 3.
  case file(String)
  /// A service manager starts one for each connection to this socket, in a sandbox of its own.
  case socket(String)

  /// The program's name.
  private static let name = "albumd-pictures"

  /// The program that belongs to this one: beside it, or in its installation's libexec.
  package static var besideThis: PictureProgram {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    let beside = "\(directory)/\(name)"
    return .file(access(beside, X_OK) == 0 ? beside : "\(directory)/../libexec/\(name)")
  }

  /// Starts one; it ends when its socket is closed. Waits for execve(2), so on no thread that others wait for.
  func start() throws(SystemError) -> StartedReader {
    switch self {
    case .file(let path): try Self.spawn(path)
    case .socket(let path): StartedReader(process: nil, socket: try UnixSocket.connect(to: path))
    }
  }

  private static func spawn(_ path: String) throws(SystemError) -> StartedReader {
    var ends: [CInt] = [-1, -1]
    let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemError("socketpair") }
    let near = OwnedDescriptor(owning: ends[0])
    let low = OwnedDescriptor(owning: ends[1])
    // Above any number that is given to the child: one that is its own copy would be closed by execve(2).
    let far = try OwnedDescriptor(fcntl(low.number, F_DUPFD_CLOEXEC, 10), call: "fcntl(F_DUPFD)")
    try near.makeNonBlocking()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for stream in 0..<CInt(3) {
      posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
    }
    // What else this process has open is closed by execve(2), and whatever is not, by the program itself.
    posix_spawn_file_actions_adddup2(&actions, far.number, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The loop reads signals from a descriptor, and has them blocked.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // What writes more than it may there has been taken over, and ends.
    var ending = none
    sigaddset(&ending, SIGXFSZ)
    posix_spawnattr_setsigdefault(&attributes, &ending)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var child = pid_t()
    let name = strdup(path)
    defer { free(name) }
    let arguments = [name, nil]
    // Nothing of the daemon's environment: it names sockets of the service manager's.
    let environment: [UnsafeMutablePointer<CChar>?] = [nil]
    let code = arguments.withUnsafeBufferPointer { arguments in
      environment.withUnsafeBufferPointer { environment in
        guard let first = arguments.baseAddress, let last = environment.baseAddress else { return EINVAL }
        return posix_spawn(&child, path, &actions, &attributes, first, last)
      }
    }
    guard code == 0 else { throw SystemError("posix_spawn", code: code, subject: path) }
    return StartedReader(process: child, socket: near)
  }
}

/// A process that reads pictures, just started.
struct StartedReader: ~Copyable, Sendable {
  /// A child of this process, which it has to wait for; nil where it is somebody else's.
  let process: pid_t?
  private let socket: OwnedDescriptor

  init(process: pid_t?, socket: consuming OwnedDescriptor) {
    self.process = process
    self.socket = socket
  }

  /// Gives the socket to the caller, who has to close it.
  consuming func take() -> CInt { socket.take() }
}
