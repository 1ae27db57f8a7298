import Authorization
import DaemonConfiguration
import Glibc
import Testing
import TestSupport

/// Configuration files in a directory of their own, removed at the end.
final class ConfigurationDirectory {
  private let directory: TemporaryDirectory
  var path: String { directory.path }
  var file: String { "\(path)/etc/albumd.yaml" }

  init(main: String? = "roots:\n  - path: /srv/photos\n") throws {
    directory = try TemporaryDirectory()
    for directory in [
      "etc", "etc/apps.d", "etc/policies.d", "etc/guides", "usr", "usr/apps.d", "usr/policies.d",
      "usr/guides",
    ] {
      try #require(mkdir("\(path)/\(directory)", 0o700) == 0)
    }
    if let main { try write("etc/albumd.yaml", main) }
  }

  func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    let stream = try #require(fopen("\(path)/\(name)", "w"))
    defer { fclose(stream) }
    #expect(fwrite(bytes, 1, bytes.count, stream) == bytes.count)
  }

  func load() throws(ConfigurationErrors) -> Configuration {
    try Configuration.load(file: file, vendorDirectory: "\(path)/usr", accounts: .fixed)
  }

  /// The errors of loading as `name:line:column: code`, with the directory left out.
  func errors() -> [String] {
    found().map { error in
      "\(error.file.hasPrefix(path) ? String(error.file.dropFirst(path.utf8.count + 1)) : error.file)"
        + ":\(error.line):\(error.column): \(error.code.rawValue)"
    }
  }

  func messages() -> [String] { found().map(\.message) }

  func found() -> [ConfigurationError] {
    do throws(ConfigurationErrors) {
      return try load().faults
    } catch {
      return error.errors
    }
  }
}

extension Accounts {
  /// alice 1000, kid 1001; the groups albumd (both) and empty.
  static let fixed = Accounts(
    user: { name throws(AccountError) in
      if name == "broken" { throw AccountError(code: EIO, call: "getpwnam_r") }
      return ["alice": 1000, "kid": 1001][name]
    },
    group: { name throws(AccountError) in
      ["albumd": [1000, 1001], "albumd-owners": [1000, 1001], "empty": []][name]
    })
}

func text(of path: String) throws -> [UInt8] {
  let stream = try #require(fopen(path, "r"), "\(path)")
  defer { fclose(stream) }
  var bytes = [UInt8](repeating: 0, count: 1 << 20)
  let count = fread(&bytes, 1, bytes.count, stream)
  return Array(bytes.prefix(count))
}
