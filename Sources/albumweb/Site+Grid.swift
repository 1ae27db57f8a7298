internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import AlbumWeb
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import Varlink
internal import Words

// The grid (S63): the library by days, and what is picked in it.
extension Site {
  /// Everything, to look at.
  func photos(_ visit: Visit) async throws -> Response {
    let shelf = Shelf(visit.query)
    let setup = GridSetup(
      mode: "browse", api: shelf == .hidden ? GridFilter.hiddenQuery : "", words: visit.words)
    var title = shelf == .hidden ? visit.words[.pageHidden] : visit.words[.pagePhotos]
    if let id = visit.query["album"] {
      let words = visit.words
      let albums = try await daemon.ask { try $0.smartAlbums(words) + $0.albums().albums }
      title = shelf == .favorites ? words[.smartFavorites] : title
      title = albums.first { $0.id == id }?.title ?? title
    }
    return try await grid(setup, title: title, place: "photos", visit)
  }

  /// What a prompt lets be picked.
  ///
  /// - Parameter form: what was ticked without scripts, instead of what is selected.
  func promptPicker(_ id: String, _ visit: Visit, again form: PlainForm? = nil) async throws -> Response {
    guard let prompt = await desk.board.prompt(id) else {
      return await problem(visit.words[.promptGone], visit, status: .gone)
    }
    let isPick = prompt.kind == .picker
    var setup = GridSetup(mode: isPick ? "pick" : "limited", api: "", words: visit.words)
    if prompt.kind == .photoAccess || prompt.filter != nil { setup.api = "prompt=\(id.inAddress)" }
    setup.app = prompt.app.name
    setup.keep = "picks \(prompt.app.user) \(prompt.app.id) \(prompt.kind.rawValue)"
    setup.submit = "/prompt/\(id.inAddress)"
    setup.decision = isPick ? "allow" : "limited"
    setup.prompt = id
    setup.limit = prompt.selectionLimit ?? 0
    setup.minimum = prompt.minimum ?? 0
    setup.kinds = prompt.mediaTypes?.map(\.rawValue) ?? []
    setup.takesAlbums = prompt.kind == .authorization || prompt.kind == .limitedPicker
    // It names both by their ids.
    if let selection = prompt.selection, !selection.isEmpty {
      let albums = Set(try await daemon.ask { try $0.albums().albums.map(\.id) })
      setup.selected = selection.filter { !albums.contains($0) }
      setup.selectedAlbums = selection.filter { albums.contains($0) }
    }
    let durations = prompt.kind == .authorization ? Self.durations(visit) : []
    let response = try await grid(
      setup, title: visit.words.question(prompt, label: prompt.app.name), place: "", visit,
      durations: durations, location: prompt.locationUsageDescription, again: form)
    await desk.shown(id, to: visit.session)
    return response
  }

  /// All that a prompt is about, to look at: the prompt has the first few. It is answered where that stands.
  func promptAssets(_ id: String, _ visit: Visit) async throws -> Response {
    guard let prompt = await desk.board.prompt(id), prompt.assets != nil else {
      return await problem(visit.words[.promptGone], visit, status: .gone)
    }
    var setup = GridSetup(mode: "browse", api: "prompt=\(id.inAddress)", words: visit.words)
    setup.prompt = id
    return try await grid(
      setup, title: visit.words.question(prompt, label: prompt.app.name), place: "", visit)
  }

  /// What an app's selection is changed in.
  ///
  /// - Parameter form: what was ticked without scripts, instead of what is selected.
  func appPicker(_ app: String, uid: String, _ visit: Visit, again form: PlainForm? = nil) async throws
    -> Response
  {
    guard let uid = Int(uid) else { throw NotFound() }
    let language = visit.words.language
    let (apps, selection) = try await daemon.ask {
      (try $0.apps(language: language), try $0.selection(of: app, uid: uid))
    }
    guard let found = apps.first(where: { $0.id == app && $0.uid == uid }) else { throw NotFound() }
    var setup = GridSetup(mode: "limited", api: "", words: visit.words)
    setup.app = found.name
    setup.submit = "/apps/\(app.inAddress)/\(uid)/select"
    setup.cancel = "/apps/\(app.inAddress)/\(uid)"
    setup.takesAlbums = true
    setup.selected = selection.assets
    setup.selectedAlbums = selection.albums
    setup.level = visit.query["level"]
    let response = try await grid(
      setup, title: visit.words[.askLimitedPicker, ["app": found.name]], place: "apps", visit,
      durations: setup.level == nil ? [] : Self.durations(visit, untilExit: false), again: form)
    // What was sent before and is shown again is no other page.
    if form == nil { await desk.shownApp(to: visit.session) }
    return response
  }

