internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import Linux
internal import Varlink
internal import Words

/// What is told beside the result. Names in it came from peers, so it is escaped line by line.
enum Report {
  /// A failure: to standard error for a person, to standard output for a program.
  ///
  /// - Parameters:
  ///   - message: what to say instead of the error's own words.
  ///   - guide: for the person.
  static func failure(
    _ error: AlbumError, message: String? = nil, guide: AuthorizationInterface.Guide? = nil, asJSON: Bool
  ) {
    let words = asJSON ? Words.english : Person.words
    let message = message ?? error.message(in: words)
    if asJSON {
      let failure = FailureObject(
        error: error.remote?.name ?? "io.albumd.client.\(error.code.rawValue)",
        parameters: error.remote.map(fields), message: message)
      // When that cannot be written either, the exit status still tells.
      try? Output.json(failure)
      return
    }
    note("albumctl: \(message)")
    if let guide { self.guide(guide) }
    for line in error.advice(in: words) { note("  \(line)") }
  }

  /// What a program is told of an error: the same in every language, so without its sentence (S89).
  private static func fields(of error: RemoteError) -> JSON {
    var fields = error.parameters
    if error.name.hasPrefix("io.albumd.") { fields["message"] = nil }
    return .object(fields)
  }

  /// A failure of this program's own.
  static func failure(_ message: String, asJSON: Bool) {
    if asJSON {
      try? Output.json(FailureObject(error: "io.albumd.client.failed", parameters: nil, message: message))
    } else {
      note("albumctl: \(message)")
    }
  }

  /// What the daemon wants shown to the person whose app was refused (S15).
  static func guide(_ guide: AuthorizationInterface.Guide) {
    note("")
    note(guide.title)
    note(guide.message)
    if let heading = guide.heading { note(heading) }
    for (index, step) in guide.steps.enumerated() { note("  \(index + 1). \(step)") }
    // What a desktop opens is nothing to type.
    if let address = guide.settingsAddress, address.hasPrefix("http") {
      note("  \(Person.words[.guideHeadingSettings, ["address": address]])")
    }
  }

  /// What was taken away counts, and the disk does not take it yet. That is no failure: the app has it no more.
  static func unsaved(_ storing: ManagerInterface.Storing, _ words: Words) {
    guard storing.stored == false else { return }
    note(words[.countsUnsaved, ["reason": storing.reason ?? ""]])
  }

  /// A line for the person.
  static func note(_ text: String) {
    StandardStream.error.write("\(SafeText(text))\n")
  }
}

private struct FailureObject: Encodable {
  let error: String
  let parameters: JSON?
  let message: String
}
