internal import AlbumAPI
internal import AlbumTerminal
internal import AlbumWeb
internal import Notifications
internal import Words

extension Notice {
  /// What an app asks, shortly (S62): an answer is given on the page alone, where everything is shown.
  init(_ prompt: AgentInterface.Prompt, _ words: Words) {
    let name = NoticeText.line(prompt.app.name, most: Self.nameLength)
    var lines: [String] = []
    if let reason = prompt.usageDescription { lines.append(NoticeText.line(reason, most: Self.reasonLength)) }
    if !prompt.app.verified {
      let user = NoticeText.line(prompt.app.user, most: Self.nameLength)
      lines.append(words[.notVerified, ["user": user]])
    }
    self.init(
      id: prompt.id, summary: words.question(prompt, label: name), body: lines.joined(separator: "\n"),
      action: words[.pageAnswer])
  }

  /// The most scalars of an app's name and a user's.
  private static let nameLength = 60
  /// The most scalars of a usage description.
  private static let reasonLength = 240
}
