import AlbumAPI
import Foundation
import Linux
import TestSupport
import Testing

@Suite("Pictures of phones that are newer than libheif (S49, S54)", .blocking)
struct NewerPhoneTests {
  /// A picture as phones write it with a gain map (ISO/IEC 23008-12 and ISO 21496-1): the map is beside the picture, and beside an item
  /// `tmap` that is derived from both, which is another way to see the same.
  private static func withGainMap(_ bytes: [UInt8]) throws -> [UInt8] {
    let file = boxes(bytes[...])
    let meta = try #require(file.first { $0.type == "meta" }).content
    var content = Array(meta.prefix(4))
    for box in boxes(meta.dropFirst(4)) {
      var inner = Array(box.content)
      switch box.type {
      case "iinf":
        inner[5] = 3
        inner += self.box("infe", [2, 0, 0, 0, 0, 3, 0, 0] + Array("tmap\0".utf8))
      case "iloc":
        // Where the second of two is, the third is as well.
        let entry = inner.suffix((inner.count - 8) / 2).dropFirst(2)
        inner[7] = 3
        inner += [0, 3] + entry
      case "iref":
        inner = Array(inner.prefix(4))
        inner += self.box("auxl", [0, 2, 0, 2, 0, 1, 0, 3]) + self.box("dimg", [0, 3, 0, 2, 0, 1, 0, 2])
      default: break
      }
      content += self.box(box.type, inner)
    }
    let group: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 77, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 1]
    content += box("grpl", box("altr", group))
    // Where the pixels are is counted from the file's start: they stay, and the rest goes behind them.
    var whole: [UInt8] = []
    for part in file {
      let isMoved = part.type == "meta"
      whole += box(
        isMoved ? "free" : part.type,
        isMoved ? [UInt8](repeating: 0, count: part.content.count) : Array(part.content))
    }
    return whole + box("meta", content)
  }

  private static func boxes(_ bytes: ArraySlice<UInt8>) -> [(type: String, content: ArraySlice<UInt8>)] {
    var boxes: [(type: String, content: ArraySlice<UInt8>)] = []
    var rest = bytes
    while rest.count >= 8 {
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard length >= 8, length <= rest.count else { break }
      let box = rest.prefix(length).dropFirst(4)
      boxes.append((String(decoding: box.prefix(4), as: UTF8.self), box.dropFirst(4)))
      rest = rest.dropFirst(length)
    }
    return boxes
  }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    withUnsafeBytes(of: UInt32(8 + content.count).bigEndian) { Array($0) } + Array(type.utf8) + content
  }

  @Test("S49, S54: one with a gain map, which libheif refuses, has its size and its preview")
  func gainMap() throws {
    let host = try Host { library in
      let (png, plain) = ("\(library.directory)/a.png", library.path("plain.heic"))
      try PictureTools.run(
        "convert", "-size", "160x240", "canvas:red", "canvas:blue", "+append", "-alpha", "set", "-channel",
        "A",
        "-evaluate", "set", "50%", "PNG32:\(png)")
      try PictureTools.run("heif-enc", "-q", "90", png, "-o", plain)
      let bytes = try Self.withGainMap([UInt8](Data(contentsOf: URL(filePath: plain))))
      try library.add("newer.heic", bytes)
    }
    let owner = try host.owner()
    try owner.waitUntilDescribed(.generous)
    for name in ["plain.heic", "newer.heic"] {
      let asset = try owner.asset(name)
      #expect(asset.pixelWidth == 320 && asset.pixelHeight == 240, "\(name)")
    }
    try owner.begin(
      LibraryInterface.OpenPreview.self,
      .init(id: owner.asset("newer.heic").id, pixels: 256, encoding: .pixmap))
    let answer = try owner.receive()
    let reply = try answer.decoded(LibraryInterface.OpenPreview.self)
    guard let file = answer.descriptors.take(reply.fileDescriptor) else {
      throw DaemonProcess.Failure("no file came with a preview")
    }
    let path = "\(host.library.directory)/newer.ppm"
    try Data(file.readAll()).write(to: URL(filePath: path))
    #expect(reply.pixelWidth == 256 && reply.pixelHeight == 192)
    #expect(try PictureTools.colour(path, 20, 96) == "red")
    #expect(try PictureTools.colour(path, 236, 96) == "blue")
  }
}
