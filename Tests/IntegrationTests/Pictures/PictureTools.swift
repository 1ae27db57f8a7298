import Foundation
import TestSupport

/// Makes pictures, and looks at what was made of them, by tools that nobody here wrote (scripts/deps unit).
enum PictureTools {
  struct Failure: Error {
    let program: String
    let arguments: [String]
  }

  /// What a tool says.
  @discardableResult
  static func run(_ program: String, _ arguments: String...) throws -> String {
    try run(program, arguments)
  }

  @discardableResult
  static func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/\(program)")
    process.arguments = arguments
    let output = Foundation.Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try StartOfProcesses.alone { try process.run() }
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(program: program, arguments: arguments) }
    return String(decoding: data, as: UTF8.self)
  }

  /// Red on its left half and blue on its right one, in any format that ImageMagick writes.
  static func halves(_ path: String, width: Int = 1600, height: Int = 1200) throws {
    try run(
      "convert", "-size", "\(width / 2)x\(height)", "canvas:red", "canvas:blue", "+append", "-quality", "95",
      path)
  }

  /// A second of black, then a second of red.
  static func film(_ path: String) throws {
    try run(
      "ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "lavfi", "-i",
      "color=red:size=320x240:rate=10:duration=2", "-vf", "drawbox=color=black:t=fill:enable='lt(t,1)'",
      "-pix_fmt",
      "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", path)
  }

  /// The colour of a pixel: which of the three is more than the others by far, or black or white.
  static func colour(_ path: String, _ x: Int, _ y: Int) throws -> String {
    let text = try run(
      "convert", path, "-depth", "8", "-format",
      "%[fx:int(255*p{\(x),\(y)}.r)] %[fx:int(255*p{\(x),\(y)}.g)] %[fx:int(255*p{\(x),\(y)}.b)]",
      "info:")
    let parts = text.split(separator: " ").compactMap { Int($0) }
    guard parts.count == 3 else { return text }
    if parts.allSatisfy({ $0 < 60 }) { return "black" }
    if parts.allSatisfy({ $0 > 200 }) { return "white" }
    let names = ["red", "green", "blue"]
    return zip(names, parts).max { $0.1 < $1.1 }?.0 ?? ""
  }
}
