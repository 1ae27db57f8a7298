import CLinux
import EventLoop
import Glibc
import LibraryModel
import Linux
import Storage
import Testing
import TestSupport

@testable import LibraryIO

/// What a file system is known by (docs/decisions/0065-volumes.md). `Tests/FileSystems/run` has the disks.
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct VolumeTests {
  @Test("S39, S85: an index that the last release wrote keeps every id, and nothing is told")
  @EventLoopActor
  func formerIndex() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/x/deep")
      for name in ["a.jpg", "x/b.jpg", "x/deep/c.jpg"] { try files.put("in/\(name)") }
      try files.link("in/a.jpg", "in/x/a.jpg")
    }
    let paths = ["a.jpg", "x/b.jpg", "x/deep/c.jpg", "x/a.jpg"]
    let before = try paths.map { try library.asset($0)?.id }
    let path = library.base + "/library.sqlite"
    try await library.restart { _ in
      for table in ["root", "directory", "deletedAsset"] {
        try execute("ALTER TABLE \(table) DROP COLUMN volume", on: path)
      }
      try execute("DROP TABLE volume", on: path)
      try execute("DELETE FROM grdb_migrations WHERE identifier = 'library-volumes'", on: path)
    }
    #expect(try paths.map { try library.asset($0)?.id } == before)
    #expect(library.changes.isEmpty)
    #expect(library.monitor.state.summary == .ready)
    let volume = try #require(try library.asset("x/deep/c.jpg")).identity.volume
    #expect(volume != .unknown)
    #expect(library.monitor.contents.tree.all.allSatisfy { $0.identity.volume == volume })
    // And the next time as well, by what was written down.
    try library.store.settle()
    #expect(try number("SELECT count(*) FROM directory WHERE volume = 0", on: path) == 0)
    try await library.restart { _ in }
    #expect(try library.asset("x/deep/c.jpg")?.identity.volume == volume)
    #expect(library.changes.isEmpty)
    library.end()
  }

  @Test("S85: a disk in a root that never comes back goes when an owner says so, and not before", .mounting)
  @EventLoopActor
  func neverBack() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/m")
      try files.put("in/own.jpg")
    }
    let place = library.root + "/m"
    #expect(Mounting.disk(at: place))
    try library.files.put("in/m/a.jpg")
    try library.files.directory("in/m/album")
    try library.files.put("in/m/album/b.jpg")
    try await library.until { try $0.asset("m/a.jpg") != nil && $0.asset("m/album/b.jpg") != nil }
    #expect(!library.monitor.mayAccept(place))
    Mounting.unmount(place)
    await library.until { $0.monitor.state.problems == [.away(place)] }
    #expect(library.monitor.mayAccept(place) && !library.monitor.mayAccept(place + "/album"))
    library.monitor.rescan()
    try await library.settle("one.jpg")
    #expect(try library.asset("m/a.jpg") != nil)
    library.monitor.rescan(accepting: [place])
    try await library.until { library in
      try library.monitor.state.summary == .ready
        && library.indexed() == library.files.media(beneath: "in")
    }
    #expect(try library.asset("m/a.jpg") == nil && library.asset("own.jpg") != nil)
    #expect(library.directory("m/album") == nil && library.directory("m") != nil)
    library.end()
  }

  @Test("S85: a place for a mount that is gone itself goes when an owner says so", .mounting)
  @EventLoopActor
  func placeGone() async throws {
    let library = try await TestLibrary.make { try $0.directory("in/m") }
    let place = library.root + "/m"
    #expect(Mounting.disk(at: place))
    try library.files.put("in/m/a.jpg")
    try await library.until { try $0.asset("m/a.jpg") != nil }
    Mounting.unmount(place)
    await library.until { $0.monitor.state.problems == [.away(place)] }
    library.files.remove("in/m")
    try await library.settle("one.jpg")
    #expect(try library.asset("m/a.jpg") != nil)
    library.monitor.rescan(accepting: [place])
    try await library.until { try $0.asset("m/a.jpg") == nil && $0.monitor.state.summary == .ready }
    library.end()
  }

  @Test(
    "24: a disk that returns where its former place was renamed is itself, and the place an album", .mounting)
  @EventLoopActor
  func placeRenamed() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/m")
      try files.directory("out/disk/album")
      try files.put("out/disk/album/a.jpg")
    }
    let (disk, place) = (library.outside + "/disk", library.root + "/m")
    try Mounting.show(disk, at: place)
    try await library.until { try $0.asset("m/album/a.jpg") != nil }
    let id = try library.asset("m/album/a.jpg")?.id
    Mounting.unmount(place)
    await library.until { $0.monitor.state.summary == .degraded }
    try library.files.put("in/m/plain.jpg")
    try library.files.move("in/m", "in/m2")
    try library.files.directory("in/m")
    try await library.settle("one.jpg")
    try Mounting.show(disk, at: place)
    try await library.until { library in
      try library.asset("m/album/a.jpg") != nil && library.asset("m2/plain.jpg") != nil
        && library.monitor.state.summary == .ready
    }
    #expect(try library.asset("m/album/a.jpg")?.id == id)
    #expect(try library.indexed() == library.files.media(beneath: "in"))
    Mounting.unmount(place)
    library.end()
  }

  @Test(
    "37: what is mounted where another disk was, by the same line of the mount table, is asked which it is",
    .mounting)
  func exchanged() throws {
    let place = try TemporaryDirectory()
    let volumes = Volumes()
    func number() throws -> VolumeNumber {
      let directory = try OwnedDescriptor(open(place.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), call: "open")
      var facts = linux_facts()
      try #require(linux_look(directory.number, "", &facts) == 0)
      return try volumes.number(of: facts, in: directory.number, "")
    }
    func line() throws -> MountTable.Mount {
      try #require(try MountTable.mounts().last { $0.point.elementsEqual(place.path.utf8) })
    }
    try #require(Mounting.disk(at: place.path))
    let one = try number()
    #expect(try volumes.isLive(one, at: line(), Mounts()))
    Mounting.unmount(place.path)
    volumes.mountsChanged()
    try #require(Mounting.disk(at: place.path))
    defer { Mounting.unmount(place.path) }
    let other = try number()
    #expect(try other != one && volumes.isLive(other, at: line(), Mounts()))
    #expect(try !volumes.isLive(one, at: line(), Mounts()))
  }

  @Test(
    "a mount that has gone is remembered no more, however often there is another", .mounting,
    .enabled(if: linux_is_mounted(1 << 62) == 0, "Linux has no statmount(2)"))
  func forgotten() throws {
    let place = try TemporaryDirectory()
    let volumes = Volumes()
    for _ in 0..<5 {
      try #require(Mounting.disk(at: place.path))
      do {
        let directory = try OwnedDescriptor(
          open(place.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), call: "open")
        var facts = linux_facts()
        try #require(linux_look(directory.number, "", &facts) == 0)
        _ = try volumes.number(of: facts, in: directory.number, "")
        #expect(volumes.foundCount == 1)
      }
      Mounting.unmount(place.path)
      volumes.mountsChanged()
    }
    #expect(volumes.foundCount == 0)
  }

  // MARK: Names

  @Test("S86: where a rename may replace, a taken name is refused, and what has it stays")
  func reserved() throws {
    let directory = try TemporaryDirectory()
    let (new, taken) = (directory.path + "/new", directory.path + "/taken")
    for (path, text) in [(new, "new"), (taken, "taken")] { try text.write(toFile: path) }
    #expect(renameOverReserved(AT_FDCWD, new, AT_FDCWD, taken) == -1 && errno == EEXIST)
    #expect(try String(file: taken) == "taken" && String(file: new) == "new")
    let free = directory.path + "/free"
    #expect(renameOverReserved(AT_FDCWD, new, AT_FDCWD, free) == 0)
    #expect(try String(file: free) == "new")
    // What cannot be renamed gives the name back.
    let other = directory.path + "/other"
    #expect(renameOverReserved(AT_FDCWD, new, AT_FDCWD, other) == -1 && errno == ENOENT)
    #expect(access(other, F_OK) == -1)
  }

  // MARK: What a disk says of itself

  private func sector(_ parts: [(Int, [UInt8])]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 512)
    for (offset, part) in parts { bytes.replaceSubrange(offset..<(offset + part.count), with: part) }
    return bytes
  }

  @Test("the serial numbers of FAT, exFAT and NTFS are written as blkid(8) writes them")
  func serials() {
    let serial: [UInt8] = [0x78, 0x56, 0x34, 0x12]
    let fat16 = sector([(0x27, serial), (0x36, Array("FAT16   ".utf8))])
    let fat32 = sector([(0x43, serial), (0x52, Array("FAT32   ".utf8))])
    let exFAT = sector([(0x64, serial), (3, Array("EXFAT   ".utf8))])
    let ntfs = sector([(0x48, serial + [1, 2, 3, 4]), (3, Array("NTFS    ".utf8))])
    for bytes in [fat16, fat32, exFAT] { #expect(BootSector(bytes).uuid == "1234-5678") }
    #expect(BootSector(ntfs).uuid == "0403020112345678")
    #expect(BootSector(sector([])).uuid == nil)
  }

  @Test("what FUSE says that it shows is not opened unless it is the very disk")
  func claimedSource() throws {
    let directory = try TemporaryDirectory()
    let pipe = directory.path + "/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    // Opening it would wait for a writer.
    for source in [pipe, "/dev/null", "/etc/passwd", "relative", directory.path + "/none"] {
      #expect(BootSector(ofDevice: 1 << 32 | 3, source: Array(source.utf8)) == nil)
    }
  }
}

extension String {
  fileprivate func write(toFile path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    try #require(Glibc.write(file, self, utf8.count) == utf8.count)
  }

  fileprivate init(file path: String) throws {
    var bytes = [UInt8](repeating: 0, count: 64)
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let count = read(file, &bytes, bytes.count)
    try #require(count >= 0)
    self.init(decoding: bytes[..<count], as: UTF8.self)
  }
}