  private func grid(
    _ setup: GridSetup, title: String, place: String, _ visit: Visit, durations: [View.Values] = [],
    location: String? = nil, again form: PlainForm? = nil
  ) async throws -> Response {
    var setup = setup
    if let form { (setup.selected, setup.selectedAlbums) = (form.assets, form.albums) }
    let plain = try await plainGrid(setup, visit)
    var values: View.Values = [
      "title": title, "setup": String(decoding: try JSONEncoding.encode(setup), as: UTF8.self),
      "app": setup.app ?? "",
      "submit": setup.submit ?? "", "decision": setup.decision ?? "", "cancel": setup.cancel ?? "/",
      "browses": setup.mode == "browse",
      "shelves": setup.mode == "browse" ? Shelf.links(from: Shelf(visit.query), visit.words) : [],
      "durations": durations, "plain": plain.assets,
      "albums": plain.albums,
      "query": visit.query["q"] ?? "", "next": setup.cancel ?? "/", "level": setup.level ?? "",
      "back": setup.mode == "browse" && setup.prompt != nil ? "/" : "",
    ]
    if setup.minimum > 0 {
      values["need"] = visit.words[.minimumNotReached, ["minimum": "\(setup.minimum)"]]
    }
    if let location { values["location"] = location }
    values.merge(plain.kept) { $1 }
    if let form { values.merge(form.values(visit.words)) { $1 } }
    // The prompt that is being answered here is not shown over its own answer.
    var asked: View.Values?
    if setup.prompt == nil { asked = await self.asked(visit, next: setup.cancel ?? "/photos") }
    return .html(
      View.page(
        "picker", title, place: place, values, visit, prompt: asked, scripts: ["grid", "picker"],
        early: setup.firstQuestion(visit.query)),
      status: form?.isRefused == true ? .conflict : .ok)
  }

  /// The latest pictures, for who has no scripts.
  private func plainGrid(_ setup: GridSetup, _ visit: Visit) async throws -> (
    assets: [View.Values], albums: [View.Values], kept: View.Values
  ) {
    let prompt = setup.api.isEmpty ? nil : await desk.board.prompt(setup.prompt ?? "")
    let query = visit.query
    let filter = GridFilter(query, ids: prompt?.assets, matching: prompt?.filter?.asAssetFilter)
    let takesAlbums = setup.takesAlbums
    let older = max(0, query["older"].flatMap { Int($0) } ?? 0)
    let selected = Set(setup.selected + setup.selectedAlbums)
    let chosen = setup.selectedAlbums
    let (assets, albums, inside, isLast) = try await daemon.ask { connection in
      var wish = filter.parameters(from: nil, to: nil, albums: nil)
      wish.limit = 60
      wish.offset = older > 0 ? older : nil
      if !setup.kinds.isEmpty {
        wish.mediaTypes = setup.kinds.compactMap { LibraryInterface.MediaType(rawValue: $0) }
      }
      let inside =
        chosen.isEmpty ? 0 : try connection.moments(by: .year, in: chosen).reduce(0) { $0 + $1.count }
      let page = try connection.page(of: wish)
      let latest = page.assets
      // What an app has picked is to be sent with the others, in its order, and to be seen.
      let first = setup.mode == "pick" ? try connection.assets(named: setup.selected) : []
      return (
        first + latest.filter { asset in !first.contains { $0.id == asset.id } },
        takesAlbums ? try connection.albums().albums : [], inside, page.cursor == nil
      )
    }
    let tree = AlbumTree(albums)
    var next: View.Values = [:]
    if !isLast, setup.mode == "browse" {
      next["olderPlace"] = "?" + query.address(of: ["q", "album", "kind", "show"]) + "older=\(older + 60)"
    } else if !isLast {
      next["older"] = "\(older + 60)"
    }
    let shown = Set(assets.map(\.id) + albums.map(\.id))
    return (
      assets.map { asset in
        [
          "id": asset.id, "place": asset.id.inAddress, "name": asset.filename,
          "time": "\(LocalTime(asset.created))",
          "checked": selected.contains(asset.id),
        ]
      },
      tree.lines.map { album, depth in
        [
          "id": album.id, "title": album.title, "count": "\(album.assetCount)", "depth": "\(min(depth, 3))",
          "shared": album.shared, "checked": selected.contains(album.id),
        ]
      },
      // What is selected and not shown stays so.
      ([
        "keptAssets": setup.selected.filter { !shown.contains($0) },
        "keptAlbums": setup.selectedAlbums.filter { !shown.contains($0) },
        "hadAlbums": setup.selectedAlbums, "takesAlbums": takesAlbums && !albums.isEmpty,
        "count": visit.words.selected(
          setup.selected.count, albums: setup.selectedAlbums.count, inside: inside),
      ] as View.Values).merging(next) { $1 }
    )
  }

