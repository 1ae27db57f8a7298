internal import AlbumAPI
internal import Words

/// What a picker shows of where it stands.
struct PickerScreen {
  typealias Line = AgentDialog.Line

  private let picker: PhotoPicker
  private let words: Words
  private let width: Int

  init(of picker: PhotoPicker, _ words: Words, _ width: Int) {
    self.picker = picker
    self.words = words
    self.width = width
  }

  /// The picker on so many rows: what is shown, the list, what is selected, the keys.
  ///
  /// - Parameter hasPicture: whether there is to be room for a picture of the photo at the position.
  /// - Returns: the lines, and where among them the picture is, if there is room for it.
  func lines(rows: Int, hasPicture: Bool = false) -> (lines: [Line], box: PictureBox?) {
    var below = [status] + help
    // A small window first loses the keys, then the title.
    if rows < below.count + 4 { below = [picker.typed == nil ? status : help[0]] }
    let title = rows > below.count + 1 ? [Line(title)] : []
    let room = max(1, rows - below.count - title.count)
    guard hasPicture, let box = PictureBox(on: room, width: width) else {
      return (title + list(rows: room) + below, nil)
    }
    // Beside the list it is beside all of it, beneath it beneath all of it, however short the list is.
    let narrow = PickerScreen(of: picker, words, box.column > 0 ? box.column - 1 : width)
    let rows = box.column > 0 ? room : room - box.rows
    let list = narrow.list(rows: rows)
    let padded = list + [Line](repeating: Line(""), count: room - list.count)
    return (title + padded + below, box.moved(by: title.count))
  }

  /// The list alone.
  ///
  /// - Parameter hasCursor: whether marks and the position are shown.
  func list(rows: Int, hasCursor: Bool = true) -> [Line] {
    // Below the list of a picker, the reason stands with what is selected.
    if let failure = picker.failure, picker.rowCount == 0 {
      return [Line(hasCursor ? "  …" : "  \(SafeText(failure))")]
    }
    guard picker.isLoaded, picker.pending == nil || picker.rowCount > 0 else {
      return [Line(words[.reading])]
    }
    if picker.rowCount == 0 {
      let unknown = picker.search.unknownType.map { words[.nothingOfType, ["type": "\(SafeText($0))"]] }
      return [Line("  " + TextWidth.fit(unknown ?? words[.nothing], into: width - 2))]
    }
    return picker.visible(rows: rows).map { index in
      let isHere = hasCursor && index == picker.position
      let text = text(of: index, hasMark: hasCursor)
      return Line((isHere ? "> " : "  ") + TextWidth.fit(text, into: width - 2), isEmphasized: isHere)
    }
  }

  private func text(of index: Int, hasMark: Bool) -> String {
    switch picker.row(index) {
    case .album(let album)?:
      let mark = !hasMark || !picker.rules.takesAlbums ? "" : picker.isSelected(album) ? "[x] " : "[ ] "
      let count = words[.albumCount, ["count": "\(album.assetCount)"]]
      let shared = album.shared && picker.rules.takesAlbums ? "  \(words[.shared])" : ""
      return "\(mark)\(SafeText(picker.albums?.title(of: album) ?? album.title))/  \(count)\(shared)"
    case .photo(let asset)?:
      let mark =
        !hasMark ? "" : picker.isSelected(asset) ? "[x] " : picker.isInSelectedAlbum(asset) ? "[+] " : "[ ] "
      return "\(mark)\(LocalTime(asset.created))  \(SafeText(asset.filename))\(details(asset))"
    case nil: return "…"
    }
  }

  private func details(_ asset: LibraryInterface.Asset) -> String {
    var details: [String] = []
    switch asset.mediaType {
    case .image: break
    case .video: details.append(words[.video])
    case .livePhoto: details.append(words[.livePhoto])
    }
    let inAlbums = asset.albums.compactMap { picker.albums?[$0] }
    if !inAlbums.isEmpty { details.append(inAlbums.map { "\(SafeText($0.title))" }.joined(separator: ", ")) }
    if asset.offline { details.append(words[.offline]) }
    return details.map { "  \($0)" }.joined()
  }

  private var title: String {
    var title =
      switch picker.shelf {
      case .photos:
        picker.opened.map {
          words[.albumTitle, ["album": "\(SafeText(picker.albums?.title(of: $0) ?? $0.title))"]]
        }
          ?? (picker.rules.candidates == nil ? words[.photosTitle] : words[.candidatesTitle])
      case .albums: words[.albumsTitle]
      case .selected: words[.selectedTitle]
      }
    if !picker.search.isEmpty {
      title += words[.comma] + words[.foundBy, ["text": "\(SafeText(picker.search.text))"]]
    }
    return picker.rowCount > 0 ? "\(title)  \(picker.position + 1)/\(picker.rowCount)" : title
  }

  private var status: Line {
    if let problem = picker.problem { return Line(text(of: problem), isEmphasized: true) }
    if picker.isSweeping { return Line(words[.selecting, ["count": "\(picker.selectedCount)"]]) }
    let counts = ["photos": "\(picker.selectedPhotos.count)", "albums": "\(picker.selectedAlbums.count)"]
    var parts = [words[picker.rules.takesAlbums ? .selected : .selectedPhotos, counts]]
    if let limit = picker.rules.limit { parts.append(words[.atMost, ["limit": "\(limit)"]]) }
    if picker.rules.minimum > 0 { parts.append(words[.atLeast, ["minimum": "\(picker.rules.minimum)"]]) }
    if !picker.selectedAlbums.isEmpty { parts.append(words[.withAlbum]) }
    return Line(parts.joined(separator: "  "))
  }

  private func text(of problem: PhotoPicker.Problem) -> String {
    switch problem {
    case .limit(let limit): words[.limitReached, ["limit": "\(limit)"]]
    case .minimum(let minimum): words[.minimumNotReached, ["minimum": "\(minimum)"]]
    case .albumsAreNotTaken: words[.albumsAreNotTaken]
    case .nothingPicked: words[.nothingPicked]
    case .nothingSelected: "\(words[.pageNothingSelected]) \(words[.onceMore])"
    case .folder(let title, let albums):
      words[.pageFolder, ["album": "\(SafeText(title))", "albums": "\(albums)"]]
    case .other(let reason): "\(SafeText(reason))"
    }
  }

  private var help: [Line] {
    guard let typed = picker.typed else {
      let albumKeys = picker.rules.takesAlbums ? words[.albumKeys] : words[.albumKeysInPicker]
      return TextWidth.wrap(picker.shelf == .albums ? albumKeys : words[.keys], into: width).map { Line($0) }
    }
    return [Line(words[.search, ["text": "\(SafeText(typed))_"]], isEmphasized: true)]
      + TextWidth.wrap(words[.searchHelp], into: width).map { Line($0) }
  }
}
