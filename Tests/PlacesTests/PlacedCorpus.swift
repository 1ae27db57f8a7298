import Foundation
import Glibc
import TestSupport

/// Pictures and films of every format of S56 that say in every way where they were taken, made by the tools of Debian.
final class PlacedCorpus: Sendable {
  static let shared = Result { try PlacedCorpus() }

  let directory: TemporaryDirectory

  /// Of these the places can be removed.
  static let pictures = [
    "all.jpg", "extended.jpg", "several.jpg", "two.jpg", "mpf.jpg", "motion.jpg", "all.heic", "motion.heic",
    "all.avif", "all.png", "packed.png", "texts.png", "all.webp", "all.tif", "big.tif", "pages.tif",
    "resources.tif", "earth.tif", "all.dng", "all.nef", "all.arw", "all.orf", "all.rw2", "small.cr2",
  ]
  static let films = ["all.mp4", "apple.mov", "all.mov", "all.3gp"]
  /// What is packed as one text goes as a whole: of these, tags that begin so.
  static let packed = [
    "packed.png": ["[IPTC]", "Iptc."],
    "texts.png": ["[IPTC", "Iptc.", "[XMP", "Xmp.", "[Photoshop]"],
  ]
  /// No tool here makes Canon's with pixels.
  static let withoutPixels: Set = ["earth.tif", "small.cr2"]
  /// Those that are built like a TIFF file, but need not begin like one.
  static let raw: Set = ["all.dng", "all.nef", "all.arw", "all.orf", "all.rw2"]

  func path(_ name: String) -> String { "\(directory.path)/\(name)" }

