import AlbumAPI
import Foundation
import Linux
import TestSupport
import Testing

@Suite("Previews look like their pictures (S54)", .blocking)
struct PreviewColourTests {
  /// The colours of a picture's quarters, from left to right and from the top.
  private typealias Quarters = [[Int]]

  private static let quarters: Quarters = [[200, 60, 40], [60, 180, 80], [30, 60, 200], [128, 128, 128]]
  /// What these numbers are in sRGB if they are Display P3's.
  private static let wide: Quarters = [[220, 37, 12], [0, 185, 63], [7, 58, 209], [129, 129, 129]]

  /// - Parameter options: of ImageMagick, for the whole picture.
  private static func make(_ path: String, _ options: [String] = []) throws {
    let colours = quarters.map { "canvas:rgb(\($0[0]),\($0[1]),\($0[2]))" }
    try PictureTools.run(
      "convert",
      ["-size", "320x240", "(", colours[0], colours[1], "+append", ")", "(", colours[2], colours[3]]
        + ["+append", ")", "-append"] + options + ["-quality", "98", path])
  }

  private static func profile(_ bytes: [UInt8], in directory: String) throws -> [String] {
    let path = "\(directory)/profile.icc"
    try Data(bytes).write(to: URL(filePath: path))
    return ["-profile", path]
  }

  private func shown(_ host: Host, _ name: String) throws -> Quarters {
    let owner = try host.owner()
    let id = try owner.asset(name).id
    try owner.begin(
      LibraryInterface.OpenPreview.self, .init(id: id, pixels: 256, encoding: .pixmap))
    let answer = try owner.receive()
    let reply = try answer.decoded(LibraryInterface.OpenPreview.self)
    guard let file = answer.descriptors.take(reply.fileDescriptor) else {
      throw DaemonProcess.Failure("no file came with a preview")
    }
    let (width, height) = (reply.pixelWidth, reply.pixelHeight)
    let pixels = Array(try file.readAll().suffix(width * height * 3))
    return Self.corners(of: pixels, width, height)
  }

  private static func corners(of pixels: [UInt8], _ width: Int, _ height: Int) -> Quarters {
    [(1, 1), (3, 1), (1, 3), (3, 3)].map { across, down in
      let place = (height * down / 4 * width + width * across / 4) * 3
      return pixels[place..<place + 3].map { Int($0) }
    }
  }

  /// Within what coding of frames and pictures changes.
  private func expect(_ found: Quarters, near expected: Quarters, _ name: String) {
    let most = zip(found.joined(), expected.joined()).map { abs($0 - $1) }.max() ?? 255
    #expect(most <= 5, "\(name): \(found), not \(expected)")
  }

  @Test(
    "S54: what says nothing of its colours keeps them; what has a profile is brought from that to sRGB",
    arguments: ["jpg", "png", "tif", "webp", "heic", "avif"])
  func profiles(ending: String) throws {
    let host = try Host { library in
      let wide = try Self.profile(ColourProfile.displayP3, in: library.directory)
      for (name, options) in [("plain", []), ("wide", wide)] {
        let path = library.path("\(name).\(ending)")
        guard ["heic", "avif"].contains(ending) else {
          try Self.make(path, options)
          continue
        }
        let png = "\(library.directory)/\(name).png"
        try Self.make("PNG24:\(png)", options)
        try PictureTools.run(
          "heif-enc", (ending == "avif" ? ["-A"] : []) + ["-q", "95", png, "-o", path])
      }
    }
    expect(try shown(host, "plain.\(ending)"), near: Self.quarters, "plain.\(ending)")
    expect(try shown(host, "wide.\(ending)"), near: Self.wide, "wide.\(ending)")
  }

