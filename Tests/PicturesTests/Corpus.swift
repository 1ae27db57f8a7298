import Foundation
import Glibc
import Linux
import TestSupport

/// Pictures and films of every format, made by the tools of Debian and by hand: no camera's file is needed.
///
/// All were taken on 1 May 2024 at 12:30:15 and a quarter by a clock two hours ahead of UTC, in Sydney.
final class Corpus: Sendable {
  static let shared = Result { try Corpus() }

  let directory: TemporaryDirectory

  func path(_ name: String) -> String { "\(directory.path)/\(name)" }

  private init() throws {
    directory = try TemporaryDirectory()
    try makePictures()
    try makeRaw()
    try makeFilms()
    try makeDamaged()
  }

  /// What exiftool says of every file, by name: numbers as numbers, films in UTC.
  func exiftool() throws -> [String: [String: Any]] {
    let arguments = ["-j", "-n", "-a", "-api", "QuickTimeUTC=1", "-api", "TimeZone=UTC", directory.path]
    let output = try run("exiftool", arguments, isLenient: true)
    let all = try JSONSerialization.jsonObject(with: output) as? [[String: Any]] ?? []
    return Dictionary(
      uniqueKeysWithValues: all.compactMap { facts in (facts["FileName"] as? String).map { ($0, facts) } })
  }

  // MARK: Making

  private static let exif = [
    "-DateTimeOriginal=2024:05:01 12:30:15", "-SubSecTimeOriginal=250", "-OffsetTimeOriginal=+02:00",
    "-GPSLatitude=33.859817", "-GPSLatitudeRef=S", "-GPSLongitude=151.211111", "-GPSLongitudeRef=E",
    "-GPSAltitude=58", "-GPSAltitudeRef=0",
  ]

  /// As Android's cameras write it.
  private static let motion = packet(
    "GCamera", "http://ns.google.com/photos/1.0/camera/", "MotionPhoto=\"1\"")

  private static let taken = packet(
    "exif", "http://ns.adobe.com/exif/1.0/", "DateTimeOriginal=\"2024-05-01T12:30:15+02:00\"")

