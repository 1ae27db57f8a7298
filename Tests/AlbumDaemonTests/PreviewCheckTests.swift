import CLinux
import Glibc
import Linux
import PictureAPI
import Storage
import TestSupport
import Testing

@testable import AlbumDaemon

@Suite("What a reader of pictures hands back") struct PreviewCheckTests {
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]

  private func check(
    _ file: borrowing OwnedDescriptor, byteCount: Int = 7, _ encoding: PicturesInterface.Encoding = .jpeg
  ) -> Preview? {
    let reply = PicturesInterface.Render.Reply(
      fileDescriptor: 0, byteCount: byteCount, encoding: encoding, pixelWidth: 4, pixelHeight: 3)
    return Preview(checking: reply, file.number)
  }

  private func sealed(_ bytes: [UInt8]) throws -> OwnedDescriptor {
    let number = bytes.withUnsafeBytes { linux_sealed_file($0.baseAddress, $0.count) }
    return try OwnedDescriptor(number, call: "memfd_create")
  }

  @Test("S52: a sealed memory file of the size that was said, with such a picture, is copied")
  func sealed() throws {
    #expect(check(try sealed(Self.jpeg))?.bytes == Self.jpeg)
  }

  @Test(
    "S52: a memory file that can still be changed is none, nor is another file, another size or another beginning"
  )
  func unsealed() throws {
    let open = try OwnedDescriptor(linux_memory_file(), call: "memfd_create")
    try #require(write(open.number, Self.jpeg, Self.jpeg.count) == Self.jpeg.count)
    #expect(check(open) == nil)
    let directory = try TemporaryDirectory()
    let regular = try OwnedDescriptor(
      Glibc.open("\(directory.path)/a", O_RDWR | O_CREAT | O_CLOEXEC, 0o600), call: "open")
    try #require(write(regular.number, Self.jpeg, Self.jpeg.count) == Self.jpeg.count)
    #expect(check(regular) == nil)
    for count in [-1, 0, 6, 8, .max] { #expect(check(try sealed(Self.jpeg), byteCount: count) == nil) }
    #expect(check(try sealed([1, 2, 3, 4, 5, 6, 7])) == nil)
  }

  @Test("S54: a pixmap has the size that was said, in its header and in its pixels")
  func pixmap() throws {
    func pixmap(_ header: String, _ count: Int = 36) -> [UInt8] {
      Array(header.utf8) + [UInt8](repeating: 7, count: count)
    }
    let whole = pixmap("P6\n4 3\n255\n")
    #expect(check(try sealed(whole), byteCount: whole.count, .pixmap)?.bytes == whole)
    let others = [
      pixmap("P6\n3 4\n255\n"), pixmap("P6\n4 3\n254\n"), pixmap("P5\n4 3\n255\n"),
      pixmap("P6\n4 3\n255\n", 35), pixmap("P6\n4 3\n255\n", 37), Self.jpeg,
    ]
    for other in others {
      #expect(check(try sealed(other), byteCount: other.count, .pixmap) == nil, "\(other)")
    }
  }

  @Test("S54: what is handed out is open for reading only, and sealed")
  func readOnly() throws {
    let file = try sealed(Self.jpeg)
    #expect(fcntl(file.number, F_GETFL) & O_ACCMODE == O_RDONLY)
    #expect(linux_sealed_size(file.number) == 7)
    #expect(write(file.number, "x", 1) == -1)
    // Also opened anew, by who has its number.
    let again = Glibc.open("/proc/self/fd/\(file.number)", O_RDWR | O_CLOEXEC)
    if again >= 0 {
      #expect(write(again, "x", 1) == -1 && ftruncate(again, 0) == -1)
      close(again)
    }
  }
}
