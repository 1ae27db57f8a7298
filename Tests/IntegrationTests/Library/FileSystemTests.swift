import Foundation
import Glibc
import Testing

/// The file systems that can do least, of all that `make file-systems` tries.
@Suite(.timeLimit(.minutes(10)))
struct FileSystemTests {
  private static let isPossible =
    geteuid() == 0 && SmallDisk.isPossible
    && ["/usr/sbin/mount.exfat-fuse", "/usr/bin/ntfs-3g", "/dev/fuse"].allSatisfy {
      FileManager.default.fileExists(atPath: $0)
    }

  @Test(
    "S85, S86: on exFAT and NTFS all is told and added, and another disk is not the library",
    .enabled(if: isPossible, "root, exfat-fuse and ntfs-3g are needed"), arguments: ["exfat", "ntfs"])
  func fuse(name: String) throws {
    let library = try TemporaryLibrary()
    let folder = URL(filePath: BuildFolder.daemon).deletingLastPathComponent().path()
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../FileSystems/run").standardizedFileURL.path()
    let arguments = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "python3", script, folder, name]
    let exit = try ChildProcess("/usr/bin/env", arguments, log: library.log).wait()
    #expect(exit == .status(0), "\(library.logText)")
  }
}
