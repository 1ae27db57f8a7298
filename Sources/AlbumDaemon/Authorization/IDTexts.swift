/// What owners name by ids, as texts: an id is ASCII, and such texts are compared byte by byte. Others name nothing, and to
/// tell them apart takes time that grows with the square of their combining marks.
struct IDTexts {
  /// Each once.
  let set: Set<String>

  /// Nil where one of them is no id at all.
  init?(_ texts: [String]) {
    guard texts.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) else { return nil }
    set = Set(texts)
  }
}
