internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Glibc

struct Policies: AlbumCommand {
  static let configuration = CommandConfiguration(
    abstract: "List what the administrator decided instead of the owner.",
    discussion: "Those first that decide first. APPS NOW is how many known apps each decides about.")

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let language = PreferredLanguages.tags { getenv($0).map { String(cString: $0) } }.first
    let policies = try global.connect().policies(language: language)
    if global.json {
      for policy in policies { try Output.json(policy) }
      return
    }
    if policies.isEmpty { Report.note("There are no policies: the owner decides about every app.") }
    var table = Table(
      .init("POLICY"), .init("EFFECT"), .init("APPS"), .init("USERS"), .init("LEVELS"),
      .init("APPS NOW", .trailing), .init("REASON"), .init("FILE"))
    try Output.write(
      table.lines(
        of: policies.map { policy in
          let people = (policy.users ?? []) + (policy.groups ?? []).map { "@\($0)" }
          return [
            policy.name, policy.effect.rawValue, policy.apps.joined(separator: " "),
            people.isEmpty ? "everybody" : people.joined(separator: " "),
            policy.accessLevels.map(\.rawValue).joined(separator: " "), "\(policy.appCount)",
            policy.reason ?? "", policy.file,
          ]
        }))
  }
}
