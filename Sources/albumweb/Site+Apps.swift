internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import AlbumWeb
internal import HTTPTypes
internal import HummingbirdCore
internal import Words

// Apps, and what each may do (S64).
extension Site {
  /// The first page: what is asked, what was asked while nobody looked, and where to go from here.
  func home(_ visit: Visit) async throws -> Response {
    let words = visit.words
    let since = Instant(microseconds: Instant.now.microseconds - 7 * 86_400_000_000)
    let apps = try await apps(in: words)
    let lines = try await log(
      of: nil, since: since,
      [
        LogTail(5) { $0.outcome == "noAgent" && !Self.wasAnswered($0, apps) },
        LogTail(6) { $0.kind != .agent && $0.kind != .owner && !$0.isAsOwner },
      ])
    let missed = lines[0]
    let values: View.Values = [
      "missed": missed.reversed().map { View.lineValues($0, of: apps, words) }, "hasMissed": !missed.isEmpty,
      "recent": lines[1].reversed().map { View.lineValues($0, of: apps, words) },
      "apps": apps.sorted {
        ($0.lastSeen ?? $0.firstSeen ?? Instant(microseconds: 0))
          > ($1.lastSeen ?? $1.firstSeen ?? Instant(microseconds: 0))
      }.prefix(6).map { View.appValues($0, self, words) },
      "hasApps": !apps.isEmpty, "problem": await desk.problem ?? "", "hasProblem": await desk.problem != nil,
    ]
    return .html(
      View.page("home", words[.pageTitle], place: "", values, visit, prompt: await asked(visit, next: "/")))
  }

  /// Whether what an app asked while nobody was there was decided since.
  private static func wasAnswered(
    _ entry: ManagerInterface.AccessLogEntry, _ apps: [ManagerInterface.App]
  ) -> Bool {
    guard entry.kind == .request, let app = apps.first(where: { $0.id == entry.appId && $0.uid == entry.uid })
    else { return false }
    return app.grants.contains { grant in
      (entry.accessLevel == nil || grant.accessLevel == entry.accessLevel)
        && grant.decided.map { $0 > entry.lastTime ?? entry.time } == true
    }
  }

  /// Those that asked, or were decided about. A program that only ever did something as the owner is none.
  func apps(in words: Words) async throws -> [ManagerInterface.App] {
    let language = words.language
    let apps = try await daemon.ask {
      try $0.apps(language: language).filter {
        $0.manifest != nil || $0.grants.contains { $0.status != .notDetermined }
      }
    }
    await icons.load(apps.compactMap(\.icon))
    return apps
  }

  /// All of them.
  func apps(_ visit: Visit) async throws -> Response {
    let words = visit.words
    let apps = try await apps(in: words)
      .sorted { ($0.name.lowercased(), $0.uid) < ($1.name.lowercased(), $1.uid) }
    let values: View.Values = [
      "apps": apps.map { View.appValues($0, self, words) }, "hasApps": !apps.isEmpty,
    ]
    return .html(
      View.page(
        "apps", words[.pageApps], place: "apps", values, visit, prompt: await asked(visit, next: "/apps")))
  }

  /// Everything about one.
  ///
  /// - Parameter asks: of which level the owner is asked whether the decision is to be forgotten, with what was selected.
  func app(
    _ id: String, uid: String, _ visit: Visit, asks: AuthorizationInterface.AccessLevel? = nil
  ) async throws -> Response {
    guard let uid = Int(uid) else { throw NotFound() }
    let words = visit.words
    let (apps, selection, shown) = try await daemon.ask { connection in
      let selection = try connection.selection(of: id, uid: uid)
      return (
        try connection.apps(language: words.language), selection, try connection.pictures(of: selection)
      )
    }
    guard let app = apps.first(where: { $0.id == id && $0.uid == uid }) else { throw NotFound() }
    await icons.load([app.icon].compactMap(\.self))
    let tail = try await tails(of: id, since: nil, [LogTail(50) { $0.uid == uid }])[0]
    var values = View.appValues(app, self, words)
    values["manifest"] = app.manifest.map { words[.appManifest, ["file": $0]] } ?? words[.appNoManifest]
    values["levels"] = app.grants.map { View.grantValues($0, app, words) }
    values["pictures"] = await pictures(shown, words)
    if shown.count < selection.assets.count {
      values["moreSelected"] = words[.pageMore, ["count": "\(selection.assets.count - shown.count)"]]
    } else if shown.count == AlbumConnection.mostPictures, !selection.albums.isEmpty {
      values["moreSelected"] = words[.pageShowAll]
    }
    // It is kept where the app sees nothing any more.
    values["hasSelection"] =
      app.grants.contains { $0.status == .limited }
      && (!selection.assets.isEmpty || !selection.albums.isEmpty)
    values["selection"] =
      words[
        .selected, ["photos": "\(selection.assets.count)", "albums": "\(selection.albums.count)"]]
    values["lines"] = tail.entries.reversed().map { View.lineValues($0, of: [app], words) }
    values["hasLines"] = !tail.entries.isEmpty
    values["idInAddress"] = id.inAddress
    if tail.left > 0 { values["moreLines"] = words[.pageMore, ["count": "\(tail.left)"]] }
    if let asks { values["asks"] = asks.rawValue }
    if asks == nil, visit.query["done"] != nil { values["said"] = words[.pageChanged] }
    if let notice = words.addsAnyway(app) { values["notice"] = notice }
    let asked = await asked(visit, next: "/apps/\(id.inAddress)/\(uid)")
    await desk.shownApp(to: visit.session)
    return .html(View.page("app", app.name, place: "apps", values, visit, prompt: asked))
  }

