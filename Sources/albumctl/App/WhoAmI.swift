internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser

struct WhoAmI: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "whoami", abstract: "Show how the daemon sees this process.")

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let identity = try global.connect().whoAmI()
    if global.json { return try Output.json(AuthorizationInterface.WhoAmI.Reply(identity: identity)) }
    let texts = Person.texts
    try Output.facts([
      (texts["App"], identity.appId),
      (texts["User id"], "\(identity.uid)"),
      (texts["Known by"], Person.words.evidence(identity.evidence)),
      (
        texts["Verified"],
        texts[identity.verified ? "yes" : "no: another program of this user could pass for it"]
      ),
      (texts["Manifest"], identity.manifest ?? texts["none: no access can be asked for"]),
    ])
  }
}

extension Output {
  /// Names and values in two columns.
  static func facts(_ facts: [(String, String)]) throws {
    let width = facts.map { TextWidth.columns(of: $0.0) }.max() ?? 0
    for (name, value) in facts { try line("\(TextWidth.pad(name, to: width))  \(SafeText(value))") }
  }
}
