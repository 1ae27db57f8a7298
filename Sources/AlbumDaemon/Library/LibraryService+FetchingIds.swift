internal import AlbumAPI
internal import EventLoop
internal import LibraryModel
internal import Storage
internal import Varlink

/// What a page of a fetch holds.
enum PageContent: Sendable {
  /// Assets.
  case assets([Asset])
  /// Only their ids (S104).
  case ids(AssetIDPage)

  /// The assets; none where there are only ids.
  var assets: [Asset] {
    switch self {
    case .assets(let assets): assets
    case .ids: []
    }
  }

  /// How many it holds.
  var count: Int {
    switch self {
    case .assets(let assets): assets.count
    case .ids(let page): page.ids.count
    }
  }
}

extension LibraryService {
  /// What of a page a reader sees by now.
  func stillSeen(_ content: PageContent, in view: LibraryView) throws -> PageContent {
    switch content {
    case .assets(let assets): return .assets(try stillSeen(assets, in: view))
    case .ids(var page):
      if view.seesEverything { return content }
      let seen = try page.ids.map { id in
        guard let now = try store.files.asset(id) else { return false }
        return view.sees(now)
      }
      page.ids = zip(page.ids, seen).filter(\.1).map(\.0)
      page.keys = page.keys.map { keys in zip(keys, seen).filter(\.1).map(\.0) }
      return .ids(page)
    }
  }
}

extension LibraryRenderer {
  /// Writes a page of ids, and what they are sorted by as a caller may compare it with the assets that it is told.
  func write(_ page: AssetIDPage, sortedBy order: AssetQuery.Order, to writer: inout JSONWriter) {
    writer.name("ids")
    writer.beginArray()
    for id in page.ids {
      writer.element()
      write(id, to: &writer)
    }
    writer.end()
    guard let keys = page.keys else { return }
    writer.name("keys")
    writer.beginArray()
    let isTime = order == .created || order == .modified || order == .added
    for key in keys {
      writer.element()
      writer.integer(isTime ? Instant(nanoseconds: key).microseconds : key)
    }
    writer.end()
  }
}
