import Foundation
import Glibc
import Linux
import TestSupport

/// A library with its configuration in a directory of its own, which goes with the object.
final class TemporaryLibrary {
  let directory: String
  /// The configuration file's lines after the roots.
  var options: [String] = []
  /// Albums that limited apps never see.
  var shared: [String] = []
  /// Variables of the daemon, as `NAME=value`.
  var environment: [String] = []
  /// A socket at which its daemon finds what reads pictures; nil where it starts that itself.
  var pictures: String?
  /// Whether photos are hashed, which is told of each: two seconds after it has come.
  var hashes = false
  /// Further roots than `photos`.
  var moreRoots: [String] = []

  var photos: String { "\(directory)/photos" }
  var state: String { "\(directory)/state" }
  var socket: String { "\(directory)/albumd.socket" }
  var configuration: String { "\(directory)/albumd.yaml" }
  var log: String { "\(directory)/log" }

  init() throws {
    var template = Array("/tmp/albumd-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp") }
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // Apps of other users come here as well.
    chmod(directory, 0o755)
    for name in ["photos", "apps.d", "policies.d", "guides", "vendor", "bin"] {
      try FileManager.default.createDirectory(
        atPath: "\(directory)/\(name)", withIntermediateDirectories: true)
    }
    try describe(.wallpapers)
    try describe(.mail)
  }

  deinit {
    // rm(1), because Foundation cannot remove what is not named in UTF-8.
    _ = try? ChildProcess("/bin/rm", ["-rf", directory], log: "/dev/null").wait()
  }

  /// What the daemon has written so far.
  var logText: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

  /// Gives everything to another user.
  func giveAway(to uid: uid_t) {
    let everything = FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? []
    for name in [""] + everything { lchown("\(directory)/\(name)", uid, uid) }
  }

  // MARK: Configuration

  /// Writes albumd.yaml as the properties say.
  func configure() throws {
    var lines = ["roots:", "  - path: \(photos)"]
    if !shared.isEmpty { lines.append("    shared: [\(shared.joined(separator: ", "))]") }
    for root in moreRoots { lines.append("  - path: \(root)") }
    lines.append("state: \(state)")
    try write(configuration, (lines + options + ["contentHashes: \(hashes)"]).joined(separator: "\n") + "\n")
  }

  /// Writes an app's manifest.
  func describe(_ app: AppDescription) throws {
    try write("\(directory)/apps.d/\(app.id).yaml", app.manifest(executable: executable(of: app.program)))
  }

  /// Removes an app's manifest.
  func undescribe(_ app: AppDescription) throws {
    try FileManager.default.removeItem(atPath: "\(directory)/apps.d/\(app.id).yaml")
  }

  /// The program file of an app, whether it is there yet or not.
  func executable(of program: String) -> String { "\(directory)/bin/\(program)" }

  func policy(_ name: String, _ text: String) throws {
    try write("\(directory)/policies.d/\(name).yaml", text)
  }

  func removePolicy(_ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(directory)/policies.d/\(name).yaml")
  }

  func write(_ path: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  // MARK: Photos

  /// The path of something in the library; beside it, with `../`.
  func path(_ name: String) -> String {
    name.hasPrefix("../") ? "\(directory)/\(name.dropFirst(3))" : "\(photos)/\(name)"
  }

  func makeAlbum(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
  }

  /// Writes a photo, its albums included, in one sitting under its final name.
  @discardableResult
  func add(_ name: String, _ content: [UInt8] = Photo.jpeg()) throws -> String {
    let file = URL(filePath: path(name))
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let path = file.path(percentEncoded: false)
    try writeWhole(path, content)
    return path
  }

  func move(_ name: String, to other: String) throws {
    guard rename(path(name), path(other)) == 0 else { throw SystemError("rename", subject: name) }
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: path(name))
  }

  /// Removes one of the daemon's own files.
  func removeState(_ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(state)/\(name)")
  }

  func link(_ name: String, to other: String) throws {
    guard Glibc.link(path(name), path(other)) == 0 else { throw SystemError("link", subject: name) }
  }
}
