internal import AlbumAPI
internal import Words

extension PhotoPicker {
  typealias Line = AgentDialog.Line

  /// The picker on so many rows: what is shown, the list, what is selected, the keys.
  func lines(_ words: Words, width: Int, rows: Int) -> [Line] {
    var below = [status(words)] + help(words, width)
    // A small window first loses the keys, then the title.
    if rows < below.count + 4 { below = [typed == nil ? status(words) : help(words, width)[0]] }
    let title = rows > below.count + 1 ? [Line(title(words))] : []
    let room = max(1, rows - below.count - title.count)
    return title + list(words, width, rows: room) + below
  }

  /// The list alone.
  ///
  /// - Parameter hasCursor: whether marks and the position are shown.
  func list(_ words: Words, _ width: Int, rows: Int, hasCursor: Bool = true) -> [Line] {
    // Below the list of a picker, the reason stands with what is selected.
    if let failure, rowCount == 0 { return [Line(hasCursor ? "  …" : "  \(SafeText(failure))")] }
    guard isLoaded, pending == nil || rowCount > 0 else { return [Line(words[.reading])] }
    if rowCount == 0 {
      let unknown = search.unknownType.map { words[.nothingOfType, ["type": "\(SafeText($0))"]] }
      return [Line("  " + TextWidth.fit(unknown ?? words[.nothing], into: width - 2))]
    }
    return visible(rows: rows).map { index in
      let isHere = hasCursor && index == position
      let text = text(of: index, words, hasMark: hasCursor)
      return Line((isHere ? "> " : "  ") + TextWidth.fit(text, into: width - 2), isEmphasized: isHere)
    }
  }

  private func text(of index: Int, _ words: Words, hasMark: Bool) -> String {
    switch row(index) {
    case .album(let album)?:
      let mark = !hasMark || !rules.takesAlbums ? "" : isSelected(album) ? "[x] " : "[ ] "
      let count = words[.albumCount, ["count": "\(album.assetCount)"]]
      let shared = album.shared && rules.takesAlbums ? "  \(words[.shared])" : ""
      return "\(mark)\(SafeText(albums?.title(of: album) ?? album.title))/  \(count)\(shared)"
    case .photo(let asset)?:
      let mark = !hasMark ? "" : isSelected(asset) ? "[x] " : isInSelectedAlbum(asset) ? "[+] " : "[ ] "
      return "\(mark)\(LocalTime(asset.created))  \(SafeText(asset.filename))\(details(asset, words))"
    case nil: return "…"
    }
  }

  private func details(_ asset: LibraryInterface.Asset, _ words: Words) -> String {
    var details: [String] = []
    switch asset.mediaType {
    case .image: break
    case .video: details.append(words[.video])
    case .livePhoto: details.append(words[.livePhoto])
    }
    let inAlbums = asset.albums.compactMap { albums?[$0] }
    if !inAlbums.isEmpty { details.append(inAlbums.map { "\(SafeText($0.title))" }.joined(separator: ", ")) }
    if asset.offline { details.append(words[.offline]) }
    return details.map { "  \($0)" }.joined()
  }

  private func title(_ words: Words) -> String {
    var title =
      switch shelf {
      case .photos:
        opened.map { words[.albumTitle, ["album": "\(SafeText(albums?.title(of: $0) ?? $0.title))"]] }
          ?? (rules.candidates == nil ? words[.photosTitle] : words[.candidatesTitle])
      case .albums: words[.albumsTitle]
      case .selected: words[.selectedTitle]
      }
    if !search.isEmpty { title += words[.comma] + words[.foundBy, ["text": "\(SafeText(search.text))"]] }
    return rowCount > 0 ? "\(title)  \(position + 1)/\(rowCount)" : title
  }

  private func status(_ words: Words) -> Line {
    if let problem { return Line(text(of: problem, words), isEmphasized: true) }
    if isSweeping { return Line(words[.selecting, ["count": "\(selectedCount)"]]) }
    let counts = ["photos": "\(selectedPhotos.count)", "albums": "\(selectedAlbums.count)"]
    var parts = [words[rules.takesAlbums ? .selected : .selectedPhotos, counts]]
    if let limit = rules.limit { parts.append(words[.atMost, ["limit": "\(limit)"]]) }
    if !selectedAlbums.isEmpty { parts.append(words[.withAlbum]) }
    return Line(parts.joined(separator: "  "))
  }

  private func text(of problem: Problem, _ words: Words) -> String {
    switch problem {
    case .limit(let limit): words[.limitReached, ["limit": "\(limit)"]]
    case .albumsAreNotTaken: words[.albumsAreNotTaken]
    case .nothingPicked: words[.nothingPicked]
    case .other(let reason): "\(SafeText(reason))"
    }
  }

  private func help(_ words: Words, _ width: Int) -> [Line] {
    guard let typed else {
      let albumKeys = rules.takesAlbums ? words[.albumKeys] : words[.albumKeysInPicker]
      return TextWidth.wrap(shelf == .albums ? albumKeys : words[.keys], into: width).map { Line($0) }
    }
    return [Line(words[.search, ["text": "\(SafeText(typed))_"]], isEmphasized: true)]
      + TextWidth.wrap(words[.searchHelp], into: width).map { Line($0) }
  }
}