  /// A preview (S61): for a session only.
  func preview(_ id: String, _ visit: Visit) async throws -> Response {
    try await picture(visit) { try PreviewSource.preview(of: id, pixels: $0, on: $1) }
  }

  /// What was deleted.
  func deletedPreview(_ id: String, _ visit: Visit) async throws -> Response {
    try await picture(visit) { try PreviewSource.deleted(id, pixels: $0, on: $1) }
  }

  /// What would take a photo's place: of a prompt that is open. It is gone with that, and not as a picture that there is not.
  func replacementPreview(_ prompt: String, _ visit: Visit) async throws -> Response {
    guard let asked = await desk.board.prompt(prompt) else { return .plain(.gone) }
    guard asked.kind == .replacement else { return .plain(.notFound) }
    return try await picture(visit) { try PreviewSource.replacement(of: prompt, pixels: $0, on: $1) }
  }

  private func picture(
    _ visit: Visit, _ read: @escaping @Sendable (Int, AlbumConnection) throws -> Preview?
  ) async throws -> Response {
    let pixels = PreviewSource.size(for: Int(visit.query["w"] ?? "") ?? 0)
    let found: Preview?
    do { found = try await daemon.ask(isSlow: true) { try read(pixels, $0) } } catch let error as AlbumError {
      if error.code == .noSuchPrompt { return .plain(.gone) }
      found = nil
    }
    guard let found else { return .plain(.notFound) }
    return .of(ByteBuffer(bytes: found.bytes), found.mediaType)
  }

  /// What the grid's script asks for.
  func answer(_ question: String, _ visit: Visit) async throws -> Response {
    var prompt: AgentInterface.Prompt?
    if let id = visit.query["prompt"] {
      prompt = await desk.board.prompt(id)
      if prompt == nil { return .plain(.gone) }
      guard prompt?.assets != nil || prompt?.filter != nil else { throw NotFound() }
    }
    let filter = GridFilter(visit.query, ids: prompt?.assets, matching: prompt?.filter?.asAssetFilter)
    switch question {
    case "days":
      let days = try await days.days(filter).map { GridDay(day: $0.day.description, count: $0.count) }
      return .json(try JSONEncoding.encode(days))
    case "assets":
      guard let from = visit.query["from"].flatMap({ LocalDay($0) }),
        let to = visit.query["to"].flatMap({ LocalDay($0) })
      else { throw BadForm() }
      let skipped = visit.query["skip"].flatMap { Int($0) } ?? 0
      let assets = try await days.assets(filter, from: from, to: to, skipping: skipped).map { GridAsset($0) }
      return .json(try JSONEncoding.encode(assets))
    case "albums":
      let albums = try await daemon.ask { try $0.albums().albums.map { GridAlbum($0) } }
      return .json(try JSONEncoding.encode(albums))
    case "picked":
      // What is selected, by id, however long ago it was taken; of what is new also whether it is hidden.
      var ids = Array(visit.query.all("id").prefix(500))
      // What was picked for a prompt like this one may be nothing for this one.
      if let about = prompt?.assets.map({ Set($0) }) { ids.removeAll { !about.contains($0) } }
      let wish = LibraryInterface.FetchAssets.Parameters(
        ids: ids, mediaTypes: filter.kinds, limit: 1000, matching: filter.matching,
        includeHidden: visit.query["new"] == nil)
      let assets = try await daemon.ask { try $0.page(of: wish).assets.map { GridAsset($0) } }
      return .json(try JSONEncoding.encode(assets))
    default: throw NotFound()
    }
  }
}

