import Foundation
import TestSupport
import Testing
import Varlink

@Suite("Help in a person's language (S73)", .blocking)
final class HelpTests {
  private let directory: String

  init() throws {
    directory = "\(NSTemporaryDirectory())/help-\(UInt64.random(in: 0...UInt64.max))"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  /// What albumctl prints, which needs no daemon for that.
  private func output(_ arguments: [String], _ locale: String) throws -> String {
    let log = "\(directory)/\(UInt64.random(in: 0...UInt64.max))"
    let process = try ChildProcess(
      BuildFolder.albumctl, arguments, environment: ["LC_ALL=\(locale)", "ALBUMD_SOCKET=/no/such/socket"],
      log: log)
    _ = try process.wait()
    return try String(contentsOfFile: log, encoding: .utf8)
  }

  /// Every command, as the parser knows them.
  private func commands() throws -> [[String]] {
    func below(_ command: JSONObject, _ path: [String]) -> [[String]] {
      guard case .array(let subcommands)? = command["subcommands"] else { return [path] }
      return [path]
        + subcommands.flatMap { subcommand -> [[String]] in
          guard case .object(let subcommand) = subcommand, case .string(let name)? = subcommand["commandName"]
          else {
            return []
          }
          return below(subcommand, path + [name])
        }
    }
    let dump = try JSON(parsing: Array(output(["--experimental-dump-help"], "C").utf8))
    guard case .object(let tool) = dump, case .object(let command)? = tool["command"] else { return [] }
    return below(command, []).filter { $0 != ["help"] }
  }

  /// A line with a text that is not in Chinese: without an ideograph, or with three words of Latin letters after each
  /// other. Names and what is typed stand before two spaces, usages after a colon.
  private func foreign(_ help: String) -> [Substring] {
    help.split(separator: "\n").filter { line in
      let said = line.drop { $0 == " " }
      if said.hasPrefix("用法：") { return false }
      let text = said.firstRange(of: "  ").map { said[$0.upperBound...].drop { $0 == " " } } ?? said
      // A name that leaves no room: what is said of it is in the next line.
      if text.hasPrefix("-"), text.hasSuffix(">") { return false }
      // A path, or a list of values in lines of their own.
      let items = (text.hasPrefix("- ") ? text.dropFirst(2) : text).replacing(", ", with: ",")
      if !items.contains(" ") { return false }
      if !text.unicodeScalars.contains(where: { $0.properties.isIdeographic }) { return true }
      var run = 0
      for word in text.split(separator: " ") {
        run =
          word.count > 1 && word.allSatisfy { $0.isASCII && $0.isLetter || ",.".contains($0) } ? run + 1 : 0
        if run == 3 { return true }
      }
      return false
    }
  }

  @Test("S73: the help of every command is Chinese", arguments: ["zh_CN.UTF-8", "zh_TW.UTF-8"])
  func help(_ locale: String) throws {
    let commands = try commands()
    #expect(commands.count > 40)
    for command in commands {
      let help = try output(command + ["--help"], locale)
      #expect(help.hasPrefix("概述："), "\(command)")
      #expect(foreign(help).isEmpty, "\(command): \(foreign(help))")
      #expect(help.split(separator: "\n").allSatisfy { !$0.hasPrefix("OPTIONS") })
    }
  }

  @Test(
    "S73: what is wrong with a command line is told in Chinese, and in English to a program",
    arguments: [
      ["frobnicate"], ["album", "frobnicate"], ["status", "--levle"], ["status", "--level"],
      ["status", "--level", "x"], ["status", "--json=1"], ["status", "x"], ["status", "x", "y"], ["open"],
      ["album", "create"], ["log", "--since", "never"], ["assets", "--sort", "x"],
      ["assets", "--limit", "0"],
      ["assets", "--limit", "x"], ["agent", "--answer", "maybe"], ["agent", "--duration", "2h"],
      ["agent", "--answer", "deny", "--duration", "2h"], ["agent", "--answer", "allow", "--albums", "a"],
      ["agent", "--answer", "allow", "--duration", "x"],
      ["agent", "--answer", "allow", "--duration", "2001-01-01"],
      ["reset"], ["purge"], ["settings", "--location"], ["settings", "x", "--uid", "1"],
      ["watch", "--albums", "--album", "x"], ["pick", "--limit", "-1"], ["pick", "--limit=-1"],
      ["pick", "--minimum=-1"], ["pick", "--minimum", "3", "--limit", "2"],
      ["pick", "--filter", "{\"x\": 1}"],
      ["save", "--live-photo", "a"], ["export", "a"], ["preview", "a", "--pixels", "1"],
      ["preview", "a", "--deleted", "--crop"], ["open", "a", "--number", "2"], ["page", "--open", "--qr"],
      ["page", "--sessions", "--qr"],
      ["allow", "x", "--for", "2h", "--until", "2h"], ["allow", "x", "--until", "2001-01-01"],
      ["selection", "x", "--set", "a", "--add", "b"],
    ])
  func mistakes(_ command: [String]) throws {
    let told = try output(command, "zh_CN.UTF-8")
    #expect(told.hasPrefix("错误："), "\(command): \(told)")
    #expect(foreign(told).isEmpty, "\(command): \(told)")
    let english = try output(command + ["--json"], "zh_CN.UTF-8")
    #expect(english.hasPrefix("{\"error\"") && english.allSatisfy { $0.isASCII }, "\(command): \(english)")
  }

  @Test("S73: English help stays as it is, and the check finds a line of it")
  func english() throws {
    let help = try output(["save", "--help"], "C")
    #expect(help.hasPrefix("OVERVIEW: Add photos and videos to the library."))
    #expect(foreign(help).count > 8, "\(foreign(help))")
    #expect(try output(["--version"], "zh_CN.UTF-8") == output(["--version"], "C"))
    let script = ["--generate-completion-script", "bash"]
    #expect(try output(script, "zh_CN.UTF-8") == output(script, "C"))
  }
}
