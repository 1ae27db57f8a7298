import Glibc
import Testing
import TestSupport

@testable import LibraryIO

/// Which file systems may not answer, as the kernel's table of mounts tells (decision 60).
@Suite("What is mounted where")
struct MountsTests {
  private func mounts(_ lines: String...) -> Mounts {
    let all = ["1 0 8:1 / / rw - ext4 /dev/nosuchdisk rw"] + lines
    return Mounts(table: Array(all.joined(separator: "\n").utf8))
  }

  @Test("21: a disk of the kernel's is known to answer, another machine's or a process's is not")
  func types() {
    #expect(!mounts().mayHang("/srv/photos"))
    for type in ["fuse.sshfs", "fuse", "nfs4", "cifs", "9p", "ceph", "autofs"] {
      #expect(mounts("2 1 0:40 / /srv rw shared:1 - \(type) server:/x rw").mayHang("/srv/photos"), "\(type)")
    }
    for type in ["xfs", "btrfs", "tmpfs", "vfat", "exfat", "ntfs3"] {
      #expect(!mounts("2 1 0:40 / /srv rw shared:1 - \(type) none rw").mayHang("/srv/photos"), "\(type)")
    }
  }

  @Test("21: what counts is the last of the nearest, and all that is mounted beneath")
  func places() {
    let slow = "2 1 0:40 / /srv/photos rw - fuse x rw"
    #expect(mounts(slow).mayHang("/srv/photos"))
    #expect(mounts(slow).mayHang("/srv"))
    #expect(!mounts(slow).mayHang("/srv/photos2"))
    #expect(!mounts(slow, "3 2 0:41 / /srv/photos rw - tmpfs none rw").mayHang("/srv/photos/a"))
    #expect(mounts("2 1 0:40 / /srv/a\\040b rw - fuse x rw").mayHang("/srv/a b/c"))
  }

  @Test("21: what leads over the kernel's own directories leads over nothing that may not answer")
  func devices() {
    let devices = "2 1 0:6 / /dev rw - devtmpfs devtmpfs rw"
    #expect(!mounts(devices, "3 2 0:23 / /dev/shm rw - tmpfs tmpfs rw").mayHang("/dev/shm/photos"))
    #expect(mounts(devices, "3 2 0:23 / /dev/shm rw - fuse x rw").mayHang("/dev/shm/photos"))
  }

  @Test("21: an overlay is as its layers are")
  func overlay() {
    let overlay = "3 1 0:41 / /srv rw - overlay overlay rw,lowerdir=/low:/lower,upperdir=/up,workdir=/work"
    #expect(!mounts(overlay).mayHang("/srv"))
    #expect(mounts("2 1 0:40 / /lower rw - nfs x rw", overlay).mayHang("/srv"))
  }

  @Test("21: an overlay whose layers lead back to it, as they do in a container, is looked at once")
  func overlayOfItself() {
    let root = "1 0 0:40 / / rw - overlay overlay rw,lowerdir=/var/stage:/var/root"
    func mounts(_ lines: String...) -> Mounts {
      Mounts(table: Array(([root] + lines).joined(separator: "\n").utf8))
    }
    #expect(!mounts().mayHang("/"))
    #expect(!mounts().mayHang("/srv/photos"))
    // In a circle, with one of which a layer may keep waiting.
    let other = "2 1 0:41 / /var/root rw - overlay overlay rw,lowerdir=/lower:/far"
    #expect(!mounts(other).mayHang("/srv/photos"))
    #expect(mounts(other, "3 1 0:42 / /far rw - nfs x rw").mayHang("/srv/photos"))
  }

  @Test("21: a symbolic link leads to where it leads, and none is followed over what may not answer")
  func links() throws {
    let directory = try TemporaryDirectory()
    try #require(symlink("/srv/photos", directory.path + "/link") == 0)
    #expect(mounts("2 1 0:40 / /srv rw - fuse x rw").mayHang(directory.path + "/link"))
    #expect(!mounts().mayHang(directory.path + "/link"))
    #expect(mounts("2 1 0:40 / \(directory.path) rw - fuse x rw").mayHang(directory.path + "/link"))
  }
}
