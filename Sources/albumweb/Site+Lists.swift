internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import AlbumWeb
internal import HummingbirdCore
internal import HTTPTypes
internal import Words

// The log, what was deleted, the library, and who was let in (S64).
extension Site {
  func log(_ visit: Visit) async throws -> Response {
    let words = visit.words
    let app = visit.query["app"]
    let filter = visit.query["kind"].flatMap { LogFilter(rawValue: $0) }
    let end = visit.query["before"].flatMap { Int($0) }
    let tail = try await tails(
      of: app, since: nil,
      [LogTail(300, before: end) { filter == nil || LogFilter(finding: $0.kind) == filter }])[0]
    let entries = tail.entries
    // Also one that only ever did something as the owner, and one that is known by the log alone.
    let known = try await daemon.ask { try $0.apps(language: words.language) }
    let named = Set(known.map(\.id) + entries.map(\.appId) + [app].compactMap(\.self)).subtracting(["*"])
    let titles = Self.titles(of: named, known)
    var values: View.Values = [
      "lines": entries.reversed().map { View.lineValues($0, of: known, words) },
      "apps": named.sorted { ((titles[$0] ?? $0).lowercased(), $0) < ((titles[$1] ?? $1).lowercased(), $1) }
        .map { id -> View.Values in ["id": id, "title": titles[id] ?? id, "here": id == app] },
      "kinds": LogFilter.allCases.map { value -> View.Values in
        ["value": value.rawValue, "name": words.title(value), "here": value == filter]
      },
    ]
    if tail.left > 0, let first = entries.first {
      let kept = ["app", "kind"].compactMap { name in visit.query[name].map { "\(name)=\($0.inAddress)&" } }
      values["older"] = "/log?\(kept.joined())before=\(first.id)"
      values["more"] = words[.pageMore, ["count": "\(tail.left)"]]
    }
    if visit.query["part"] == "lines" { return .html(View.part("lines", values, visit)) }
    return .html(
      View.page(
        "log", words[.pageLog], place: "log", values, visit, prompt: await asked(visit, next: "/log"),
        scripts: ["log"]))
  }

  /// What apps are called: by their names, and with the id where those are alike.
  private static func titles(of ids: Set<String>, _ known: [ManagerInterface.App]) -> [String: String] {
    let names = Dictionary(known.filter { ids.contains($0.id) }.map { ($0.id, $0.name) }) { first, _ in first
    }
    let counts = Dictionary(names.values.map { ($0, 1) }, uniquingKeysWith: +)
    return names.reduce(into: [:]) { titles, app in
      titles[app.key] = counts[app.value] == 1 ? app.value : "\(app.value) (\(app.key))"
    }
  }

  // MARK: Deleted

  /// What was deleted.
  ///
  /// - Parameters:
  ///   - ids: what is to be removed for good, where that is asked.
  ///   - said: what did not work.
  func deleted(_ visit: Visit, asking ids: [String]? = nil, said: String? = nil) async throws -> Response {
    let words = visit.words
    let (all, apps) = try await daemon.ask {
      (try $0.deletedAssets(), try $0.apps(language: words.language))
    }
    let assets = Array(all.reversed())
    let titles = Self.titles(of: Set(assets.compactMap(\.appId)), apps)
    let most = 500
    let skipped = ids == nil ? min(max(0, visit.query["skip"].flatMap { Int($0) } ?? 0), assets.count) : 0
    // Who is asked sees what it is about, and nothing else.
    let wanted = Set(ids ?? [])
    let those = ids == nil ? assets.dropFirst(skipped) : assets.filter { wanted.contains($0.id) }[...]
    let shown = ids == nil ? those.prefix(most) : those
    var values: View.Values = [
      "assets": shown.map { asset -> View.Values in
        // The last day counts, however little is left of it.
        let day: Int64 = 86_400_000_000
        let left = max(0, (asset.purge.microseconds - Instant.now.microseconds + day - 1) / day)
        return [
          "id": asset.id, "place": asset.id.inAddress, "name": asset.filename,
          "size": "\(ByteCount(asset.byteCount))",
          "when": "\(LocalTime(asset.deleted))",
          "left": words.counting(Int(left), .pageDaysLeftOne, .pageDaysLeftOther),
          "by": asset.appId.map { titles[$0] ?? $0 } ?? words[.anOwner], "checked": ids != nil,
        ]
      }, "hasAssets": !assets.isEmpty, "asks": ids != nil, "isBad": said != nil,
    ]
    if those.count > shown.count {
      values["next"] = "\(skipped + most)"
      values["more"] = words[.pageMore, ["count": "\(those.count - shown.count)"]]
    }
    if let said = said ?? (ids == nil ? words.done(visit.query) : nil) { values["said"] = said }
    return .html(
      View.page(
        "deleted", words[.pageDeleted], place: "deleted", values, visit,
        prompt: await asked(visit, next: "/deleted")), status: said == nil ? .ok : .conflict)
  }

