internal import AlbumAPI

/// A small picture that a terminal agent shows with what it asks.
package enum PromptPicture: Hashable, Sendable {
  /// Of an asset of the library, by its id (`io.albumd.Library.OpenPreview`).
  case asset(String)
  /// Of what would take a photo's place, by the prompt's id (`io.albumd.Agent.OpenReplacement`).
  case replacement(String)

  /// So many of a prompt's photos are shown: as on the page.
  static let most = 12

  /// Those of a prompt, the first of its photos; of one that would be overwritten, and what would take its place.
  static func all(of prompt: AgentInterface.Prompt) -> [PromptPicture] {
    let assets = (prompt.assets ?? []).prefix(most).map(PromptPicture.asset)
    return prompt.kind == .replacement ? assets.prefix(1) + [.replacement(prompt.id)] : assets
  }
}