  // MARK: Changes

  /// Says that it was too fast: nil where it was not.
  ///
  /// An app may have opened the page, at a moment of its choice (S15).
  private func tooFast(_ id: String, uid: Int, _ form: FormFields, _ visit: Visit) async -> Response? {
    if await desk.mayChangeApp(from: visit.session) { return nil }
    return await outcome(
      visit.words[.pageTooSoon], isDone: false, form, visit, wantsText: false,
      answerAt: "/apps/\(id.inAddress)/\(uid)")
  }

  func setAccess(_ id: String, uid: String, _ form: FormFields, _ visit: Visit) async throws -> Response {
    guard let uid = Int(uid),
      let level = form["level"].flatMap({ AuthorizationInterface.AccessLevel(rawValue: $0) }),
      let status = form["status"].flatMap({ AuthorizationInterface.AuthorizationStatus(rawValue: $0) })
    else { throw BadForm() }
    let place = "/apps/\(id.inAddress)/\(uid)"
    _ = try Self.expiry(form)
    // Nothing is decided before it is known what is selected: ``setSelection(_:uid:_:_:wantsText:)`` does both.
    if status == .limited {
      let duration = form["duration"].map { "&duration=\($0.inAddress)" } ?? ""
      return .see("\(place)/select?level=\(level.rawValue)\(duration)")
    }
    if let tooFast = await tooFast(id, uid: uid, form, visit) { return tooFast }
    let storing = try await decide(status, level, of: id, uid: uid, form)
    if storing.stored == false {
      return await problem(visit.words[.countsUnsaved, ["reason": storing.reason ?? ""]], visit, status: .ok)
    }
    return .see("\(place)?done=1")
  }

  /// Decides for an app, for as long as the form says.
  private func decide(
    _ status: AuthorizationInterface.AuthorizationStatus, _ level: AuthorizationInterface.AccessLevel,
    of id: String, uid: Int, _ form: FormFields
  ) async throws -> ManagerInterface.Storing {
    var decision = ManagerInterface.SetAuthorization.Parameters(
      appId: id, uid: uid, accessLevel: level, status: status)
    if status != .denied { decision.expires = try Self.expiry(form) }
    let wish = decision
    return try await daemon.ask { try $0.setAuthorization(wish) }
  }

  /// Whether the app learns where photos were taken (S55).
  func setLocation(_ id: String, uid: String, _ form: FormFields, _ visit: Visit) async throws -> Response {
    guard let uid = Int(uid), let location = form["location"] else { throw BadForm() }
    if let tooFast = await tooFast(id, uid: uid, form, visit) { return tooFast }
    _ = try await daemon.ask { try $0.setLocation(.init(appId: id, uid: uid, location: location == "1")) }
    return .see("/apps/\(id.inAddress)/\(uid)")
  }

  func forget(_ id: String, uid: String, _ form: FormFields, _ visit: Visit) async throws -> Response {
    guard let uid = Int(uid) else { throw BadForm() }
    if let tooFast = await tooFast(id, uid: uid, form, visit) { return tooFast }
    let level = form["level"].flatMap { AuthorizationInterface.AccessLevel(rawValue: $0) }
    // What was selected by hand goes with it: that is asked once.
    if level == .readWrite, form["sure"] != "1" {
      let selection = try await daemon.ask { try $0.selection(of: id, uid: uid) }
      if !selection.assets.isEmpty || !selection.albums.isEmpty {
        return try await app(id, uid: "\(uid)", visit, asks: level)
      }
    }
    _ = try await daemon.ask { try $0.reset(app: id, uid: uid, level: level) }
    return .see("/apps/\(id.inAddress)/\(uid)?done=1")
  }

