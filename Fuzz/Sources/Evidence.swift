import Authorization
import CLinux
import DaemonConfiguration
import Glibc
import Linux
import PeerRoots

/// What processes of a peer's user can write into: files of a sandbox, and of proc(5).
let evidenceFuzzers = [
  Fuzzer("keyfile", longest: 16384) { bytes in
    let bytes = Array(bytes)
    checkFlatpakID(bytes)
    guard let file = try? KeyFile(bytes) else { return }
    expect(!bytes.contains(0), "no file has a NUL")
    for key in ["name", "runtime"] {
      guard let value = file.value(key, in: "Application") else { continue }
      expect(!value.contains(UInt8(ascii: "\n")), "a value is of one line")
      expect(contains(bytes, Array(key.utf8)) && contains(bytes, value), "it stands in the file")
      expect((try? KeyFile(bytes + Array("\n[Application]\n".utf8))) == nil, "a group stands once")
      let twice = bytes + Array("\n\(key)=x\n\(key)=x\n".utf8)
      expect((try? KeyFile(twice)) == nil, "a key stands once")
    }
    // A carriage return belongs to the end of its line where there is one.
    let longer = try? KeyFile(bytes + Array("\n# a comment\n\n".utf8))
    expect(longer == file || bytes.last == 13, "a comment changes nothing")
  },

  // The name of a process may hold anything; what the kernel says after it is what counts.
  Fuzzer("proc", longest: 4096) { bytes in
    if let text = bytes.text {
      _ = ProcessStatus(text)
      _ = ProcessInstance.startTime(text)
      _ = SubordinateIDs(text) { UInt32($0.utf8.count) }.owner(of: 100_000)
    }
    let name = bytes.prefix(64).filter { $0 != 0 }
    let stat =
      Array("4711 (".utf8) + name + Array(") S 1".utf8) + Array(String(repeating: " 2", count: 17).utf8)
      + Array(" 998877 3 4\n".utf8)
    expect(
      ProcessInstance.startTime(String(decoding: stat, as: UTF8.self)) == 998_877,
      "no name is taken for the start of its process")
    // Of its name there, line feeds and backslashes are escaped.
    let escaped = name.flatMap { $0 == 10 ? Array("\\n".utf8) : $0 == 92 ? Array("\\\\".utf8) : [$0] }
    let status = Array("Name:\t".utf8) + escaped + Array("\nUid:\t7\t7\t8\t9\nGid:\t5\t5\t6\t6\n".utf8)
    let read = ProcessStatus(String(decoding: status, as: UTF8.self))
    expect(read?.isOf(uid: 7, gid: 5) == true, "no name hides its process's user")
    expect(read?.isOf(uid: 8, gid: 5) == false, "nor is another")
  },

  // The mounts of a peer's process: a byte 1 stands for the number of the mount that is looked for.
  Fuzzer("mountinfo", longest: 4096) { bytes in
    guard let process = mockProcess else { return }
    process.write(bytes)
    let found = PeerRoot(process.directory).open(".flatpak-info")
    if case .found(let descriptor) = found {
      close(descriptor)
      expect(process.namesAnswering(bytes), "nothing is opened on a file system that may not answer")
    }
  },
]

private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
  part.isEmpty || bytes.indices.contains { bytes[$0...].starts(with: part) }
}

private func checkFlatpakID(_ bytes: [UInt8]) {
  guard let id = try? FlatpakID.read(bytes) else { return }
  expect(id.utf8.count <= 255 && id.utf8.filter { $0 == UInt8(ascii: ".") }.count >= 2, "an id has its parts")
  expect(
    id.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains($0))
    },
    "an id has letters, digits and few signs")
  expect(contains(bytes, Array(id.utf8)), "it stands in the file")
}

/// A directory that looks like a process's in /proc, with a root in memory.
private struct MockProcess: Sendable {
  let directory: CInt
  let mount: Int64

  init?() {
    var path = Array("/dev/shm/albumd-fuzz-XXXXXX".utf8CString)
    guard mkdtemp(&path) != nil else { return nil }
    let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    directory = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    mkdirat(directory, "root", 0o700)
    close(openat(directory, "root/.flatpak-info", O_WRONLY | O_CREAT, 0o600))
    mount = linux_mount_id(directory)
    guard directory >= 0, mount >= 0 else { return nil }
    // Removed by name at once, it would have no place to look at.
    MockProcess.path = name
    atexit { MockProcess.remove() }
  }

  nonisolated(unsafe) private static var path = ""

  private static func remove() {
    for name in ["root/.flatpak-info", "mountinfo"] { unlink("\(path)/\(name)") }
    for name in ["/root", ""] { rmdir(path + name) }
  }

  private func text(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    bytes.flatMap { $0 == 1 ? Array("\(mount)".utf8) : [$0] }
  }

  func write(_ bytes: UnsafeBufferPointer<UInt8>) {
    let file = openat(directory, "mountinfo", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    let text = text(bytes)
    _ = Glibc.write(file, text, text.count)
    close(file)
  }

  /// Whether a line names the mount and a file system in memory; or none names it, and it is the daemon's own.
  func namesAnswering(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // As bytes: a space with a combining mark after it is no space to a text.
    let named = text(bytes).split(separator: 10).map(Array.init).filter {
      $0.starts(with: "\(mount) ".utf8) && contains($0, Array(" - ".utf8))
    }
    return named.isEmpty
      || named.contains { line in
        [
          "tmpfs", "ramfs", "rootfs", "ext", "xfs", "btrfs", "f2fs", "bcachefs", "zfs", "squashfs", "erofs",
          "fat", "iso9660",
        ]
        .contains { contains(line, Array($0.utf8)) }
      }
  }
}

private let mockProcess = MockProcess()