/// What the grid's script begins with.
private struct GridSetup: Encodable, Sendable {
  let mode: String
  var api: String
  var app: String?
  var submit: String?
  var cancel: String?
  var decision: String?
  /// What an app is limited to with the selection, where that is decided as well.
  var level: String?
  var prompt: String?
  /// What a tab keeps the picks by until the app asks for the same again.
  var keep: String?
  var limit = 0
  var minimum = 0
  var kinds: [String] = []
  var takesAlbums = false
  var selected: [String] = []
  var selectedAlbums: [String] = []
  let lang: String
  let words: [String: String]

  /// What the script asks for first, in its words: how many pictures each day has.
  ///
  /// What somebody has typed is written in ways of the browser's own, and is left to it.
  func firstQuestion(_ query: FormFields) -> String? {
    if let text = query["q"], !text.isEmpty { return nil }
    var parts = api.isEmpty ? [] : [api]
    parts += kinds.map { "kind=\($0)" }
    if let album = query["album"] { parts.append("album=\(album.inAddress)") }
    return "/api/days?" + parts.joined(separator: "&")
  }

  init(mode: String, api: String, words: Words) {
    self.mode = mode
    self.api = api
    lang = words.language
    let said: [Phrase] = [
      .reading, .nothing, .video, .livePhoto, .offline, .limitReached, .pageSelectedCount, .pageSelectDay,
      .pageNothingSelected, .pageSelectAnyway, .pageShared, .pageAlbumLater, .pageDone, .selectedTitle,
      .albumsTitle,
      .pageAllPhotos,
      .pageFailed, .pageRaw, .pageUndated, .pageAlbumsAlso, .pageOneAlbum, .pageFolder, .pagePickDone,
      .pageBack, .promptGone,
      .pageOpenPicture, .atLeast, .minimumNotReached, .pageFavorite,
      .sharedNotSeen, .comma, .pageAgain, .pagePrevious, .pageNext, .pageMonths, .pagePicksKept,
      .pagePickedAgain,
    ]
    self.words = Dictionary(
      uniqueKeysWithValues: said.map {
        (
          $0.rawValue,
          words[
            $0,
            [
              "count": "{count}", "limit": "{limit}", "minimum": "{minimum}",
              "albums": "{albums}", "day": "{day}",
              "photo": "{photo}", "inside": "{inside}", "album": "{album}", "app": "{app}",
            ]]
        )
      })
  }
}

private struct GridDay: Encodable, Sendable {
  let day: String
  let count: Int
}

private struct GridAsset: Encodable, Sendable {
  let id: String
  let day: String
  let time: String
  let name: String
  let kind: String
  let seconds: Double?
  let offline: Bool?
  let favorite: Bool?
  let raw: Bool?
  let albums: [String]

  init(_ asset: LibraryInterface.Asset) {
    id = asset.id
    day = LocalDay(asset.created).description
    time = "\(LocalTime(asset.created))"
    name = HTMLText.plain(asset.filename)
    kind = asset.mediaType.rawValue
    seconds = asset.durationSeconds
    offline = asset.offline ? true : nil
    albums = asset.albums
    raw = asset.subtypes?.contains(.raw) == true || RawName.matches(asset.filename) ? true : nil
    favorite = asset.isFavorite == true ? true : nil
  }
}

extension AlbumConnection {
  /// Assets by their ids, in that order; those that have gone are left out.
  fileprivate func assets(named ids: [String]) throws(AlbumError) -> [LibraryInterface.Asset] {
    if ids.isEmpty { return [] }
    let found = try page(of: .init(ids: ids, limit: 1000)).assets
    let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    return ids.compactMap { byID[$0] }
  }
}

private struct GridAlbum: Encodable, Sendable {
  let id: String
  let title: String
  let parent: String?
  let count: Int
  let shared: Bool?

  init(_ album: LibraryInterface.Album) {
    id = album.id
    title = HTMLText.plain(album.title)
    parent = album.parent
    count = album.assetCount
    shared = album.shared ? true : nil
  }
}
