internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import AlbumWeb
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import Varlink
internal import Words

// What apps ask (S62): the sheet that every page shows, and its answers.
extension Site {
  /// What is asked now, for a page that is about to be shown.
  func asked(_ visit: Visit, next: String) async -> View.Values? {
    guard let prompt = await desk.board.current else { return nil }
    return await promptValues(prompt, visit, next: next)
  }

  /// A prompt alone on a page: for who has no scripts, and from the notification.
  func prompt(_ id: String, _ visit: Visit) async throws -> Response {
    guard let prompt = await desk.board.prompt(id) else {
      return await problem(visit.words[.promptGone], visit, status: .gone)
    }
    let title = visit.words.question(prompt, label: prompt.app.name)
    return .html(View.page("prompt", title, await promptValues(prompt, visit, next: "/"), visit))
  }

  /// The sheet's values, for a page that shows it now.
  func promptValues(_ prompt: AgentInterface.Prompt, _ visit: Visit, next: String) async -> View.Values {
    let words = visit.words
    await icons.load([prompt.app.icon].compactMap(\.self))
    let picks = { (decision: AgentInterface.Decision) in
      decision == .limited || (decision == .allow && prompt.kind == .picker)
    }
    let grants = prompt.choices.contains { $0 == .allow || $0 == .limited }
    let lasts = prompt.kind == .authorization
    let assets = prompt.assets ?? []
    let pictures = await self.pictures(Array(assets.prefix(12)), words)
    let choices = prompt.choices.map { decision -> View.Values in
      var values: View.Values = [
        "value": decision.rawValue, "title": words.title(decision, prompt), "link": picks(decision),
      ]
      values["quiet"] = decision == .notNow
      values["danger"] = decision == .allow && [.deletion, .replacement, .reversion].contains(prompt.kind)
      return values
    }
    var values: View.Values = [
      "id": prompt.id, "place": prompt.id.inAddress, "next": next,
      "question": words.question(prompt, label: prompt.app.name), "app": prompt.app.name,
      "appID": prompt.app.id,
      "user": prompt.app.user, "verified": prompt.app.verified,
      "trust": words[prompt.app.verified ? .verified : .notVerified, ["user": prompt.app.user]],
      "choices": choices, "tile": tile(prompt.app.name, prompt.app.id, icon: prompt.app.icon),
      "pictures": prompt.kind == .replacement ? [] : pictures,
      "durations": grants && lasts ? Self.durations(words) : [],
    ]
    if prompt.kind == .replacement, let before = pictures.first {
      values["swap"] = [
        "before": before["place"] ?? "", "alt": before["alt"] ?? "", "after": prompt.id.inAddress,
      ]
    }
    if let evidence = prompt.app.evidence {
      values["evidence"] = words[.knownBy, ["evidence": words.evidence("\(SafeText(evidence))")]]
    }
    if let reason = prompt.usageDescription { values["reason"] = reason }
    if let reason = prompt.locationUsageDescription { values["location"] = reason }
    if let level = prompt.accessLevel {
      values["level"] = words[level == .addOnly ? .pageLevelAdd : .pageLevelRead]
    }
    if assets.count > 12 { values["more"] = words[.pageMore, ["count": "\(assets.count - 12)"]] }
    // Not before all of it is there: icons and names may have been waited for.
    await desk.shown(prompt.id, to: visit.session)
    return values
  }

  /// How long an answer may hold.
  static func durations(_ words: Words) -> [View.Values] {
    [
      ("always", Phrase.always), ("untilExit", .untilExit), ("hour", .hour), ("day", .day), ("week", .week),
      ("month", .month),
    ].map { ["value": $0, "title": words[$1]] }
  }

  /// How long it may hold, with what was chosen already.
  ///
  /// - Parameter untilExit: whether the app is there, and may come to its end.
  static func durations(_ visit: Visit, untilExit: Bool = true) -> [View.Values] {
    durations(visit.words).filter { untilExit || $0["value"] as? String != "untilExit" }.map { duration in
      duration.merging(["here": duration["value"] as? String == visit.query["duration"]]) { $1 }
    }
  }

  /// An app's icon, or a letter on a colour where it has none that can be shown.
  ///
  /// - Parameter icon: as the manifest names it; it was loaded.
  func tile(_ name: String, _ id: String, icon: String?) -> View.Values {
    let sum = id.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
    var values: View.Values = ["letter": String(name.prefix(1)).uppercased(), "tint": "tint\(sum % 8)"]
    if let icon, icons.icon(icon) != nil { values["icon"] = "/icon/\(icon.inAddress)" }
    return values
  }

  /// An icon that a page has shown, as a picture that can do nothing.
  func icon(_ name: String) throws -> Response {
    guard let icon = icons.icon(name) else { throw NotFound() }
    var response = Response.of(ByteBuffer(bytes: icon.bytes), icon.mediaType)
    if let name = HTTPField.Name("content-security-policy") {
      response.headers[name] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    }
    return response
  }

  // MARK: Answers