  /// What an app may see when it is limited; with a level, from now on it is.
  func setSelection(
    _ id: String, uid: String, _ form: FormFields, _ visit: Visit, wantsText: Bool
  ) async throws -> Response {
    let place = uid
    guard let uid = Int(uid) else { throw BadForm() }
    _ = try Self.expiry(form)
    let (assets, albums) = (form.all("asset"), form.all("album"))
    let show = { (visit: Visit, plain: PlainForm) in
      try await self.appPicker(id, uid: place, visit, again: plain)
    }
    if !wantsText, let again = try await again(form, visit, mayBeNothing: false, show: show) { return again }
    guard await desk.mayChangeApp(from: visit.session) else {
      let message = visit.words[.pageTooSoon]
      if !wantsText { return try await refused(message, form, visit, show: show) }
      return await outcome(message, isDone: false, form, visit, wantsText: wantsText)
    }
    if assets.isEmpty, albums.isEmpty, form["nothing"] != "1" {
      return await outcome(
        visit.words[.pageNothingSelected], isDone: false, form, visit, wantsText: wantsText)
    }
    do {
      // Selected first: the app must not see for a moment what was selected before.
      var storing = try await daemon.ask {
        try $0.setSelection(.init(appId: id, uid: uid, assets: assets, albums: albums, operation: .replace))
      }
      if let level = form["level"].flatMap({ AuthorizationInterface.AccessLevel(rawValue: $0) }) {
        let decided = try await decide(.limited, level, of: id, uid: uid, form)
        if decided.stored == false { storing = decided }
      }
      let unsaved =
        storing.stored == false ? visit.words[.countsUnsaved, ["reason": storing.reason ?? ""]] : nil
      return await outcome(unsaved, isDone: true, form, visit, wantsText: wantsText)
    } catch let error as AlbumError {
      if !wantsText { return try await refused(error.message(in: visit.words), form, visit, show: show) }
      return await outcome(error.message(in: visit.words), isDone: false, form, visit, wantsText: wantsText)
    }
  }

  /// What is looked for in the access log, the oldest first; the whole is albumctl's.
  ///
  /// - Parameters:
  ///   - app: of this app only. Nothing where nobody knows it.
  ///   - tails: what is looked for.
  /// - Returns: for each tail what it has.
  func log(
    of app: String?, since: Instant?, _ tails: [LogTail]
  ) async throws -> [[ManagerInterface.AccessLogEntry]] {
    try await self.tails(of: app, since: since, tails).map(\.entries)
  }

  /// As ``log(of:since:_:)``, with how much there is beside.
  func tails(of app: String?, since: Instant?, _ tails: [LogTail]) async throws -> [LogTail] {
    do {
      return try await daemon.ask { connection in
        let stream = try connection.accessLog(app: app, since: since)
        var tails = tails
        while let reply = try stream.next() {
          for index in tails.indices { tails[index].take(reply.entries) }
        }
        return tails
      }
    } catch let error as AlbumError where error.code == .noSuchApp && app != nil {
      return tails
    }
  }
}

extension AlbumConnection {
  /// Pictures of a selection that are shown.
  fileprivate static let mostPictures = 24

  /// The first of what is selected: photos, and then what is in the albums, which a limited app sees where they are
  /// not shared (S19).
  fileprivate func pictures(of selection: ManagerInterface.GetSelection.Reply) throws(AlbumError) -> [String]
  {
    let most = Self.mostPictures
    var pictures = Array(selection.assets.prefix(most))
    guard pictures.count < most, !selection.albums.isEmpty else { return pictures }
    let shared = Set(try albums().albums.filter(\.shared).map(\.id))
    let seen = selection.albums.filter { !shared.contains($0) }
    guard !seen.isEmpty else { return pictures }
    let inside = try page(of: .init(albums: seen, sort: .created, descending: true, limit: most * 2)).assets
    let known = Set(pictures)
    pictures += inside.filter { !known.contains($0.id) && shared.isDisjoint(with: $0.albums) }.map(\.id)
    return Array(pictures.prefix(most))
  }
}
