import Authorization
import Varlink
import Yams

/// A file of `apps.d`: the manifest, and where it claims what.
struct ManifestFile {
  let manifest: AppManifest
  let places: [IdentityBinding: Node]

  /// One as it was read before.
  init(_ former: AppManifest) {
    manifest = former
    places = [:]
  }

  init?(_ document: Document, administratorDirectory: String, _ errors: inout FileErrors) {
    let file = document.file
    let errorsBefore = errors.count
    let appID = document.stem
    if !AppManifest.isValidAppID(appID) {
      errors.append(
        .at(
          document.root, file, .invalidValue,
          "the file is named “\(appID).yaml”; expected an app id of letters, digits, “.”, “_” and “-”"))
    }
    guard
      let top = MappingReader(
        document.root, file: file, what: "an app manifest",
        keys: ["name", "identity", "usage", "icon", "automaticLimitedPicker", "manages"], &errors)
    else { return nil }
    let name = top.required("name", &errors).flatMap { readText($0, "name", file, &errors) }
    var places: [IdentityBinding: Node] = [:]
    let bindings = readBindings(top, &places, &errors)

    var usage: [AccessLevel: LocalizedText] = [:]
    var locationUsage: LocalizedText?
    if let node = top.value("usage"),
      let map = MappingReader(
        node, file: file, what: "usage", keys: AccessLevel.allCases.map(\.rawValue) + ["location"], &errors)
    {
      for level in AccessLevel.allCases {
        usage[level] = map.value(level.rawValue).flatMap { readText($0, level.rawValue, file, &errors) }
      }
      locationUsage = map.value("location").flatMap { readText($0, "location", file, &errors) }
    }
    let icon = top.string("icon", &errors)
    let picker = top.bool("automaticLimitedPicker", default: false, &errors)
    let manages = top.bool("manages", default: false, &errors)
    guard errors.count == errorsBefore, let name else { return nil }
    manifest = AppManifest(
      appID: appID, name: name, bindings: bindings, usage: usage, locationUsage: locationUsage, icon: icon,
      automaticLimitedPicker: picker, manages: manages, file: file,
      fileToWrite: "\(administratorDirectory)/\(appID).yaml")
    self.places = places
  }
}

private func readBindings(
  _ top: MappingReader, _ places: inout [IdentityBinding: Node], _ errors: inout FileErrors
) -> [IdentityBinding] {
  guard let node = top.required("identity", &errors),
    let map = MappingReader(
      node, file: top.file, what: "identity", keys: EvidenceKind.bindable.map(\.rawValue), &errors)
  else { return [] }
  var bindings: [IdentityBinding] = []
  for kind in EvidenceKind.bindable {
    guard let value = map.string(kind.rawValue, &errors) else { continue }
    let binding = IdentityBinding(kind, value)
    if let problem = problem(with: binding) {
      errors.append(.at(map.value(kind.rawValue) ?? node, top.file, .invalidValue, problem))
    }
    bindings.append(binding)
    places[binding] = map.place(kind.rawValue)
  }
  if map.isEmpty {
    let kinds = EvidenceKind.bindable.map(\.rawValue).joined(separator: ", ")
    errors.append(.at(node, top.file, .missingKey, "expected at least one of \(kinds) in “identity”"))
  }
  return bindings
}

/// Why a binding could recognize nobody, or far too many; nil when it is fine.
private func problem(with binding: IdentityBinding) -> String? {
  let value = binding.value
  switch binding.kind {
  case .flatpak:
    return AppManifest.isValidAppID(value)
      ? nil : "expected the id of a Flatpak such as org.example.App, found \(quoted(value))"
  case .snap:
    return AppManifest.isValidAppID(value)
      ? nil : "expected the name of a snap such as firefox, found \(quoted(value))"
  case .unit:
    if Glob("user@*.service").matches(value) || Glob("session-*.scope").matches(value) {
      return "\(Quoted(value)) runs everything of a user; bind a userUnit or an executable instead"
    }
    return isUnitName(value, pattern: false)
      ? nil : "expected a unit such as backup.service, found \(quoted(value))"
  case .userUnit:
    return isUnitName(value, pattern: true)
      ? nil : "expected a user unit or a pattern such as app-NAME-*.scope, found \(quoted(value))"
  case .executable:
    let parts = value.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    let isPlain = parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    return value.hasPrefix("/") && isPlain
      ? nil : "expected the absolute path of a program, found \(quoted(value))"
  case .sandbox:
    return "no manifest recognizes a peer by its namespaces"
  }
}

