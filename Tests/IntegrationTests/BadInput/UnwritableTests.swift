import AlbumAPI
import Foundation
import Glibc
import Linux
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@Suite("R5: a library that cannot be written", .blocking)
struct UnwritableTests {
  private func begin(_ connection: Connection, _ id: String, _ content: [UInt8], _ host: Host) throws {
    let path = try host.library.add("../source-\(UInt64.random(in: 0...UInt64.max))", content)
    let batch = DescriptorBatch()
    let index = batch.append(
      try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC), call: "open", subject: path))
    try connection.send(
      try Call(LibraryInterface.ReplaceAsset.self, .init(id: id, fileDescriptor: index)), descriptors: batch)
  }

  @Test(
    "full: NoSpace, nothing half-made stays, and it works again when there is room",
    .enabled(if: SmallDisk.isPossible, "mounting a tmpfs is not permitted"))
  func full() throws {
    let library = try TemporaryLibrary()
    let disk = try SmallDisk(at: library.photos, kilobytes: 1024)
    try library.add("one.jpg", Photo.jpeg("one"))
    let host = try Host(library)
    let owner = try host.owner()
    let id = try owner.asset("one.jpg").id
    try disk.fill()
    let large = Photo.jpeg("large") + [UInt8](repeating: 0, count: 65536)
    try begin(owner, id, large, host)
    let error = try failure { _ = try owner.receive(LibraryInterface.ReplaceAsset.self) }
    #expect(error.name == LibraryInterface.NoSpace.name)
    #expect(try owner.content(of: id) == Photo.jpeg("one"))
    #expect(try owner.call(ManagerInterface.ListDeleted.self, .init()).assets.isEmpty)
    let hidden = try FileManager.default.contentsOfDirectory(atPath: library.path(".albumd-deleted"))
    #expect(hidden.isEmpty)
    try disk.empty()
    try begin(owner, id, large, host)
    #expect(try owner.receive(LibraryInterface.ReplaceAsset.self).asset.byteCount == Int64(large.count))
  }

  @Test(
    "read-only: a clear error, and nothing is lost",
    .enabled(if: SmallDisk.isPossible, "mounting a tmpfs is not permitted"))
  func readOnly() throws {
    let library = try TemporaryLibrary()
    let disk = try SmallDisk(at: library.photos, kilobytes: 1024)
    try library.add("A/one.jpg", Photo.jpeg("one"))
    let host = try Host(library)
    let owner = try host.owner()
    let (id, album) = (try owner.asset("one.jpg").id, try owner.album("A").id)
    let flags = UInt(MS_REMOUNT | MS_RDONLY)
    guard mount(nil, library.photos, nil, flags, nil) == 0 else { throw SystemError("mount") }
    for error in [
      try failure { try owner.call(LibraryInterface.CreateAlbum.self, .init(title: "x", parent: album)) },
      try failure { try owner.call(LibraryInterface.DeleteAssets.self, .init(ids: [id])) },
    ] {
      #expect(error.description.contains("read-only"), "\(error)")
    }
    #expect(try owner.content(of: id) == Photo.jpeg("one"))
    #expect(try owner.call(ManagerInterface.ListDeleted.self, .init()).assets.isEmpty)
    withExtendedLifetime(disk) {}
  }
}
