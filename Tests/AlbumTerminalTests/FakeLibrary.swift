import AlbumAPI
import AlbumClient
import Testing

@testable import AlbumTerminal

/// A library that answers what a picker asks, page by page, as the daemon would.
struct FakeLibrary {
  var assets: [LibraryInterface.Asset] = []
  var albums: [LibraryInterface.Album] = []
  /// What was asked.
  private(set) var requests: [PhotoPicker.Request] = []

  /// - Parameter count: photos, the newest first, one an hour; every hundredth is in the album Trip.
  init(_ count: Int) {
    albums = [
      .init(id: "trip", title: "Trip", assetCount: count / 100, shared: false, createdByCaller: false),
      .init(
        id: "lake", title: "Lake", parent: "trip", assetCount: 0, shared: false, createdByCaller: false),
      .init(id: "family", title: "Family", assetCount: 0, shared: true, createdByCaller: false),
    ]
    assets = Array(Self.tenThousand.prefix(count))
  }

  private static let tenThousand = (0..<10_000).map { number in
    let isVideo = number % 10 == 9
    return LibraryInterface.Asset(
      id: "id\(number)", filename: isVideo ? "film\(number).mp4" : "壁纸\(number).jpg",
      albums: number % 100 == 0 ? ["trip"] : [], mediaType: isVideo ? .video : .image, byteCount: 1,
      created: .init(microseconds: 1_714_521_600_000_000 - Int64(number) * 3_600_000_000),
      modified: .init(microseconds: 0), resources: [isVideo ? .video : .photo], offline: false)
  }

  mutating func answer(_ request: PhotoPicker.Request) -> PhotoPicker.Loaded {
    requests.append(request)
    let wanted = request.page
    #expect(wanted.ids?.count ?? 0 <= 10_000, "more ids than the daemon takes")
    let ids = wanted.ids.map(Set.init)
    let found = assets.filter { asset in
      (ids?.contains(asset.id) ?? true) && (wanted.mediaTypes?.contains(asset.mediaType) ?? true)
        && (wanted.albums?.contains { asset.albums.contains($0) } ?? true)
        && (wanted.createdAfter.map { asset.created >= $0 } ?? true)
        && (wanted.createdBefore.map { asset.created < $0 } ?? true)
        && (wanted.nameContains.map { asset.filename.lowercased().contains($0.lowercased()) } ?? true)
        && (wanted.matching?.holds(for: asset) ?? true)
    }
    let start = min(found.count, wanted.cursor.flatMap { Int($0) } ?? 0)
    let end = min(found.count, start + (wanted.limit ?? 500))
    let page = LibraryInterface.FetchAssets.Reply(
      assets: Array(found[start..<end]), total: found.count, token: "t",
      cursor: end < found.count ? "\(end)" : nil)
    return .init(albums: request.wantsAlbums ? albums : nil, page: page)
  }
}

/// A person who takes their time: every prompt has stood long enough when a key is pressed.
extension AgentDialog {
  private static let longAgo = Instant(microseconds: -1_000_000_000)

  @discardableResult
  mutating func show(_ prompt: AgentInterface.Prompt) -> [Action] { show(prompt, now: Self.longAgo) }

  mutating func withdraw(_ withdrawal: AgentInterface.Withdrawal) -> [Action] {
    withdraw(withdrawal, now: Self.longAgo)
  }

  mutating func answered() -> [Action] { answered(now: Self.longAgo) }

  mutating func answerFailed(_ reason: String, isFinal: Bool) -> [Action] {
    answerFailed(reason, isFinal: isFinal, now: Self.longAgo)
  }
}
