import Glibc
import Linux

/// A file system that can be filled: a tmpfs that goes with the object.
final class SmallDisk {
  private let path: String
  private var filler: String { "\(path)/filler" }

  /// Whether this process may mount.
  static let isPossible: Bool = {
    guard let library = try? TemporaryLibrary() else { return false }
    return (try? SmallDisk(at: library.state, kilobytes: 64)) != nil
  }()

  init(at path: String, kilobytes: Int) throws {
    self.path = path
    mkdir(path, 0o700)
    guard mount("albumd-test", path, "tmpfs", 0, "size=\(kilobytes)k,mode=0700") == 0 else {
      throw SystemError("mount", subject: path)
    }
  }

  deinit {
    umount2(path, CInt(MNT_DETACH))
  }

  /// Leaves no byte.
  func fill() throws {
    let file = try openForWriting(filler)
    let block = [UInt8](repeating: 1, count: 4096)
    while write(file.number, block, block.count) > 0 {}
    guard errno == ENOSPC else { throw SystemError("write", subject: filler) }
  }

  func empty() throws {
    guard unlink(filler) == 0 else { throw SystemError("unlink", subject: filler) }
  }
}