  /// XMP that says one thing.
  private static func packet(_ prefix: String, _ namespace: String, _ text: String) -> String {
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
    <rdf:Description xmlns:\(prefix)="\(namespace)" \(prefix):\(text)/></rdf:RDF></x:xmpmeta>
    """
  }

  private func makePictures() throws {
    try run("convert", ["-size", "640x480", "plasma:red-blue", path("plain.jpg")])
    for name in ["plain.png", "plain.webp", "plain.gif", "plain.tif"] {
      try run("convert", [path("plain.jpg"), path(name)])
    }
    // Exiftool reads it, and does not write it.
    let packet = "\(directory.path)-taken.xmp"
    defer { unlink(packet) }
    try Data(Self.taken.utf8).write(to: URL(filePath: packet))
    try run(
      "convert",
      [path("plain.jpg"), "-profile", packet, "-orient", "RightTop", "TIFF64:\(path("big.tif"))"])
    for name in ["plain.bmp", "plain.dib", "plain.jp2", "plain.j2k"] {
      try run("convert", [path("plain.jpg"), path(name)])
    }
    // Packed by ImageMagick, its rows are longer than libavcodec takes them to be.
    try run("convert", [path("plain.jpg"), "-compress", "None", path("plain.psd")])
    // Four components: red, green, blue, and how little shows through, on the left half nothing.
    try run(
      "convert",
      ["-size", "64x48", "canvas:none", "-fill", "rgb(200,60,40)", "-draw", "rectangle 0,0 31,47"]
        + ["PNG32:\(path("through.png"))"])
    try run("convert", [path("through.png"), path("through.j2k")])
    for name in ["frames.gif", "frames.webp"] {
      try run(
        "convert", ["-delay", "10", path("plain.jpg"), "(", path("plain.jpg"), "-negate", ")", path(name)])
    }
    try run(
      "ffmpeg",
      ffmpeg([
        "-i", path("plain.gif"), "-i", path("plain.gif"), "-filter_complex", "concat", "-plays", "0", "-f",
        "apng", path("frames.png"),
      ]))
    try run("heif-enc", ["-q", "50", path("plain.png"), "-o", path("plain.heic")])
    try run("heif-enc", ["-A", "-q", "50", path("plain.png"), "-o", path("plain.avif")])
    try run("ffmpeg", ffmpeg(["-i", path("plain.jpg"), "-c:v", "libjxl", path("plain.jxl")]))
    for (name, base) in [
      ("turned.jpg", "plain.jpg"), ("panorama.jpg", "plain.jpg"), ("hdr.jpg", "plain.jpg"),
      ("motion.jpg", "plain.jpg"),
      ("screenshot.png", "plain.png"), ("gps-zone.jpg", "plain.jpg"), ("xmp.jpg", "plain.jpg"),
      ("bare.jpg", "plain.jpg"),
      ("sphere.jpg", "plain.jpg"), ("unset.jpg", "plain.jpg"),
    ] {
      try FileManager.default.copyItem(atPath: path(base), toPath: path(name))
    }
    // One process for all: it takes longer to start than to write a file.
    var arguments: [String] = []
    func write(_ tags: [String], to names: String...) {
      arguments += ["-overwrite_original", "-q", "-m", "-P"] + tags + names.map(path) + ["-execute"]
    }
    write(
      Self.exif, to: "plain.jpg", "plain.png", "plain.webp", "plain.tif", "plain.heic", "plain.avif",
      "plain.jxl", "plain.jp2", "plain.psd", "turned.jpg",
      "panorama.jpg", "hdr.jpg", "motion.jpg")
    write(["-Orientation#=6"], to: "turned.jpg", "plain.tif", "plain.jp2", "plain.psd")
    write(["-CustomRendered#=6"], to: "panorama.jpg")
    write(["-CustomRendered#=3"], to: "hdr.jpg")
    try Data(Self.motion.utf8).write(to: URL(filePath: "\(directory.path)-motion.xmp"))
    defer { unlink("\(directory.path)-motion.xmp") }
    write(["-xmp<=\(directory.path)-motion.xmp"], to: "motion.jpg")
    write(["-UserComment=Screenshot"], to: "screenshot.png")
    write(["-XMP-GPano:ProjectionType=equirectangular"], to: "sphere.jpg")
    write(["-DateTimeOriginal#=0000:00:00 00:00:00"], to: "unset.jpg")
    write(
      ["-DateTimeOriginal=2024:05:01 12:30:15", "-GPSDateStamp=2024:05:01", "-GPSTimeStamp=03:00:10"],
      to: "gps-zone.jpg")
    write(
      [
        "-XMP-exif:DateTimeOriginal=2024:05:01 12:30:15+02:00", "-XMP-exif:GPSLatitude=33.859817 S",
        "-XMP-exif:GPSLongitude=151.211111 E",
      ], to: "xmp.jpg")
    try run("exiftool", arguments)
    // Two in one, as MPF has them: what damages the first must not hide the second.
    let pair = try ["xmp.jpg", "plain.jpg"].map { try Data(contentsOf: URL(filePath: path($0))) }
    try pair.reduce(Data(), +).write(to: URL(filePath: path("two.jpg")))
  }

  private func makeRaw() throws {
    let camera = SmallTIFF.camera(width: 640, height: 480, orientation: 6)
    var dng = camera
    dng[0xC612] = .bytes([1, 4, 0, 0])
    let jpeg = [UInt8](try Data(contentsOf: URL(filePath: path("plain.jpg"))))
    var panasonic = SmallTIFF.camera(width: 700, height: 500, orientation: 1, photometric: nil)
    // The version, and what of the sensor is shown.
    panasonic[0x0001] = .bytes([0x30, 0x33, 0x33, 0x30])
    panasonic[0x0004] = .shorts([8])
    panasonic[0x0005] = .shorts([16])
    panasonic[0x0006] = .shorts([488])
    panasonic[0x0007] = .shorts([656])
    let files: [(String, [UInt8])] = [
      ("raw.dng", SmallTIFF.file(dng)), ("raw.nef", SmallTIFF.file(camera)),
      ("raw.arw", SmallTIFF.file(camera)),
      ("raw.cr2", SmallTIFF.file(camera, then: Array("CR".utf8) + [2, 0, 0, 0, 0, 0])),
      ("raw.orf", SmallTIFF.file(camera, magic: "IIRO")),
      ("raw.rw2", SmallTIFF.file(panasonic, magic: "IIU\0")),
      ("raw.cr3", SmallBox.cr3(width: 640, height: 480, orientation: 1)),
      ("raw.raf", SmallRAF.file(jpeg: jpeg)),
    ]
    for (name, bytes) in files { try Data(bytes).write(to: URL(filePath: path(name))) }
  }

  private func makeFilms() throws {
    let source = ["-f", "lavfi", "-i", "testsrc=size=320x240:rate=10:duration=2"]
    let taken = ["-metadata", "creation_time=2024-05-01T10:30:15Z"]
    let h264 = ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast"]
    for name in ["film.mp4", "film.mkv", "film.avi"] {
      try run("ffmpeg", ffmpeg(source + h264 + taken + [path(name)]))
    }
    try run("ffmpeg", ffmpeg(source + h264 + ["-f", "mpegts", path("film.mts")]))
    try run(
      "ffmpeg", ffmpeg(source + ["-c:v", "libvpx", "-deadline", "realtime"] + taken + [path("film.webm")]))
    try run("ffmpeg", ffmpeg(source + ["-c:v", "wmv2"] + taken + [path("film.wmv")]))
    try run("ffmpeg", ffmpeg(source + ["-c:v", "libtheora", path("film.ogv")]))
    // MPEG knows no ten pictures in a second.
    let mpeg = ["-r", "25", "-c:v", "mpeg1video"]
    try run("ffmpeg", ffmpeg(source + mpeg + ["-f", "mpeg", path("film.mpg")]))
    try run("ffmpeg", ffmpeg(source + mpeg + ["-f", "mpeg1video", path("bare.mpg")]))
    try run(
      "ffmpeg",
      ffmpeg(
        ["-i", path("film.mp4"), "-c", "copy"] + taken
          + ["-metadata", "date=2024-05-01T12:30:15+0200", path("day.mov")]))
    let apple = [
      "-metadata", "com.apple.quicktime.creationdate=2024-05-01T12:30:15+0200",
      "-metadata", "com.apple.quicktime.location.ISO6709=-33.8598+151.2111+058.000/",
      "-movflags", "use_metadata_tags",
    ]
    try run("ffmpeg", ffmpeg(source + h264 + taken + apple + [path("film.mov")]))
    try run(
      "ffmpeg",
      ffmpeg(
        ["-i", path("film.mp4"), "-c", "copy", "-metadata:s:v", "rotate=90"] + taken + [path("turned.mp4")]))
  }

  /// Every kind of file cut in the middle, one that is empty, and one that is nothing.
  private func makeDamaged() throws {
    for name in directory.names {
      let data = try Data(contentsOf: URL(filePath: path(name)))
      for part in [10, data.count / 3] {
        try data.prefix(part).write(to: URL(filePath: path("cut-\(part == 10 ? "early" : "late")-\(name)")))
      }
    }
    try Data().write(to: URL(filePath: path("cut-empty.jpg")))
    try Data("this is no picture".utf8).write(to: URL(filePath: path("cut-text.jpg")))
  }

  private func ffmpeg(_ arguments: [String]) -> [String] {
    ["-hide_banner", "-loglevel", "error", "-nostdin", "-y"] + arguments
  }

  @discardableResult
  private func run(_ program: String, _ arguments: [String], isLenient: Bool = false) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/\(program)")
    process.arguments = arguments
    let output = Foundation.Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try StartOfProcesses.alone { try process.run() }
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard isLenient || process.terminationStatus == 0 else {
      throw ToolFailed(program: program, arguments: arguments)
    }
    return data
  }
}

/// A tool that makes the corpus did not: is its package installed? (scripts/deps unit)
struct ToolFailed: Error {
  let program: String
  let arguments: [String]
}