  @Test("S54: of sixteen bits, of grey, and with a profile that is of something else, or damaged")
  func depths() throws {
    let host = try Host { library in
      let directory = library.directory
      let wide = try Self.profile(ColourProfile.displayP3, in: directory)
      try Self.make("PNG48:\(library.path("deep.png"))", ["-depth", "16"] + wide)
      let grey = ["-colorspace", "Gray"]
      try Self.make(library.path("grey.jpg"), grey)
      // As programs leave it that make a coloured picture grey.
      try Self.make(library.path("wrong.jpg"), grey)
      try Self.make(library.path("odd.jpg"))
      let whole = "\(directory)/profile.icc"
      try PictureTools.run(
        "exiftool", "-q", "-overwrite_original", "-icc_profile<=\(whole)", library.path("wrong.jpg"))
      try Self.make(
        library.path("light.png"), grey + Self.profile(ColourProfile.linearGrey, in: directory))
      try PictureTools.run(
        "exiftool", "-q", "-overwrite_original", "-icc_profile<=\(whole)", library.path("odd.jpg"))
    }
    expect(try shown(host, "deep.png"), near: Self.wide, "deep.png")
    let grey = [88, 148, 59, 128].map { [$0, $0, $0] }
    expect(try shown(host, "grey.jpg"), near: grey, "grey.jpg")
    expect(try shown(host, "wrong.jpg"), near: grey, "wrong.jpg")
    expect(try shown(host, "odd.jpg"), near: Self.quarters, "odd.jpg")
    // 88 of 255 is light of 0.345, which sRGB writes as 159.
    let light = [159, 200, 132, 188].map { [$0, $0, $0] }
    expect(try shown(host, "light.png"), near: light, "light.png")
  }

  @Test("S54: a turned film's poster stands as players show it", arguments: ["mp4", "mov"], [90, 180, 270])
  func films(ending: String, degrees: Int) throws {
    let host = try Host { library in
      let quiet = ["-hide_banner", "-loglevel", "error", "-nostdin", "-y"]
      let (png, film) = ("\(library.directory)/a.png", "\(library.directory)/a.mp4")
      try Self.make(png)
      try PictureTools.run(
        "ffmpeg",
        quiet + ["-loop", "1", "-i", png, "-t", "0.6", "-r", "5", "-pix_fmt", "yuv420p", "-c:v", "libx264"]
          + ["-crf", "10", "-preset", "ultrafast", film])
      let path = library.path("a.\(ending)")
      try PictureTools.run(
        "ffmpeg", quiet + ["-i", film, "-c", "copy", "-metadata:s:v", "rotate=\(degrees)", path])
      // ffmpeg turns what it makes pictures of.
      try PictureTools.run(
        "ffmpeg",
        quiet + ["-i", path, "-frames:v", "1", "-pix_fmt", "rgb24", "\(library.directory)/frame.ppm"])
    }
    let frame = [UInt8](try Data(contentsOf: URL(filePath: "\(host.library.directory)/frame.ppm")))
    let (width, height) = degrees == 180 ? (640, 480) : (480, 640)
    let expected = Self.corners(of: Array(frame.suffix(width * height * 3)), width, height)
    #expect(expected[0] != expected[1] && expected[0] != Self.quarters[0])
    expect(try shown(host, "a.\(ending)"), near: expected, "\(degrees)")
  }

  @Test(
    "S54: of RAW it is the picture that the camera put into it, turned as the whole is",
    arguments: ["nef", "dng", "arw"])
  func raw(ending: String) throws {
    let host = try Host { library in
      let path = "\(library.directory)/a.jpg"
      try Self.make(path, ["-resize", "800x600!"])
      let jpeg = [UInt8](try Data(contentsOf: URL(filePath: path)))
      func file(_ place: Int) -> [UInt8] {
        var tags = SmallTIFF.camera(width: 1600, height: 1200, orientation: 6)
        if ending == "dng" { tags[0xC612] = .bytes([1, 4, 0, 0]) }
        // Beside it: nothing points at what the sensor saw.
        tags[0x014A] = .directory([
          0x00FE: .long(1), 0x0103: .shorts([6]), 0x0201: .long(UInt32(place)),
          0x0202: .long(UInt32(jpeg.count)),
        ])
        return SmallTIFF.file(tags)
      }
      try library.add("a.\(ending)", file(file(0).count) + jpeg)
    }
    // On its side: what is on the left is on top, and the lower half is on the left.
    let turned = [2, 0, 3, 1].map { Self.quarters[$0] }
    expect(try shown(host, "a.\(ending)"), near: turned, ending)
  }
}