  func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path(name)))) }

  private static let exif = [
    "-GPSLatitude=33.859817", "-GPSLatitudeRef=S", "-GPSLongitude=151.211111", "-GPSLongitudeRef=E",
    "-GPSAltitude=58", "-GPSAltitudeRef=0", "-GPSDateStamp=2024:05:01", "-GPSTimeStamp=10:30:15",
    "-GPSProcessingMethod=GPS", "-GPSAreaInformation=Sydney", "-Make=albumd", "-ImageDescription=kept",
    "-DateTimeOriginal=2024:05:01 12:30:15",
  ]
  private static let xmp = [
    "-XMP-exif:GPSLatitude=33.859817 S", "-XMP-exif:GPSLongitude=151.211111 E", "-XMP-exif:GPSAltitude=58",
    "-XMP-photoshop:City=Sydney", "-XMP-photoshop:State=NSW", "-XMP-photoshop:Country=Australia",
    "-XMP-iptcCore:Location=Opera House", "-XMP-iptcCore:CountryCode=AU",
    "-XMP-iptcExt:LocationCreatedCity=Sydney", "-XMP-iptcExt:LocationShownCountryName=Australia",
    "-XMP-iptcExt:LocationShownSublocation=Opera House", "-XMP-dc:Title=kept",
  ]
  private static let iptc = [
    "-IPTC:City=Sydney", "-IPTC:Sub-location=Opera House", "-IPTC:Province-State=NSW",
    "-IPTC:Country-PrimaryLocationCode=AUS", "-IPTC:Country-PrimaryLocationName=Australia",
    "-IPTC:ContentLocationName=Sydney", "-IPTC:ContentLocationCode=AUS", "-IPTC:Caption-Abstract=kept",
  ]

  private init() throws {
    directory = try TemporaryDirectory()
    try run("convert", ["-size", "320x240", "plasma:red-blue", path("all.jpg")])
    for name in ["all.png", "all.webp", "all.tif"] { try run("convert", [path("all.jpg"), path(name)]) }
    try run("heif-enc", ["-q", "50", path("all.png"), "-o", path("all.heic")])
    try run("heif-enc", ["-A", "-q", "50", path("all.png"), "-o", path("all.avif")])
    try makeFilms()
    try run("convert", [path("all.jpg"), "-endian", "MSB", path("big.tif")])
    try run("convert", [path("all.jpg"), path("all.png"), path("pages.tif")])
    for name in ["all.dng", "all.nef", "all.arw"] { try copy("all.tif", name) }
    for name in ["extended.jpg", "plain.jpg"] { try copy("all.jpg", name) }
    try copy("all.png", "plain.png")
    try copy("all.png", "packed.png")
    try tag()
    // ImageMagick writes a text for each block, and one for each tag; Exif, XMP, IPTC and resources into TIFF.
    for name in ["texts.png", "resources.tif"] { try run("convert", [path("all.jpg"), path(name)]) }
    // Two pictures in one file, as MPF has it, each with its own Exif; and a film behind a picture.
    try join(["all.jpg", "all.jpg"], "two.jpg", with: [0, 0, 0, 0])
    try join(["all.jpg", "apple.mov"], "motion.jpg", with: [])
    try makeByHand()
    try makeOthersFilms()
  }

  /// As drones caption them, and as BlackVue's dash cameras log where they are: in free space behind the film.
  private func makeOthersFilms() throws {
    let caption = "1\n00:00:00,000 --> 00:00:01,000\nGPS (151.2111, -33.8598, 58)\n"
    try Data(caption.utf8).write(to: URL(filePath: path("captions.srt")))
    for name in ["captions.mp4", "captions.mov"] {
      try run(
        "ffmpeg",
        [
          "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-i", path("plain.mp4"), "-i",
          path("captions.srt"),
          "-c:v", "copy", "-c:s", "mov_text", path(name),
        ])
    }
    func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      withUnsafeBytes(of: UInt32(8 + content.count).bigEndian) { Array($0) } + Array(type.utf8) + content
    }
    let log = "[1714552215000]$GPRMC,103015.00,A,3351.589,S,15112.667,E,0.0,,010524,,,A*61\r\n"
    try Data(try bytes("plain.mp4") + box("free", box("gps ", Array(log.utf8))))
      .write(to: URL(filePath: path("dash.mp4")))
  }

  /// What no tool of Debian writes.
  private func makeByHand() throws {
    func write(_ name: String, _ bytes: [UInt8]) throws {
      try Data(bytes).write(to: URL(filePath: path(name)))
    }
    let (jpeg, film) = (try bytes("all.jpg"), try bytes("apple.mov"))
    // The same block of Exif once more, in front of everything else.
    guard let exif = jpeg.firstIndex(of: 0xE1).map({ $0 - 1 }) else { throw NoExif() }
    let end = exif + 2 + (Int(jpeg[exif + 2]) << 8 | Int(jpeg[exif + 3]))
    try write("several.jpg", Array(jpeg[..<2]) + Array(jpeg[exif..<end]) + Array(jpeg[2...]))
    try write("mpf.jpg", MultiPicture.joined(jpeg, jpeg))
    // As phones put a film behind a picture in boxes.
    let size = withUnsafeBytes(of: UInt32(8 + film.count).bigEndian) { Array($0) }
    try write("motion.heic", try bytes("all.heic") + size + Array("mpvd".utf8) + film)
    for (name, magic) in [("all.orf", "IIRO"), ("all.rw2", "IIU\0")] {
      try write(name, Array(magic.utf8) + Array(try bytes("all.tif").dropFirst(4)))
    }
    var camera = SmallTIFF.camera(width: 640, height: 480, orientation: 6)
    camera[0x010E] = .text("kept")
    var earth = camera
    // GeoTIFF 1.1: how large a pixel is, and where one lies.
    earth[0x830E] = .bytes([1, 2, 3])
    earth[0x8482] = .bytes([33, 151, 7, 8, 9, 10])
    try write("earth.tif", SmallTIFF.file(earth))
    try write("small.cr2", SmallTIFF.file(camera, then: Array("CR".utf8) + [2, 0, 0, 0, 0, 0]))
  }

  private struct NoExif: Error {}

  private func tag() throws {
    var arguments: [String] = []
    func write(_ tags: [String], _ names: [String], _ more: String...) {
      arguments += ["-overwrite_original", "-q", "-m", "-P"] + more + tags + names.map(path) + ["-execute"]
    }
    write(
      Self.exif + Self.xmp + Self.iptc,
      [
        "all.jpg", "extended.jpg", "all.tif", "big.tif", "pages.tif", "all.dng", "all.nef", "all.arw",
      ])
    write(Self.exif + Self.xmp, ["all.png", "all.webp", "all.heic", "all.avif"])
    // More than a segment holds: XMP goes on in others.
    let long = String(repeating: "long and longer ", count: 6000)
    try Data(long.utf8).write(to: URL(filePath: path("long.txt")))
    write(["-XMP-dc:Description<=\(path("long.txt"))"], ["extended.jpg"])
    write(Self.exif + Self.xmp + Self.iptc, ["packed.png"], "-z", "-api", "Compress=1")
    write(
      [
        "-Keys:GPSCoordinates=-33.8598, 151.2111, 58", "-UserData:GPSCoordinates=-33.8598, 151.2111, 58",
        "-ItemList:GPSCoordinates=-33.8598, 151.2111, 58", "-Keys:LocationName=Sydney",
        "-Keys:DisplayName=kept",
        "-XMP-exif:GPSLatitude=33.859817 S",
        "-UserData:LocationInformation=Sydney Role=shooting Lat=-33.8 Lon=151.2",
      ], ["all.mov", "all.mp4"])
    try run("exiftool", arguments)
  }

  private func makeFilms() throws {
    let source = [
      "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "lavfi", "-i",
      "testsrc=size=160x120:rate=10:duration=1", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset",
      "ultrafast",
    ]
    let place = ["-metadata", "location=-33.8598+151.2111/", "-metadata", "location-eng=-33.8598+151.2111/"]
    try run("ffmpeg", source + [path("plain.mp4")])
    try run("ffmpeg", source + place + [path("all.mp4")])
    try run("ffmpeg", source + place + [path("all.mov")])
    try run("ffmpeg", source + place + [path("all.3gp")])
    try run(
      "ffmpeg",
      source + [
        "-metadata", "com.apple.quicktime.location.ISO6709=-33.8598+151.2111+058.000/",
        "-metadata", "com.apple.quicktime.location.name=Sydney", "-metadata", "com.apple.quicktime.make=kept",
        "-movflags", "use_metadata_tags", path("apple.mov"),
      ])
  }

  private func copy(_ from: String, _ to: String) throws {
    try FileManager.default.copyItem(atPath: path(from), toPath: path(to))
  }

  private func join(_ names: [String], _ to: String, with filler: [UInt8]) throws {
    let files = try names.map { try bytes($0) }
    try Data(files.joined(separator: filler)).write(to: URL(filePath: path(to)))
  }
}

/// A tool that makes the corpus did not: is its package installed? (scripts/deps unit)
struct ToolFailed: Error {
  let program: String
  let arguments: [String]
}

/// Runs a tool, and gives what it says.
@discardableResult
func run(_ program: String, _ arguments: [String], isLenient: Bool = false) throws -> Data {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = [program] + arguments
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
