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
    let entries = try await log(
      of: app, since: nil, [LogTail(300) { filter == nil || LogFilter(finding: $0.kind) == filter }])[0]
    // Also one that only ever did something as the owner, and one that is known by the log alone.
    let known = try await daemon.ask { try $0.apps(language: words.language) }
    let named = Set(known.map(\.id) + entries.map(\.appId) + [app].compactMap(\.self)).subtracting(["*"])
    let values: View.Values = [
      "lines": entries.reversed().map { View.lineValues($0, of: known, words) },
      "apps": named.sorted().map { id -> View.Values in ["id": id, "here": id == app] },
      "kinds": LogFilter.allCases.map { value -> View.Values in
        ["value": value.rawValue, "name": words.title(value), "here": value == filter]
      },
    ]
    if visit.query["part"] == "lines" { return .html(View.part("lines", values, visit)) }
    return .html(
      View.page(
        "log", words[.pageLog], place: "log", values, visit, prompt: await asked(visit, next: "/log"),
        scripts: ["log"]))
  }

  // MARK: Deleted

  func deleted(_ visit: Visit, asking ids: [String]? = nil) async throws -> Response {
    let words = visit.words
    let assets = try await daemon.ask { try $0.deletedAssets() }.reversed()
    let values: View.Values = [
      // Who is asked sees what it is about, and nothing else.
      "assets": assets.filter { ids?.contains($0.id) ?? true }.prefix(500).map { asset -> View.Values in
        // The last day counts, however little is left of it.
        let day: Int64 = 86_400_000_000
        let left = max(0, (asset.purge.microseconds - Instant.now.microseconds + day - 1) / day)
        return [
          "id": asset.id, "place": asset.id.inAddress, "name": asset.filename,
          "size": "\(ByteCount(asset.byteCount))",
          "when": "\(LocalTime(asset.deleted))",
          "left": words.counting(Int(left), .pageDaysLeftOne, .pageDaysLeftOther),
          "by": asset.appId ?? words[.anOwner], "checked": ids?.contains(asset.id) ?? false,
        ]
      }, "hasAssets": !assets.isEmpty, "asks": ids != nil,
    ]
    return .html(
      View.page(
        "deleted", words[.pageDeleted], place: "deleted", values, visit,
        prompt: await asked(visit, next: "/deleted")))
  }

  func changeDeleted(_ action: String, _ form: FormFields, _ visit: Visit) async throws -> Response {
    let ids = form.all("asset")
    guard !ids.isEmpty else { return .see("/deleted") }
    switch action {
    case "restore": _ = try await daemon.ask { try $0.restore(ids) }
    case "purge" where form["sure"] == "1":
      let reply = try await daemon.ask { try $0.purge(ids) }
      if let problem = reply.problem {
        Log.warning("Not everything was removed: \(problem)")
        return .html(View.problem(visit.words[.pageBusy], [], visit), status: .conflict)
      }
    // For good: asked once more, with what was chosen still chosen.
    case "purge": return try await deleted(visit, asking: ids)
    default: throw BadForm()
    }
    return .see("/deleted")
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
    let values: View.Values = [
      "state": words[state], "isReady": info.state == .ready, "assets": "\(info.assetCount)",
      "albumCount": "\(info.albumCount)",
      "roots": info.roots.map { root -> View.Values in
        // Why is among the findings, in the person's language.
        ["path": root.path ?? "", "isOffline": root.state == .offline]
      },
      // What is no directory first: of those there are a few.
      "albums": (smart + albums.prefix(200)).map { album -> View.Values in
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
    return .html(View.page("sessions", words[.pageSessions], place: "library", values, visit))
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
