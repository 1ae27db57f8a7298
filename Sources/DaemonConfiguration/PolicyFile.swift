import Authorization
import Yams

/// A file of `policies.d`; nil after an error.
func readPolicy(
  _ document: Document, accounts: Accounts, _ errors: inout FileErrors
) -> Policy? {
  let file = document.file
  let errorsBefore = errors.count
  guard
    let top = MappingReader(
      document.root, file: file, what: "a policy",
      keys: ["effect", "apps", "users", "groups", "accessLevels", "location", "reason"], &errors)
  else { return nil }
  let effect: Policy.Effect? =
    top.required("effect", &errors).flatMap { _ in
      choice("effect", top.string("effect", &errors), top.value("effect"), file, &errors)
    }
  var apps: [Glob] = []
  if top.required("apps", &errors) != nil {
    apps = (top.strings("apps", &errors) ?? []).map { Glob($0.text) }
    requireSome("apps", top, &errors)
  }
  // A list that names nobody would be a policy that does nothing, and looks as if it did.
  requireSome("users", top, &errors)
  requireSome("groups", top, &errors)
  requireSome("accessLevels", top, &errors)
  let namesPeople = top.value("users") != nil || top.value("groups") != nil
  let people = readPeople(top, accounts, &errors)
  let levels: [AccessLevel] =
    top.strings("accessLevels", &errors)?.compactMap { name, node in
      choice("accessLevels", name, node, file, &errors)
    } ?? AccessLevel.allCases
  let location = top.bool("location", default: false, &errors)
  if location, effect == .restrict, let node = top.value("location") {
    errors.append(
      .at(node, file, .invalidValue, "“location” is what “effect: authorize” may include, not “restrict”"))
  }
  let reason = top.value("reason").flatMap { readText($0, "reason", file, &errors) }
  guard errors.count == errorsBefore, let effect else { return nil }
  return Policy(
    name: document.stem, effect: effect, apps: apps,
    users: namesPeople ? .init(names: people.users, groups: people.groups, uids: people.uids) : nil,
    accessLevels: Set(levels), includesLocation: location, reason: reason, file: file)
}

private func requireSome(_ key: String, _ map: MappingReader, _ errors: inout FileErrors) {
  guard let node = map.value(key), case .sequence(let items) = node, items.isEmpty else { return }
  errors.append(.at(node, map.file, .invalidValue, "expected at least one entry in “\(key)”"))
}

/// One of the words of an enumeration.
private func choice<Choice: RawRepresentable<String> & CaseIterable>(
  _ key: String, _ text: String?, _ node: Node?, _ file: String, _ errors: inout FileErrors
) -> Choice? {
  guard let text, let node else { return nil }
  if let choice = Choice(rawValue: text) { return choice }
  let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
  errors.append(
    .at(node, file, .invalidValue, "expected one of \(known) for “\(key)”, found \(quoted(text))"))
  return nil
}
