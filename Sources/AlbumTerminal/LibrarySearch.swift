package import AlbumAPI

/// What a person types to find photos: words of the file's name, `album:NAME`, `type:video`, and times such
/// as `2024`, `2024-05`, `2024-05-17` or `2024-05..2024-08`, in the zone of this process.
///
/// In Chinese the keys may be typed as `相簿:`, `类型:` and `名称:` (`類型:`, `名稱:`) as well, with the colon of either
/// width, and the kinds as they are called there.
///
/// A word in double quotes may hold spaces (`album:"Summer at the lake"`); `name:2024` looks for a name that
/// reads like a time.
package struct LibrarySearch: Hashable, Sendable {
  /// As it was typed.
  package let text: String
  /// The name contains this.
  package private(set) var name: String?
  /// In an album whose title contains one of these.
  package private(set) var albumNames: [String] = []
  /// Of one of these kinds; all when empty.
  package private(set) var mediaTypes: [LibraryInterface.MediaType] = []
  /// Created at or after.
  package private(set) var after: Instant?
  /// Created before.
  package private(set) var before: Instant?

  /// The first kind that was typed and is none. It is looked for in names, like any other word.
  package private(set) var unknownType: String?

  /// Reads what was typed. Every text finds something or nothing; none is wrong.
  package init(_ text: String = "") {
    self.text = text
    var names: [String] = []
    for word in Self.words(of: text) {
      if let album = word.value(of: "album") {
        albumNames.append(album)
      } else if let name = word.value(of: "name") {
        names.append(name)
      } else if let type = word.value(of: "type").flatMap(Self.mediaTypes) {
        mediaTypes += type
      } else if let span = Self.span(word) {
        after = [after, span.after].compactMap(\.self).max()
        before = [before, span.before].compactMap(\.self).min()
      } else if !word.isEmpty {
        unknownType = unknownType ?? word.value(of: "type")
        names.append(word)
      }
    }
    name = names.isEmpty ? nil : names.joined(separator: " ")
  }

  /// Whether it leaves nothing out.
  package var isEmpty: Bool {
    name == nil && albumNames.isEmpty && mediaTypes.isEmpty && after == nil && before == nil
  }

  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var isQuoted = false
    for character in text {
      switch character {
      case "\"": isQuoted.toggle()
      case " " where !isQuoted:
        words.append(word)
        word = ""
      default: word.append(character)
      }
    }
    return words + [word]
  }

  private static func mediaTypes(_ name: String) -> [LibraryInterface.MediaType]? {
    switch name.lowercased() {
    case "photo", "image", "照片", "相片": [.image, .livePhoto]
    case "video", "视频", "視頻", "影片", "視訊": [.video]
    case "live", "livephoto", "实况", "实况照片", "實況", "實況照片": [.livePhoto]
    default: nil
    }
  }

  private static func span(_ word: String) -> (after: Instant?, before: Instant?)? {
    guard let dots = word.firstRange(of: "..") else {
      return LocalPeriod(word).map { ($0.start, $0.end) }
    }
    let (first, last) = (String(word[..<dots.lowerBound]), String(word[dots.upperBound...]))
    let (start, end) = (LocalPeriod(first), LocalPeriod(last))
    guard start != nil || first.isEmpty, end != nil || last.isEmpty, start != nil || end != nil else {
      return nil
    }
    return (start?.start, end?.end)
  }
}

extension String {
  /// What keys are called in Chinese, in both scripts.
  private static let aliases = [
    "album": ["相簿", "相册", "相冊"], "type": ["类型", "類型"], "name": ["名称", "名稱"],
  ]

  fileprivate func value(of key: String) -> String? {
    let text = lowercased()
    for name in [key] + (Self.aliases[key] ?? []) where text.hasPrefix(name) {
      let rest = dropFirst(name.count)
      guard let colon = rest.first, colon == ":" || colon == "：", rest.count > 1 else { continue }
      return String(rest.dropFirst())
    }
    return nil
  }
}
