import AlbumAPI
import AlbumClient
import Foundation
import Glibc
import Linux
import TestSupport
import Testing
import Varlink

@Suite("Previews (S54)", .blocking)
struct PreviewTests {
  /// A preview as it came, and a file with it.
  private struct Got {
    let reply: LibraryInterface.OpenPreview.Reply
    let path: String
    let bytes: [UInt8]
  }

  private func preview(
    _ host: Host, _ name: String, _ pixels: Int, crop: Bool? = nil, by app: Connection? = nil,
    _ encoding: LibraryInterface.PreviewEncoding? = nil
  ) throws -> Got {
    let connection = try app ?? host.owner()
    let id = try connection.asset(name).id
    try connection.begin(
      LibraryInterface.OpenPreview.self, .init(id: id, pixels: pixels, crop: crop, encoding: encoding))
    let answer = try connection.receive()
    let reply = try answer.decoded(LibraryInterface.OpenPreview.self)
    guard let file = answer.descriptors.take(reply.fileDescriptor) else {
      throw DaemonProcess.Failure("no file came with a preview")
    }
    #expect(fcntl(file.number, F_GETFL) & O_ACCMODE == O_RDONLY)
    let bytes = try file.readAll()
    let path = "\(host.library.directory)/\(name)-\(pixels)"
    try Data(bytes).write(to: URL(filePath: path))
    return Got(reply: reply, path: path, bytes: bytes)
  }

  @Test(
    "S54: a photo's preview is upright, sRGB and without metadata, and never larger than asked or than the photo"
  )
  func photo() throws {
    let host = try Host { library in
      let path = library.path("a.jpg")
      try PictureTools.halves(path)
      // On its side: what is left in the file is on top when it is shown.
      try PictureTools.run(
        "exiftool", "-q", "-overwrite_original", "-n", "-Orientation=6", "-GPSLatitude=33.8",
        "-GPSLatitudeRef=S",
        "-XMP-dc:Title=secret", "-Comment=secret", path)
    }
    for (asked, longer) in [(256, 256), (300, 300), (1024, 1024), (4096, 1600)] {
      let got = try preview(host, "a.jpg", asked)
      #expect(got.reply.pixelHeight == longer && got.reply.pixelWidth == longer * 3 / 4)
      #expect(got.reply.mediaType == "image/jpeg")
      #expect(
        try PictureTools.run("identify", "-format", "%m %w %h %[colorspace]", got.path)
          == "JPEG \(got.reply.pixelWidth) \(got.reply.pixelHeight) sRGB")
      #expect(try PictureTools.colour(got.path, 20, 20) == "red")
      #expect(try PictureTools.colour(got.path, 20, longer - 20) == "blue")
      let tags = try PictureTools.run("exiftool", "-a", "-G1", "-s", got.path)
      for group in ["[GPS]", "[XMP", "[IFD0]", "[ICC", "[IPTC]", "secret"] { #expect(!tags.contains(group)) }
    }
  }

  @Test("S54: a crop is the square in the middle")
  func crop() throws {
    let host = try Host { try PictureTools.halves($0.path("a.png"), width: 900, height: 300) }
    for (asked, side) in [(128, 128), (256, 256), (512, 300)] {
      let got = try preview(host, "a.png", asked, crop: true)
      #expect(got.reply.pixelWidth == side && got.reply.pixelHeight == side)
      #expect(try PictureTools.colour(got.path, 5, side / 2) == "red")
      #expect(try PictureTools.colour(got.path, side - 5, side / 2) == "blue")
    }
  }

  @Test("S54: where something shows through it is a WebP, else a JPEG")
  func transparent() throws {
    let host = try Host { library in
      try PictureTools.run(
        "convert", "-size", "800x600", "canvas:none", "-fill", "red", "-draw", "rectangle 0,0 400,600",
        library.path("through.png"))
      try PictureTools.run("convert", "-size", "800x600", "canvas:red", "PNG32:\(library.path("opaque.png"))")
    }
    #expect(try preview(host, "through.png", 256).reply.mediaType == "image/webp")
    #expect(try preview(host, "through.png", 100).reply.mediaType == "image/webp")
    #expect(try preview(host, "opaque.png", 256).reply.mediaType == "image/jpeg")
  }

