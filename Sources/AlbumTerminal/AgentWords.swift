internal import AlbumAPI

/// The sentences of a terminal agent in one language.
///
/// Places to fill in: `{app}` the app's name, `{question}` what was asked, `{user}` who runs it, `{count}`, `{photos}` and `{albums}`
/// numbers, `{limit}` the most, `{reason}` somebody else's words.
public struct AgentWords: Sendable {
  /// What is asked, by what it is about; the number of photos decides between one and several.
  struct Questions: Sendable {
    let addOnly: String
    let readWrite: String
    let limitedPicker: String
    let picker: String
    let pickerLimited: String
    let photoAccess: (one: String, several: String)
    let deletion: (one: String, several: String)
    let replacement: String
  }

  let questions: Questions
  let app: String
  let user: String
  let verified: String
  let notVerified: String
  let waiting: String
  let tooSmall: String
  let allow: String
  let allowAll: String
  let delete: String
  let replace: String
  let pickPhotos: String
  let selectPhotos: String
  let selectAmong: String
  let deny: String
  let notNow: String
  let leave: String
  let back: String
  let howLong: String
  let always: String
  let untilExit: String
  let untilTime: String
  let untilWhen: String
  let hour: String
  let day: String
  let week: String
  let month: String
  let sending: String
  let reading: String
  let selecting: String
  let photosTitle: String
  let albumsTitle: String
  let albumTitle: String
  let selectedTitle: String
  let candidatesTitle: String
  let foundBy: String
  let search: String
  let searchHelp: String
  let nothing: String
  let video: String
  let livePhoto: String
  let offline: String
  let shared: String
  let albumCount: String
  let selected: String
  let selectedPhotos: String
  let atMost: String
  let withAlbum: String
  let limitReached: String
  let albumsAreNotTaken: String
  let nothingPicked: String
  let keys: String
  let albumKeys: String
  let albumKeysInPicker: String
  let moreBelow: String
  let answeredAllow: String
  let answeredLimited: String
  let answeredPicked: String
  let answeredDeny: String
  let answeredNotNow: String
  let heldUntilExit: String
  let heldUntil: String
  let report: String
  let withdrawn: String
  let notAnswered: String
  /// Said when the agent is registered.
  public let registered: String
  /// Said when the daemon has gone.
  public let lost: String

  /// The sentences for somebody who prefers these languages, best first (``PreferredLanguages``).
  public static func matching(_ languages: [String]) -> AgentWords {
    for language in languages {
      let parts = language.lowercased().split { $0 == "-" || $0 == "_" }
      switch parts.first {
      case "en": return english
      case "zh":
        // Traditional characters are another catalogue, which there is none of.
        let isTraditional = ["hant", "tw", "hk", "mo"].contains { parts.dropFirst().contains($0[...]) }
        return isTraditional ? english : simplifiedChinese
      case _: break
      }
    }
    return english
  }

  /// What is asked, as a sentence about the app.
  ///
  /// - Parameter label: what to call the app; its name, when left out.
  func question(_ prompt: AgentInterface.Prompt, label: String? = nil) -> String {
    let count = prompt.assets?.count ?? 0
    func counted(_ forms: (one: String, several: String)) -> String { count == 1 ? forms.one : forms.several }
    let text =
      switch prompt.kind {
      case .authorization: prompt.accessLevel == .addOnly ? questions.addOnly : questions.readWrite
      case .limitedPicker: questions.limitedPicker
      case .picker: (prompt.selectionLimit ?? 0) > 0 ? questions.pickerLimited : questions.picker
      case .photoAccess: counted(questions.photoAccess)
      case .deletion: counted(questions.deletion)
      case .replacement: questions.replacement
      }
    return text.filling([
      "app": label ?? "\(SafeText(prompt.app.name))", "count": "\(count)",
      "limit": "\(prompt.selectionLimit ?? 0)",
    ])
  }

  /// What was answered, as a part of a sentence about the app.
  func answered(_ answer: AgentInterface.Answer) -> String {
    let selected = (answer.assets?.count ?? 0) + (answer.albums?.count ?? 0)
    let decided =
      switch answer.decision {
      case .allow: answer.assets == nil ? answeredAllow : answeredPicked.filling(["count": "\(selected)"])
      case .limited: answeredLimited.filling(["count": "\(selected)"])
      case .deny: answeredDeny
      case .notNow: answeredNotNow
      }
    switch (answer.duration, answer.expires) {
    case (.untilExit?, _): return decided + heldUntilExit
    case (.until?, let expires?): return decided + heldUntil.filling(["reason": "\(LocalTime(expires))"])
    case (.until?, nil), (.always?, _), (nil, _): return decided
    }
  }

  /// What a choice of a prompt does.
  func title(_ decision: AgentInterface.Decision, _ prompt: AgentInterface.Prompt) -> String {
    switch (decision, prompt.kind) {
    case (.allow, .picker): pickPhotos
    case (.allow, .deletion): delete
    case (.allow, .replacement): replace
    // Where some can be selected as well, "allow" is said to mean all.
    case (.allow, .authorization): prompt.accessLevel == .addOnly ? allow : allowAll
    case (.allow, .limitedPicker): allowAll
    case (.allow, .photoAccess): allow
    case (.limited, .photoAccess): selectAmong
    case (.limited, _): selectPhotos
    case (.deny, _): deny
    case (.notNow, _): notNow
    }
  }
}

extension String {
  /// Fills in `{places}` in one pass: what is filled in is not looked at again.
  func filling(_ values: [String: String]) -> String {
    var filled = ""
    var rest = self[...]
    while let open = rest.firstIndex(of: "{"), let end = rest[open...].firstIndex(of: "}") {
      filled += rest[..<open]
      let key = String(rest[rest.index(after: open)..<end])
      filled += values[key] ?? "{\(key)}"
      rest = rest[rest.index(after: end)...]
    }
    return filled + rest
  }
}
