internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Words

struct Policies: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "policies",
    abstract: "List what the administrator decided instead of the owner.",
    discussion: "Those first that decide first. APPS NOW is how many known apps each decides about.")

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let words = global.words
    let policies = try global.connect().policies(language: global.json ? nil : Person.language)
    if global.json {
      for policy in policies { try Output.json(policy) }
      return
    }
    if policies.isEmpty { Report.note(words[.noPolicies]) }
    var table = Table(
      .init(words[.columnPolicy]), .init(words[.columnEffect]), .init(words[.columnApps]),
      .init(words[.columnUsers]), .init(words[.columnLevels]), .init(words[.columnAppsNow], .trailing),
      .init(words[.columnReason]), .init(words[.columnFile]))
    try Output.write(
      table.lines(
        of: policies.map { policy in
          let people = (policy.users ?? []) + (policy.groups ?? []).map { "@\($0)" }
          return [
            policy.name, policy.effect.rawValue, policy.apps.joined(separator: " "),
            people.isEmpty ? words[.everybody] : people.joined(separator: " "),
            policy.accessLevels.map(words.name).joined(separator: " "), "\(policy.appCount)",
            policy.reason ?? "", policy.file,
          ]
        }))
  }
}