  @Test("S54: as a pixmap it has every pixel, on grey where something shows through, and is not kept")
  func pixmap() throws {
    let host = try Host { library in
      try PictureTools.halves(library.path("a.jpg"))
      try PictureTools.run(
        "convert", "-size", "800x600", "canvas:none", "-fill", "red", "-draw", "rectangle 0,0 400,600",
        library.path("through.png"))
    }
    let got = try preview(host, "a.jpg", 512, .pixmap)
    #expect(got.reply.mediaType == "image/x-portable-pixmap")
    #expect(got.reply.pixelWidth == 512 && got.reply.pixelHeight == 384)
    #expect(got.bytes.starts(with: "P6\n512 384\n255\n".utf8) && got.bytes.count == 15 + 512 * 384 * 3)
    #expect(try PictureTools.colour(got.path, 20, 200) == "red")
    #expect(try PictureTools.colour(got.path, 490, 200) == "blue")
    let square = try preview(host, "a.jpg", 100, crop: true, .pixmap)
    #expect(square.bytes.starts(with: "P6\n100 100\n255\n".utf8))
    let through = try preview(host, "through.png", 256, .pixmap)
    #expect(try PictureTools.colour(through.path, 20, 20) == "red")
    #expect(through.bytes.suffix(3) == [128, 128, 128])
    let cache = "\(host.library.directory)/state/previews"
    #expect((try? FileManager.default.contentsOfDirectory(atPath: cache))?.isEmpty ?? true)
    // What is kept is asked for in the same words as before, or by its name.
    #expect(try preview(host, "a.jpg", 256, .compressed).bytes == preview(host, "a.jpg", 256).bytes)
    let owner = try host.owner()
    let id = try owner.asset("a.jpg").id
    let client = try AlbumConnection(socket: host.library.socket)
    try client.actAsOwner()
    let opened = try client.openPreview(id, pixels: 100, crop: true, encoding: .pixmap)
    #expect(
      opened.mediaType == "image/x-portable-pixmap" && opened.pixelWidth == 100 && opened.pixelHeight == 100)
    for pixels in [15, 513, 4096] {
      let error = try failure {
        try owner.call(LibraryInterface.OpenPreview.self, .init(id: id, pixels: pixels, encoding: .pixmap))
      }
      #expect(error.typed(InvalidParameter.self) == .init(parameter: "pixels"))
    }
  }

  @Test("S54: of a video it is the first frame that is not black")
  func video() throws {
    let host = try Host { try PictureTools.film($0.path("film.mp4")) }
    let got = try preview(host, "film.mp4", 256)
    #expect(got.reply.pixelWidth == 256 && got.reply.pixelHeight == 192)
    #expect(try PictureTools.colour(got.path, 100, 100) == "red")
  }

  @Test(
    "S54: in every other format that is read",
    arguments: ["webp", "gif", "tif", "bmp", "jp2", "heic", "avif"])
  func formats(ending: String) throws {
    let host = try Host { library in
      let path = library.path("a.\(ending)")
      switch ending {
      case "heic", "avif":
        let png = "\(library.directory)/a.png"
        try PictureTools.halves("PNG24:\(png)")
        let options = ending == "avif" ? ["-A"] : []
        try PictureTools.run("heif-enc", options + ["-q", "90", png, "-o", path])
      default: try PictureTools.halves(path)
      }
    }
    let got = try preview(host, "a.\(ending)", 512)
    #expect(got.reply.pixelWidth == 512 && got.reply.pixelHeight == 384)
    #expect(try PictureTools.colour(got.path, 20, 200) == "red")
    #expect(try PictureTools.colour(got.path, 490, 200) == "blue")
  }

  @Test("S16, S54: who may not open an asset has no preview of it, and it is noted as opened, together")
  func rights() throws {
    let host = try Host { library in
      for name in ["Seen/a.png", "Hidden/b.png"] {
        try library.add(name)
        try PictureTools.halves(library.path(name), width: 64, height: 48)
      }
    }
    let app = try host.app().connect()
    let owner = try host.owner()
    let hidden = try owner.asset("b.png").id
    let refused = try failure {
      try app.call(LibraryInterface.OpenPreview.self, .init(id: hidden, pixels: 256))
    }
    #expect(refused.name == LibraryInterface.NotAuthorized.name)
    try host.limit(app, assets: [try owner.asset("a.png").id])
    #expect(try preview(host, "a.png", 256, by: app).reply.pixelWidth == 64)
    for _ in 0..<3 { _ = try preview(host, "a.png", 64, by: app) }
    let unseen = try failure {
      try app.call(LibraryInterface.OpenPreview.self, .init(id: hidden, pixels: 256))
    }
    #expect(unseen.typed(LibraryInterface.NoSuchAsset.self) == .init(id: hidden))
    let opened = try host.accessLog(.wallpapers).filter { $0.kind == .open }
    #expect(opened.count == 1 && opened.first?.count == 4)
  }

  @Test("S52, S54: what cannot be read has none, and its neighbours do")
  func unreadable() throws {
    let host = try Host { library in
      try library.add("broken.jpg", Photo.jpeg("no pixels"))
      try PictureTools.halves(library.path("whole.jpg"))
    }
    let owner = try host.owner()
    let id = try owner.asset("broken.jpg").id
    let error = try failure { try owner.call(LibraryInterface.OpenPreview.self, .init(id: id, pixels: 256)) }
    #expect(
      error.typed(LibraryInterface.PreviewUnavailable.self) == .init(id: id, reason: .unreadable))
    #expect(try preview(host, "whole.jpg", 256).reply.pixelWidth == 256)
    for pixels in [15, 4097, -1] {
      let error = try failure {
        try owner.call(LibraryInterface.OpenPreview.self, .init(id: id, pixels: pixels))
      }
      #expect(error.typed(InvalidParameter.self) == .init(parameter: "pixels"))
    }
  }

  @Test("S54: what is kept survives a restart, follows the content, and is not believed when it is damaged")
  func cache() throws {
    let host = try Host { try PictureTools.halves($0.path("a.png"), width: 640, height: 480) }
    let cache = "\(host.library.directory)/state/previews"
    let first = try preview(host, "a.png", 256)
    // It is kept after it was answered, and before the next is looked for.
    #expect(try preview(host, "a.png", 256).bytes == first.bytes)
    let kept = try #require(try FileManager.default.contentsOfDirectory(atPath: cache).first)
    // Every byte of it counts.
    let path = URL(filePath: "\(cache)/\(kept)")
    var bytes = try Data(contentsOf: path)
    bytes[bytes.count - 10] ^= 1
    try bytes.write(to: path)
    #expect(try preview(host, "a.png", 256).bytes == first.bytes)
    // What it says of itself is read once as well.
    let owner = try host.owner()
    let deadline = Deadline.generous
    while try owner.info().undescribed != 0, !deadline.hasPassed {}
    try host.daemon.stop()
    try host.daemon.start()
    #expect(try preview(host, "a.png", 256).bytes == first.bytes)
    #expect(try readers(host).isEmpty)
    // Another content under the same name.
    try PictureTools.run("convert", "-size", "640x480", "canvas:green", host.library.path("a.png"))
    #expect(try PictureTools.colour(try preview(host, "a.png", 256).path, 20, 20) == "green")
  }

  @Test("S54: previews are prepared in the order of the ids, and it is told how many")
  func prepare() throws {
    let host = try Host { library in
      for number in 0..<20 { try PictureTools.halves(library.path("\(number).png"), width: 64, height: 48) }
    }
    let owner = try host.owner()
    let ids = try owner.assets().map(\.id) + ["unknown"]
    try owner.begin(LibraryInterface.PreparePreviews.self, .init(ids: ids, pixels: 256), more: true)
    var told: [Int] = []
    while true {
      let answer = try owner.receive()
      told.append(try answer.decoded(LibraryInterface.PreparePreviews.self).completed)
      if !answer.reply.continues { break }
    }
    #expect(told == told.sorted() && told.count > 1 && told.last == 21)
    // What was answered last is kept before the next is looked for.
    _ = try preview(host, "0.png", 256)
    let cache = "\(host.library.directory)/state/previews"
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache).count == 20)
  }

  @Test("S54: who hangs up ends what prepares previews for it")
  func hungUp() throws {
    let host = try Host { library in
      try PictureTools.halves(library.path("0.jpg"))
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: library.path("0.jpg"))))
      // Each its own content.
      for number in 1..<200 { try library.add("\(number).jpg", bytes + [UInt8(number)]) }
    }
    let owner = try host.owner()
    let ids = try owner.assets(.init(limit: 500)).map(\.id)
    try #require(ids.count == 200)
    func prepare(_ ids: [String]) throws -> Connection {
      let connection = try host.owner()
      try connection.begin(LibraryInterface.PreparePreviews.self, .init(ids: ids, pixels: 256), more: true)
      return connection
    }
    // As many as there may be of one user, so that another is taken when one of them has ended.
    do {
      let all = try (0..<4).map { _ in try prepare(ids) }
      for connection in all {
        #expect(try connection.receive().decoded(LibraryInterface.PreparePreviews.self).completed < 200)
      }
      let busy = try failure {
        _ = try prepare([ids[0]]).receive().decoded(LibraryInterface.PreparePreviews.self)
      }
      #expect(busy.typed(LibraryInterface.PreviewUnavailable.self)?.reason == .busy)
    }
    let deadline = Deadline.generous
    while (try? prepare([ids[0]]).receive().decoded(LibraryInterface.PreparePreviews.self)) == nil {
      try #require(!deadline.hasPassed, "none of them ends")
    }
    let cache = "\(host.library.directory)/state/previews"
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache).count < 200)
  }

  @Test("S54: who keeps previews open gets no more of them, until one is closed; who closes them goes on")
  func held() throws {
    ResourceLimits.raiseOpenFiles()
    let host = try Host { try PictureTools.halves($0.path("a.png"), width: 64, height: 48) }
    let owner = try host.owner()
    let id = try owner.asset("a.png").id
    func open() throws -> OwnedDescriptor {
      try owner.begin(LibraryInterface.OpenPreview.self, .init(id: id, pixels: 256))
      let answer = try owner.receive()
      guard
        let file = answer.descriptors.take(
          try answer.decoded(LibraryInterface.OpenPreview.self).fileDescriptor)
      else { throw DaemonProcess.Failure("no file came with a preview") }
      return file
    }
    for _ in 0..<1100 { _ = try open() }
    var held: [Held] = []
    let error = try failure {
      for _ in 0..<1100 { held.append(Held(try open())) }
    }
    #expect(error.typed(LibraryInterface.PreviewUnavailable.self) == .init(id: id, reason: .busy))
    #expect(held.count == 1024)
    held = []
    let deadline = Deadline.generous
    while (try? open()) == nil { try #require(!deadline.hasPassed, "nothing is given back") }
  }

  private final class Held {
    let file: OwnedDescriptor

    init(_ file: consuming OwnedDescriptor) { self.file = file }
  }

  /// The processes of a daemon that read pictures.
  private func readers(_ host: Host) throws -> [pid_t] {
    let all = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
    return all.filter { pid in
      guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8) else {
        return false
      }
      return status.contains("Name:\talbumd-pictures") && status.contains("PPid:\t\(host.daemon.pid)\n")
    }
  }

  @Test("S53: a process reads pictures once one is asked for, and none before")
  func process() throws {
    #expect(try readers(try Host()).isEmpty)
    let host = try Host { try PictureTools.halves($0.path("a.jpg")) }
    _ = try preview(host, "a.jpg", 256)
    #expect(try readers(host).count == 1)
  }

  @Test("S53: what is being read for who has hung up ends, others have the place, and nothing is made of it")
  func deserted() throws {
    let names = ["a.jpg", "b.jpg", "c.jpg"]
    let host = try Host { library in for name in names { try PictureTools.halves(library.path(name)) } }
    let owner = try host.owner()
    try owner.waitUntilDescribed(.generous)
    _ = try preview(host, "a.jpg", 256, by: owner)
    // It answers nothing any more.
    for reader in try readers(host) { kill(reader, SIGSTOP) }
    var gone: Connection? = try host.owner()
    let id = try owner.asset("b.jpg").id
    try gone?.begin(LibraryInterface.OpenPreview.self, .init(id: id, pixels: 256))
    let deadline = Deadline.generous
    // The file of who asks, and the reader's.
    while try opened(host, "b.jpg") < 2 { try #require(!deadline.hasPassed, "nothing is read") }
    gone = nil
    while try opened(host, "b.jpg") > 0 { try #require(!deadline.hasPassed, "it is still read") }
    _ = try preview(host, "c.jpg", 256, by: owner)
    // What is kept is read after it was written, which was after anything of the other photo.
    _ = try preview(host, "c.jpg", 256, by: owner)
    let cache = "\(host.library.directory)/state/previews"
    #expect(try FileManager.default.subpathsOfDirectory(atPath: cache).count { !$0.hasPrefix(".") } == 2)
  }

  /// How often the daemon has a photo open.
  private func opened(_ host: Host, _ name: String) throws -> Int {
    let directory = "/proc/\(host.daemon.pid)/fd"
    return try FileManager.default.contentsOfDirectory(atPath: directory).count {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\($0)"))?.hasSuffix(
        "/" + name)
        ?? false
    }
  }

  @Test("albumctl preview writes one")
  func command() throws {
    let host = try Host { try PictureTools.halves($0.path("a.jpg")) }
    let id = try host.owner().asset("a.jpg").id
    let output = "\(host.library.directory)/small.jpg"
    let result = try host.albumctl("preview", id, "--owner", "-o", output, "--pixels", "128", "--crop")
    #expect(result.status == 0, "\(result.output)")
    #expect(try PictureTools.run("identify", "-format", "%m %w %h", output) == "JPEG 128 128")
  }
}
