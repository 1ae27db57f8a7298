import Foundation
import TestSupport

/// Makes small pictures and films of every format that is read, by the tools of Debian and by hand.
final class PictureMaker {
  /// How their names end.
  static let kinds = still + raw + films
  /// Those of which there is no preview: our RAW files have no pixels, and JPEG XL is only described.
  static let withoutPreview: Set = Set(raw).subtracting(["raf"]).union(["jxl"])
  private static let still = ["jpg", "png", "webp", "gif", "tif", "heic", "avif", "jxl"]
  private static let raw = ["dng", "cr2", "cr3", "nef", "arw", "raf", "orf", "rw2"]
  static let films = ["mp4", "mov", "mkv", "webm", "avi", "mts"]

  private let directory: TemporaryDirectory
  private var names: [String] = []
  private var exiftool: [String] = []
  /// A JPEG in a header.
  private var fujifilm: [(name: String, facts: TakenFacts)] = []

  init() throws { directory = try TemporaryDirectory() }

  /// One file; its metadata comes when all are asked for.
  func add(_ name: String, _ kind: String, _ facts: TakenFacts) throws {
    names.append(name)
    let isWritten = Self.still.contains(kind) && kind != "gif"
    if Self.films.contains(kind) {
      try film(name, kind, facts)
    } else if Self.still.contains(kind) {
      try copy(base(kind, facts), name)
    } else if kind == "raf" {
      try copy(base("jpg", facts), "\(name).jpg")
      fujifilm.append((name, facts))
    } else {
      try Data(bytes(kind, facts)).write(to: URL(filePath: path(name)))
    }
    if isWritten || kind == "raf" {
      exiftool += ["-overwrite_original", "-q", "-m"] + facts.exiftool
      exiftool += [path(kind == "raf" ? "\(name).jpg" : name), "-execute"]
    }
  }

  /// All of them, by name.
  func files() throws -> [String: [UInt8]] {
    // One process for all: it takes longer to start than to write a file.
    if !exiftool.isEmpty { try PictureTools.run("exiftool", exiftool) }
    exiftool = []
    for (name, facts) in fujifilm {
      let file = SmallRAF.file(jpeg: try content("\(name).jpg"), width: facts.width, height: facts.height)
      try Data(file).write(to: URL(filePath: path(name)))
    }
    fujifilm = []
    return Dictionary(uniqueKeysWithValues: try names.map { ($0, try content($0)) })
  }

  private func path(_ name: String) -> String { "\(directory.path)/\(name)" }

  private func content(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path(name))))
  }

  private func copy(_ from: String, _ to: String) throws {
    try FileManager.default.copyItem(atPath: path(from), toPath: path(to))
  }

  /// A picture of a size without metadata, made once.
  private func base(_ kind: String, _ facts: TakenFacts) throws -> String {
    let size = "\(facts.width)x\(facts.height)"
    let name = "base-\(size).\(kind)"
    if FileManager.default.fileExists(atPath: path(name)) { return name }
    switch kind {
    case "jpg": try PictureTools.run("convert", "-size", size, "plasma:red-blue", path(name))
    case "heic": try PictureTools.run("heif-enc", "-q", "50", path(base("png", facts)), "-o", path(name))
    case "avif":
      try PictureTools.run("heif-enc", "-A", "-q", "50", path(base("png", facts)), "-o", path(name))
    case "jxl": try ffmpeg(["-i", path(base("jpg", facts)), "-c:v", "libjxl", path(name)])
    default: try PictureTools.run("convert", path(base("jpg", facts)), path(name))
    }
    return name
  }

  /// The frames are made once for each size and length, and then put into each container.
  private func film(_ name: String, _ kind: String, _ facts: TakenFacts) throws {
    let coding = kind == "webm" ? "webm" : "mp4"
    let frames = "frames-\(facts.width)x\(facts.height)-\(facts.seconds).\(coding)"
    if !FileManager.default.fileExists(atPath: path(frames)) {
      let codec =
        coding == "webm"
        ? ["-c:v", "libvpx", "-deadline", "realtime"] : ["-c:v", "libx264", "-preset", "ultrafast"]
      let test = "testsrc=size=\(facts.width)x\(facts.height):rate=10:duration=\(facts.seconds)"
      try ffmpeg(["-f", "lavfi", "-i", test, "-pix_fmt", "yuv420p"] + codec + [path(frames)])
    }
    let turned = ["mp4", "mov"].contains(kind) ? ["-metadata:s:v:0", "rotate=\(facts.rotation)"] : []
    let format = ["mkv": "matroska", "mts": "mpegts"][kind] ?? kind
    try ffmpeg(
      ["-i", path(frames), "-c", "copy"] + facts.ffmpeg(kind) + turned
        + ["-f", format, path(name)])
  }

  private func ffmpeg(_ arguments: [String]) throws {
    try PictureTools.run("ffmpeg", ["-hide_banner", "-loglevel", "error", "-nostdin", "-y"] + arguments)
  }

  private func bytes(_ kind: String, _ facts: TakenFacts) -> [UInt8] {
    switch kind {
    case "dng":
      var tags = facts.raw()
      tags[0xC612] = .bytes([1, 4, 0, 0])
      return SmallTIFF.file(tags)
    case "cr2": return SmallTIFF.file(facts.raw(), then: Array("CR".utf8) + [2, 0, 0, 0, 0, 0])
    case "orf": return SmallTIFF.file(facts.raw(), magic: "IIRO")
    case "rw2":
      // The version, and what of the sensor is shown.
      var tags = facts.raw(photometric: nil)
      tags[0x0001] = .bytes([0x30, 0x33, 0x33, 0x30])
      tags[0x0004] = .shorts([8])
      tags[0x0005] = .shorts([16])
      tags[0x0006] = .shorts([UInt16(8 + facts.height)])
      tags[0x0007] = .shorts([UInt16(16 + facts.width)])
      return SmallTIFF.file(tags, magic: "IIU\0")
    case "cr3":
      return SmallBox.cr3(
        width: UInt32(facts.width), height: UInt32(facts.height), orientation: UInt16(facts.orientation),
        exif: facts.exif, gps: facts.gps)
    default: return SmallTIFF.file(facts.raw())
    }
  }
}