private func isUnitName(_ name: String, pattern: Bool) -> Bool {
  let suffixes = [".service", ".scope"]
  guard let suffix = suffixes.first(where: name.hasSuffix), name.utf8.count <= 255 else { return false }
  let stem = name.dropLast(suffix.count)
  guard stem.contains(where: { $0 != "*" }), pattern || !stem.contains("*") else { return false }
  return !stem.contains { $0 == "/" || $0.isWhitespace }
}

/// A text in several languages: a mapping of language tags.
func readText(
  _ node: Node, _ key: String, _ file: String, _ errors: inout FileErrors
) -> LocalizedText? {
  guard let map = MappingReader(node, file: file, what: "“\(key)” by language", keys: [], &errors) else {
    return nil
  }
  var texts: [String: String] = [:]
  for language in map.keys {
    guard isLanguage(language) else {
      errors.append(
        .at(
          map.place(language), file, .invalidValue,
          "expected a language such as en or zh-Hans, found \(quoted(language))"))
      continue
    }
    texts[language] = map.string(language, &errors)
  }
  if map.isEmpty {
    errors.append(.at(node, file, .missingKey, "expected a text in at least one language for “\(key)”"))
  }
  return LocalizedText(texts)
}

/// Whether a text is a language tag, more or less (BCP 47).
func isLanguage(_ tag: String) -> Bool {
  let parts = tag.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
  return (2...3).contains(parts.first?.count ?? 0)
    && (parts.first?.allSatisfy { $0.isASCII && $0.isLetter } ?? false)
    && parts.dropFirst().allSatisfy {
      (2...8).contains($0.count) && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}

/// The manifests of those directories. One with errors is left out, or is as it was before. Of two that claim the same
/// the administrator's counts, else the one that was in force, else the first by name.
func readManifests(
  in directories: [String], administratorDirectory: String, former: ManifestCatalog?,
  _ errors: inout FoundErrors
) -> [AppManifest] {
  let former = Dictionary(
    (former?.manifests.values.map { ($0.file, $0) }) ?? [], uniquingKeysWith: { first, _ in first })
  var files: [ManifestFile] = []
  for path in filesByName(in: directories, &errors) {
    let file = Document.read(path, &errors[path]).flatMap {
      ManifestFile($0, administratorDirectory: administratorDirectory, &errors[path])
    }
    if let file = file ?? former[path].map(ManifestFile.init) { files.append(file) }
  }
  func rank(_ file: ManifestFile) -> Int {
    if file.manifest.file.hasPrefix("\(administratorDirectory)/") { return 0 }
    return former[file.manifest.file] == nil ? 2 : 1
  }
  let ordered = files.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
  return withoutConflicts(ordered.map(\.element), &errors)
}

/// Those that claim nothing that an earlier one claims; an error for each other one.
private func withoutConflicts(
  _ files: [ManifestFile], _ errors: inout FoundErrors
) -> [AppManifest] {
  let byID = Dictionary(files.map { ($0.manifest.appID, $0) }) { first, _ in first }
  var refused: Set<String> = []
  for conflict in ManifestCatalog.conflicts(among: files.map(\.manifest)) {
    guard let file = byID[conflict.second.appID], let other = byID[conflict.first.appID] else { continue }
    refused.insert(file.manifest.appID)
    let message =
      "\(quoted("\(conflict.second.binding)")) is claimed by \(other.manifest.file) too (\(quoted("\(conflict.first.binding)"))); "
      + "a peer can be one app only"
    let path = file.manifest.file
    if let node = file.places[conflict.second.binding] {
      errors[path].append(.at(node, path, .conflict, message))
    } else {
      errors[path].append(
        ConfigurationError(code: .conflict, file: path, line: 1, column: 1, message: message))
    }
  }
  return files.map(\.manifest).filter { !refused.contains($0.appID) }
}