  func changeDeleted(_ action: String, _ form: FormFields, _ visit: Visit) async throws -> Response {
    let ids = form.all("asset")
    let words = visit.words
    guard !ids.isEmpty else { return try await deleted(visit, said: words[.pageNothingTicked]) }
    switch action {
    case "restore":
      let restored = Set(try await daemon.ask { try $0.restore(ids) })
      let left = Set(ids).subtracting(restored)
      if left.isEmpty { return .see("/deleted?restored=\(restored.count)") }
      let names = try await daemon.ask { try $0.deletedAssets() }.filter { left.contains($0.id) }.map(
        \.filename)
      return try await deleted(
        visit, said: words[.notRestored, ["ids": words.list(names.isEmpty ? left.sorted() : names)]])
    case "purge" where form["sure"] == "1":
      let reply = try await daemon.ask { try $0.purge(ids) }
      guard let problem = reply.problem else { return .see("/deleted?purged=\(reply.count)") }
      Log.warning("Not everything was removed: \(problem)")
      let removed = words.counting(reply.count, .purgedOne, .purgedOther)
      return try await deleted(visit, said: words[.pageNotAll, ["done": removed, "reason": problem]])
    // For good: asked once more, with what was chosen still chosen.
    case "purge": return try await deleted(visit, asking: ids)
    // Enter in a checkbox presses the first button of a form that is not disabled: there it is no answer.
    case "ask": return try await deleted(visit, asking: ids)
    default: throw BadForm()
    }
  }

  // MARK: The library

  func library(_ visit: Visit) async throws -> Response {
    let words = visit.words
    let (info, albums, smart, findings) = try await daemon.ask {
      (
        try $0.info(), try $0.albums().albums, try $0.smartAlbums(words),
        try $0.check(language: words.language)
      )
    }
    let state: Phrase =
      switch info.state {
      case .scanning: .stateScanning
      case .ready: .stateReady
      case .degraded: .stateDegraded
      case .offline: .stateOffline
      }
    let bad = findings.filter { $0.severity != .ok }
    let most = visit.query["albums"] == "all" ? albums.count : 200
    var values: View.Values = [
      "state": words[state], "isReady": info.state == .ready, "assets": "\(info.assetCount)",
      "albumCount": "\(info.albumCount)",
      "roots": info.roots.map { root -> View.Values in
        // Why is among the findings.
        ["path": root.path ?? "", "isOffline": root.state == .offline]
      },
      // What is no directory first: of those there are a few.
      "albums": (smart + albums.prefix(most)).map { album -> View.Values in
        [
          "title": album.title, "count": "\(album.assetCount)", "shared": album.shared,
          "place": album.id.inAddress,
        ]
      }, "hasAlbums": !albums.isEmpty || !smart.isEmpty,
      "findings": bad.map { finding -> View.Values in
        [
          "subject": finding.subject, "message": finding.message, "advice": finding.advice ?? "",
          "isError": finding.severity == .error,
          "severity": words[finding.severity == .error ? .pageError : .pageWarning],
        ]
      }, "isWell": bad.isEmpty,
    ]
    if albums.count > most { values["more"] = words[.pageMore, ["count": "\(albums.count - most)"]] }
    if visit.query["done"] != nil { values["said"] = words[.pageRescanned] }
    return .html(
      View.page(
        "library", words[.pageLibrary], place: "library", values, visit,
        prompt: await asked(visit, next: "/library")))
  }

  // MARK: Sessions

  func sessions(_ visit: Visit) async -> Response {
    let words = visit.words
    let values: View.Values = [
      "sessions": await desk.allSessions.map { session -> View.Values in
        [
          "name": session.name, "browser": BrowserName(session.browser).description, "whole": session.browser,
          "here": session.name == visit.session.name,
          "began": "\(LocalTime(Instant(microseconds: session.began * 1_000_000)))",
          "ends": "\(LocalTime(Instant(microseconds: session.ends * 1_000_000)))",
        ]
      }
    ]
    return .html(
      View.page(
        "sessions", words[.pageSessions], place: "library", values, visit,
        prompt: await asked(visit, next: "/sessions")))
  }

  func endSession(_ form: FormFields, _ visit: Visit) async -> Response {
    guard let name = form["name"] else { return .plain(.badRequest) }
    await desk.end(name)
    guard name == visit.session.name else { return .see("/sessions") }
    var response = Response.html(View.outside(visit.words))
    response.headers[.setCookie] = PageHeaders.noCookie(isSecure: isSecure)
    if let name = HTTPField.Name("clear-site-data") { response.headers[name] = "\"cache\", \"storage\"" }
    return response
  }
}

extension Words {
  /// What was done with what was deleted, as the address says.
  fileprivate func done(_ query: FormFields) -> String? {
    if let count = query["restored"].flatMap({ Int($0) }) {
      return self[.pageRestored, ["count": "\(count)"]]
    }
    if let count = query["purged"].flatMap({ Int($0) }) { return counting(count, .purgedOne, .purgedOther) }
    return nil
  }
}
