internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Words

struct Doctor: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Look for what is wrong with the daemon and its surroundings, and say what to do.",
    discussion: "Exit status: 1 when something does not work, 0 when there is nothing but warnings.")

  @OptionGroup var global: GlobalOptions

  @Flag(help: "Leave out what is in order.")
  var problems = false

  func run() throws {
    let findings = try global.connect().check(language: global.json ? nil : global.words.language)
    for finding in findings where !problems || finding.severity != .ok {
      if global.json {
        try Output.json(finding)
      } else {
        try Output.write(FindingText(finding, global.words).description)
      }
    }
    let isFine = findings.allSatisfy { $0.severity == .ok }
    if isFine, problems, !global.json { Report.note(global.words[.nothingWrong]) }
    if findings.contains(where: { $0.severity == .error }) { throw CommandFailure(.failed) }
  }
}