  /// The owner's answer, from the sheet or the picker.
  func respond(to id: String, _ form: FormFields, _ visit: Visit, wantsText: Bool) async throws -> Response {
    guard let prompt = await desk.board.prompt(id) else {
      return await outcome(visit.words[.promptGone], isDone: false, form, visit, wantsText: wantsText)
    }
    // Enter in a checkbox presses the first button of a form that is not disabled: there it is no answer.
    if form["decision"] == nil {
      return wantsText
        ? await outcome(nil, isDone: false, form, visit, wantsText: true) : .see("/prompt/\(id.inAddress)")
    }
    guard let decision = form["decision"].flatMap({ AgentInterface.Decision(rawValue: $0) }),
      prompt.choices.contains(decision)
    else { throw BadForm() }
    let answer = try Self.answer(decision, prompt, form)
    let place = "/prompt/\(id.inAddress)"
    let isGrid = !wantsText && answer.assets != nil
    let show = { (visit: Visit, plain: PlainForm) in
      try await self.promptPicker(id, visit, again: plain)
    }
    if isGrid,
      let again = try await again(form, visit, mayBeNothing: decision != .limited, show: show)
    {
      return again
    }
    if decision == .limited, answer.assets?.isEmpty ?? true, answer.albums?.isEmpty ?? true,
      form["nothing"] != "1"
    {
      return await outcome(
        visit.words[.pageNothingSelected], isDone: false, form, visit, wantsText: wantsText, answerAt: place)
    }
    if decision == .allow || decision == .limited, let minimum = prompt.minimum,
      answer.assets?.count ?? 0 < minimum
    {
      let message = visit.words[.minimumNotReached, ["minimum": "\(minimum)"]]
      return await outcome(message, isDone: false, form, visit, wantsText: wantsText, answerAt: place)
    }
    switch await desk.beginAnswer(id, from: visit.session) {
    case .send: break
    case .tooSoon where isGrid: return try await refused(visit.words[.pageTooSoon], form, visit, show: show)
    case .tooSoon:
      return await outcome(
        visit.words[.pageTooSoon], isDone: false, form, visit, wantsText: wantsText, answerAt: place)
    case .gone:
      return await outcome(visit.words[.promptGone], isDone: false, form, visit, wantsText: wantsText)
    }
    do {
      let reply = try await daemon.askAlone { try $0.respond(to: id, with: answer).next() }
      await desk.endAnswer(id, isOver: true)
      let unsaved =
        reply?.stored == false ? visit.words[.countsUnsaved, ["reason": reply?.reason ?? ""]] : nil
      return await outcome(unsaved, isDone: true, form, visit, wantsText: wantsText)
    } catch let error as AlbumError {
      await desk.endAnswer(id, isOver: error.code == .noSuchPrompt)
      if isGrid, error.code != .noSuchPrompt {
        return try await refused(error.message(in: visit.words), form, visit, show: show)
      }
      return await outcome(
        error.message(in: visit.words), isDone: false, form, visit, wantsText: wantsText,
        answerAt: error.code == .noSuchPrompt ? nil : place)
    }
  }

  private static func answer(
    _ decision: AgentInterface.Decision, _ prompt: AgentInterface.Prompt, _ form: FormFields
  ) throws -> AgentInterface.Answer {
    let picked = decision == .limited || (decision == .allow && prompt.kind == .picker)
    var answer = AgentInterface.Answer(decision: decision)
    if picked { answer.assets = form.all("asset") }
    if decision == .limited { answer.albums = form.all("album") }
    // Off until the person sets it (S55).
    if form["location"] == "1", prompt.locationUsageDescription != nil,
      decision == .allow || decision == .limited
    {
      answer.location = true
    }
    guard decision == .allow || decision == .limited else { return answer }
    if form["duration"] == "untilExit" {
      answer.duration = .untilExit
    } else if let expires = try expiry(form) {
      answer.duration = .until
      answer.expires = expires
    }
    return answer
  }

  /// Until when a form says that what it decides holds; nil for always.
  static func expiry(_ form: FormFields) throws -> Instant? {
    guard let name = form["duration"], name != "always" else { return nil }
    let hours: [String: Int64] = ["hour": 1, "day": 24, "week": 168, "month": 720]
    // What no page of ours offers must not be taken for longer than was meant.
    guard let span = hours[name] else { throw BadForm() }
    return Instant(microseconds: Instant.now.microseconds + span * 3_600_000_000)
  }

  /// What came of a form: for a script as text, else the next page, or one that says what is the matter.
  ///
  /// - Parameter place: where it is answered again, if it can be.
  func outcome(
    _ message: String?, isDone: Bool, _ form: FormFields, _ visit: Visit, wantsText: Bool,
    answerAt place: String? = nil
  ) async -> Response {
    if wantsText {
      let text = (try? JSONEncoding.encode(Outcome(done: isDone, message: message.map(HTMLText.plain)))) ?? []
      return .json(text, status: isDone ? .ok : .conflict)
    }
    if let message {
      return await problem(message, visit, status: isDone ? .ok : .conflict, answerAt: place)
    }
    // Never to another site.
    let next = form["next"].flatMap {
      $0.hasPrefix("/") && !$0.hasPrefix("//") && !$0.contains("\\") ? $0 : nil
    }
    return .see(next ?? "/")
  }
}

private struct Outcome: Encodable {
  let done: Bool
  let message: String?
}
