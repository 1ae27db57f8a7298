internal import AlbumAPI

extension PhotoPicker {
  /// What a key came to.
  enum Outcome: Hashable {
    /// It goes on.
    case open
    /// The person has picked.
    case done
    /// The person goes back to the prompt; what is selected stays.
    case back
  }

  /// A key was pressed.
  ///
  /// - Parameter rows: how many rows of the list are shown.
  mutating func press(_ key: Key, rows: Int) -> Outcome {
    tryAgain()
    if let typed { return type(key, typed) }
    switch key {
    case .escape: return goBack()
    case .enter: return isLoaded && !isSweeping ? .done : .open
    case .character(" "): toggle()
    // No letter: in the prompt that this lies above, `a` allows the whole library.
    case .character("*"): setAll(true)
    case .character("u"): setAll(false)
    case .character("/"): typed = ""
    case .tab: nextShelf()
    case .right: open()
    case .left: if opened != nil { _ = goBack() }
    case .up, .character("k"): move(by: -1)
    case .down, .character("j"): move(by: 1)
    case .pageUp: move(by: -max(1, rows - 1))
    case .pageDown: move(by: max(1, rows - 1))
    case .home: position = 0
    case .end: position = max(0, rowCount - 1)
    case .character, .backspace: break
    }
    return .open
  }

  private mutating func type(_ key: Key, _ text: String) -> Outcome {
    switch key {
    case .character(let character): typed = text.count < 200 ? text + String(character) : text
    case .backspace: typed = String(text.dropLast())
    case .escape: typed = nil
    case .enter:
      typed = nil
      search = LibrarySearch(text)
      show(shelf)
    case .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .tab: break
    }
    return .open
  }

  private mutating func move(by step: Int) {
    position = max(0, min(rowCount - 1, position + step))
  }

  private mutating func nextShelf() {
    opened = nil
    search = LibrarySearch()
    switch shelf {
    // There is nothing in albums when only some photos are in question.
    case .photos: show(rules.candidates == nil ? .albums : .selected)
    case .albums: show(.selected)
    case .selected: show(.photos)
    }
  }

  private mutating func open() {
    guard case .album(let album)? = row(position) else { return }
    opened = album
    search = LibrarySearch()
    show(.photos)
  }

  /// Undoes the last narrowing; at last goes back to the prompt.
  private mutating func goBack() -> Outcome {
    if !search.isEmpty {
      search = LibrarySearch()
      show(shelf)
    } else if let album = opened {
      opened = nil
      show(.albums)
      position = listedAlbums.firstIndex { $0.id == album.id } ?? 0
    } else {
      return .back
    }
    return .open
  }
}
