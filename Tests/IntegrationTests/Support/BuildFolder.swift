import Foundation

/// Where the programs under test are: beside this test bundle.
enum BuildFolder {
  static let daemon = program("albumd")
  static let app = program("test-app")
  static let albumctl = program("albumctl")

  private static func program(_ name: String) -> String {
    let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(filePath: bundle).deletingLastPathComponent().appending(path: name).path()
  }
}
