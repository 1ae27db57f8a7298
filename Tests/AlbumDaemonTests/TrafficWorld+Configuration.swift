import Glibc
import Testing
import TestSupport

// What administrators and packages write, each at random.
extension TrafficWorld {
  static func configuration(_ path: String, _ more: String = "") -> String {
    "roots: [{path: \(path)/photos\(more.isEmpty ? "" : ", shared: [album]")}]\nstate: \(path)/state\n\(more)"
      + "contentHashes: false\n"
  }

  /// Manifests, policies and the configuration itself become others.
  func configure() throws {
    try describe()
    let policy = "\(directory.path)/policies.d/some.yaml"
    unlink(policy)
    if Int.random(in: 0..<3, using: &random) == 0 {
      let effect = Bool.random(using: &random) ? "restrict" : "authorize"
      let level = Bool.random(using: &random) ? "readWrite" : "addOnly"
      let apps = Bool.random(using: &random) ? "'*'" : "org.example.Test"
      try Self.write(policy, "effect: \(effect)\napps: [\(apps)]\naccessLevels: [\(level)]\n")
    }
    let days = Int.random(in: 0..<3, using: &random)
    try Self.write(
      "\(directory.path)/albumd.yaml",
      Self.configuration(directory.path, days == 0 ? "" : "grants: {expireUnusedAfterDays: \(days)}\n"))
  }

  /// Writes the manifest of this process, with keys of which each may be there, or none at all.
  func describe() throws {
    let file = "\(directory.path)/apps.d/org.example.Test.yaml"
    if Int.random(in: 0..<5, using: &random) == 0 {
      unlink(file)
      return
    }
    var program = [CChar](repeating: 0, count: Int(PATH_MAX))
    try #require(readlink("/proc/self/exe", &program, program.count - 1) > 0)
    let path = String(decoding: program.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    let names = ["{en: Test}", "{en: Another, zh-Hans: 测试}"]
    let others = [
      "", ", flatpak: org.example.Test", ", userUnit: app-test-*.scope", ", unit: test.service",
      ", snap: test",
    ]
    var lines = [
      "name: \(names.randomElement(using: &random) ?? names[0])",
      "identity: {executable: \(path)\(others.randomElement(using: &random) ?? "")}",
    ]
    // Rarely: an app that manages nothing ends every agent, and nobody can bring them back but the next reload.
    if Int.random(in: 0..<8, using: &random) > 0 { lines.append("manages: true") }
    if Int.random(in: 0..<4, using: &random) > 0 { lines.append("automaticLimitedPicker: true") }
    if Bool.random(using: &random) { lines.append("icon: test") }
    let usage = ["readWrite", "addOnly", "location"].filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
    if !usage.isEmpty {
      lines.append("usage: {" + usage.map { "\($0): {en: To test.}" }.joined(separator: ", ") + "}")
    }
    try Self.write(file, lines.joined(separator: "\n") + "\n")
  }

  static func write(_ path: String, _ text: String) throws {
    try writeWhole(path, text.utf8)
  }
}
