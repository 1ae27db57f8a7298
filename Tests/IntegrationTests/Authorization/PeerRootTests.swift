import AlbumAPI
import Glibc
import TestSupport
import Testing
import Varlink

/// A process chooses its root directory where its user may make namespaces. What is there tells of a Flatpak, and may be a
/// file system of the peer's own, which answers when it likes.
@Suite("The root directory of a peer", .blocking)
struct PeerRootTests {
  @Test(
    "S36: a peer whose root is a file system in user space is refused, and nothing is asked of that",
    .enabled(if: isRoot && UserFileSystem.isPossible, "mounting a file system in user space is not permitted")
  )
  func userSpace() throws {
    let host = try Host()
    let root = "\(host.library.directory)/root"
    try host.library.makeAlbum("../root")
    let files = try UserFileSystem(at: root)
    let app = try host.app()
    try app.changeRoot(to: root)
    let before = files.requestCount
    let error = try failure { _ = try app.connect().status() }
    #expect(error.name == AuthorizationInterface.UnidentifiedPeer.name)
    #expect(error.description.contains("may not answer: fuse"), "\(error)")
    #expect(files.requestCount == before)
    // It counts what is asked of it.
    _ = access("\(root)/.flatpak-info", F_OK)
    #expect(files.requestCount > before)
  }

  @Test(
    "S35: a peer whose root is a directory and no mount is who it is; what it has there makes it a Flatpak, not verified",
    .enabled(if: isRoot, "changing the root needs root"))
  func directory() throws {
    let host = try Host()
    for name in ["plain", "forged"] { try host.library.makeAlbum("../\(name)") }
    try host.library.write(
      "\(host.library.directory)/forged/.flatpak-info", "[Application]\nname=org.example.Forged\n")

    let app = try host.app()
    try app.changeRoot(to: "\(host.library.directory)/plain")
    let identity = try app.connect().call(AuthorizationInterface.WhoAmI.self, .init()).identity
    #expect(identity.appId == AppDescription.wallpapers.id)

    let forged = try host.app()
    try forged.changeRoot(to: "\(host.library.directory)/forged")
    let other = try forged.connect().call(AuthorizationInterface.WhoAmI.self, .init()).identity
    #expect(other.appId == "org.example.Forged" && !other.verified)
  }

  @Test(
    "S36: a Flatpak's file that is a symbolic link is not followed, and its peer refused",
    .enabled(if: isRoot, "changing the root needs root"))
  func link() throws {
    let host = try Host()
    try host.library.makeAlbum("../linked")
    let root = "\(host.library.directory)/linked"
    try host.library.write("\(root)/info", "[Application]\nname=org.example.Forged\n")
    #expect(symlink("info", "\(root)/.flatpak-info") == 0)
    let app = try host.app()
    try app.changeRoot(to: root)
    let error = try failure { _ = try app.connect().status() }
    #expect(error.name == AuthorizationInterface.UnidentifiedPeer.name)
  }

  @Test(
    "S36: a Flatpak's file that is on a file system in user space is not opened",
    .enabled(if: isRoot && UserFileSystem.isPossible, "mounting a file system in user space is not permitted")
  )
  func fileInUserSpace() throws {
    let host = try Host()
    try host.library.makeAlbum("../root/.flatpak-info")
    let files = try UserFileSystem(at: "\(host.library.directory)/root/.flatpak-info")
    let app = try host.app()
    try app.changeRoot(to: "\(host.library.directory)/root")
    let before = files.requestCount
    let error = try failure { _ = try app.connect().status() }
    #expect(error.name == AuthorizationInterface.UnidentifiedPeer.name)
    #expect(error.description.contains("may not answer"), "\(error)")
    #expect(files.requestCount == before)
  }
}
