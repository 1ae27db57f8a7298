import Authorization
import Yams

/// The texts that come with the program; a vendor's or the administrator's file of the same name wins.
private let builtIn: [(name: String, bytes: [UInt8])] = [
  ("en.yaml", PackageResources.en_yaml), ("zh-Hans.yaml", PackageResources.zh_Hans_yaml),
  ("zh-Hant.yaml", PackageResources.zh_Hant_yaml),
]

/// Every language's guide texts: the built-in ones, and the files of the directories, where of two files with
/// the same name the one in the later directory counts. One with errors is left out, or is as it was before.
func readGuides(
  in directories: [String], former: GuideCatalogue?, _ errors: inout FoundErrors
) -> GuideCatalogue? {
  var texts: [String: GuideText] = [:]
  for (name, bytes) in builtIn {
    let path = "built-in guides/\(name)"
    guard let document = Document.parse(bytes, file: path, &errors[path]) else { continue }
    texts[document.stem] = GuideFile(document, &errors[path])?.text
  }
  for path in filesByName(in: directories, &errors) {
    guard let document = Document.read(path, &errors[path]) else {
      let language = Document.stem(of: path)
      if let text = former?.texts[language] { texts[language] = text }
      continue
    }
    guard isLanguage(document.stem) else {
      errors[path].append(
        .at(
          document.root, path, .invalidValue,
          "the file is named “\(document.stem).yaml”; expected a language such as en or zh-Hans"))
      continue
    }
    if let text = GuideFile(document, &errors[path])?.text ?? former?.texts[document.stem] {
      texts[document.stem] = text
    }
  }
  return GuideCatalogue(texts)
}

/// A file of `guides`: what is said in one language.
struct GuideFile {
  let text: GuideText

  /// Reads it; nil after an error. Every key that is missing is named.
  init?(_ document: Document, _ errors: inout FileErrors) {
    let errorsBefore = errors.count
    guard
      let top = MappingReader(
        document.root, file: document.file, what: "the texts of guides",
        keys: [
          "denied", "restricted", "notAsked", "saved", "wallpaper", "inaccessible", "howToAllow",
          "howToSetWallpaper", "openSettings", "later", "done", "understood", "between",
        ], &errors)
    else { return nil }
    let denied = readRefusal("denied", top, &errors)
    let restricted = readRefusal("restricted", top, &errors)
    let notAsked = readRefusal("notAsked", top, &errors)
    let saved = readNotice("saved", top, &errors)
    let wallpaper = readNotice("wallpaper", top, desktops: Desktop.allCases, &errors)
    let inaccessible = readNotice("inaccessible", top, &errors)
    let labels = readLabels(top, &errors)
    // Nothing stands between the sentences of some languages.
    let between = top.required("between", &errors).flatMap { _ in top.possiblyEmpty("between", &errors) }
    guard errors.count == errorsBefore, let denied, let restricted, let notAsked, let saved, let wallpaper,
      let inaccessible, let labels, let between
    else { return nil }
    if denied.steps.count != 3 {
      errors.append(
        .at(top.place("denied"), document.file, .invalidValue, "expected three steps in “denied”"))
      return nil
    }
    text = GuideText(
      denied: denied, restricted: restricted, notAsked: notAsked, saved: saved, wallpaper: wallpaper,
      inaccessible: inaccessible, labels: labels, between: between)
  }
}

private func readRefusal(
  _ key: String, _ top: MappingReader, _ errors: inout FileErrors
) -> GuideText.Refusal? {
  guard let map = readSection(key, ["title", "message", "steps"], top, &errors) else { return nil }
  let title = readLevels("title", map, &errors)
  let message = readLevels("message", map, &errors)
  let steps = readSteps(map, &errors)
  guard let title, let message, let steps else { return nil }
  return GuideText.Refusal(title: title, message: message, steps: steps)
}

private func readLabels(_ top: MappingReader, _ errors: inout FileErrors) -> GuideText.Labels? {
  let howToAllow = readSentence("howToAllow", top, &errors)
  let howToSetWallpaper = readSentence("howToSetWallpaper", top, &errors)
  let openSettings = readSentence("openSettings", top, &errors)
  let later = readSentence("later", top, &errors)
  let done = readSentence("done", top, &errors)
  let understood = readSentence("understood", top, &errors)
  guard let howToAllow, let howToSetWallpaper, let openSettings, let later, let done, let understood else {
    return nil
  }
  return GuideText.Labels(
    howToAllow: howToAllow, howToSetWallpaper: howToSetWallpaper, openSettings: openSettings, later: later,
    done: done, understood: understood)
}

private func readNotice(
  _ key: String, _ top: MappingReader, desktops: [Desktop] = [], _ errors: inout FileErrors
) -> GuideText.Notice? {
  let keys = ["title", "one", "other", "steps"] + desktops.map(\.rawValue)
  guard let map = readSection(key, keys, top, &errors) else { return nil }
  let title = readSentence("title", map, &errors)
  let one = readSentence("one", map, &errors)
  let other = readSentence("other", map, &errors)
  let steps = readSteps(map, &errors)
  // Who translates need not know every desktop.
  var instead: [Desktop: [String]] = [:]
  for desktop in desktops where map.value(desktop.rawValue) != nil {
    instead[desktop] = readSteps(map, key: desktop.rawValue, &errors)
  }
  guard let title, let one, let other, let steps else { return nil }
  return GuideText.Notice(title: title, one: one, other: other, steps: steps, desktops: instead)
}

private func readSection(
  _ key: String, _ keys: [String], _ top: MappingReader, _ errors: inout FileErrors
) -> MappingReader? {
  top.required(key, &errors).flatMap {
    MappingReader($0, file: top.file, what: "“\(key)”", keys: keys, &errors)
  }
}

private func readLevels(
  _ key: String, _ section: MappingReader, _ errors: inout FileErrors
) -> [AccessLevel: String]? {
  guard let map = readSection(key, AccessLevel.allCases.map(\.rawValue), section, &errors) else { return nil }
  var texts: [AccessLevel: String] = [:]
  for level in AccessLevel.allCases { texts[level] = readSentence(level.rawValue, map, &errors) }
  return texts.count == AccessLevel.allCases.count ? texts : nil
}

private func readSteps(
  _ map: MappingReader, key: String = "steps", _ errors: inout FileErrors
) -> [String]? {
  guard map.required(key, &errors) != nil, let steps = map.strings(key, &errors) else { return nil }
  for (text, node) in steps { checkPlaces(text, node, map.file, &errors) }
  return steps.map(\.text)
}

private func readSentence(
  _ key: String, _ map: MappingReader, _ errors: inout FileErrors
) -> String? {
  guard let node = map.required(key, &errors), let text = map.string(key, &errors) else { return nil }
  checkPlaces(text, node, map.file, &errors)
  return text
}

private func checkPlaces(_ text: String, _ node: Node, _ file: String, _ errors: inout FileErrors) {
  for name in GuideText.unknownPlaces(in: text) {
    var known: String { GuideText.Place.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ") }
    errors.append(
      .at(node, file, .invalidValue, "\(quoted("{\(name)}")) is filled in by nobody; known are \(known)"))
  }
}
