internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import Words

// What a picture is called, for whom it cannot be shown, or who does not see it (S62, S65).
extension Site {
  /// Pictures with their names and dates; without, where the daemon does not say.
  func pictures(_ ids: [String], _ words: Words) async -> [View.Values] {
    if ids.isEmpty { return [] }
    let wanted = ids
    // What a prompt is about is named, whatever else the owner does not want to see.
    let found = try? await daemon.ask {
      try $0.page(of: .init(ids: wanted, limit: 1000, includeHidden: true)).assets
    }
    let names = Dictionary(
      (found ?? []).map { ($0.id, words.list($0.filename, "\(LocalTime($0.created))")) }
    ) { first, _ in first }
    return ids.map { id in ["place": id.inAddress, "alt": names[id] ?? ""] }
  }
}
