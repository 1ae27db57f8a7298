import Glibc
import Linux
import Testing
import TestSupport

/// File systems that a test mounts (mount(2)). Where this process may not, what needs them is skipped, and said to be.
enum Mounting {
  /// Whether this process may mount.
  static let isPossible = canMount { disk(at: $0) }

  /// Whether it may mount a file system whose server has gone.
  static let isDeadPossible = canMount { dead(over: $0) }

  private static func canMount(_ mount: (String) -> Bool) -> Bool {
    guard let directory = try? TemporaryDirectory() else { return false }
    // A file, because what is mounted over one may be a dead one; a directory where a file will not do.
    let (file, place) = ("\(directory.path)/file", "\(directory.path)/place")
    close(creat(file, 0o600))
    mkdir(place, 0o700)
    defer { for path in [file, place] { unmount(path) } }
    return mount(place) || mount(file)
  }

  /// Makes a place a file system of its own, empty.
  @discardableResult
  static func disk(at path: String) -> Bool { mount("albumd-test", path, "tmpfs", 0, "size=1m") == 0 }

  /// Has a directory show another one (MS_BIND), until ``unmount(_:)``.
  static func show(_ directory: String, at path: String) throws {
    guard mount(directory, path, nil, 4096, nil) == 0 else { throw SystemError("mount", subject: path) }
  }

  /// Covers a file by one of a file system whose server has gone: whatever is asked of it fails with ENOTCONN (fuse(4)).
  static func dead(over path: String) -> Bool {
    let device = open("/dev/fuse", O_RDWR | O_CLOEXEC)
    guard device >= 0 else { return false }
    defer { close(device) }
    let options = "fd=\(device),rootmode=100000,user_id=0,group_id=0"
    return mount("albumd-test", path, "fuse", 0, options) == 0
  }

  /// Takes away what is mounted there, if something is.
  static func unmount(_ path: String) { umount2(path, CInt(MNT_DETACH)) }
}

extension Trait where Self == ConditionTrait {
  /// For tests that mount something.
  static var mounting: Self { .enabled(if: Mounting.isPossible, "mounting is not permitted") }
}
