import LibraryModel

/// An index in memory.
final class MemoryIndex: FileIndex, DirectoryIndex, JournalIndex, SharedAlbumIndex {
  private(set) var linksByLocation: [Location: Link] = [:]
  private(set) var assets: [AssetID: Asset] = [:]
  private var nodes: [DirectoryID: DirectoryTree.Node] = [:]
  private(set) var journal: [PlacedChange] = []
  private(set) var newestBirth: Int64 = 0
  private var lastAsset: Int64 = 0
  private var lastAlbum: Int64 = 0

  var assetCount: Int { assets.count }

  func roots() -> [StoredRoot] { [] }
  func directories() -> (present: [DirectoryTree.Node], orphans: [DirectoryTree.Node]) {
    (Array(nodes.values), [])
  }
  func put(_ root: StoredRoot) {}
  func volumes() -> [NumberedVolume] { [] }
  func put(_ volume: NumberedVolume) {}

  func link(at location: Location) -> Link? { linksByLocation[location] }

  func links(inode: UInt64) -> [Link] {
    assets.values.filter { $0.identity.inode == inode }.flatMap { asset in
      asset.links.map {
        Link(
          location: $0, asset: asset.id, identity: asset.identity, byteCount: asset.byteCount,
          modified: asset.modified)
      }
    }
  }

  func links(in directory: DirectoryID, after name: FileName?, limit: Int) -> [Link] {
    let links = linksByLocation.values.filter { link in
      link.location.directory == directory && name.map { $0 < link.location.name } ?? true
    }
    return Array(links.sorted { $0.location < $1.location }.prefix(limit))
  }

  func links(in directory: DirectoryID, stem: [UInt8]) -> [Link] {
    let start = stem + [UInt8(ascii: ".")]
    return links(in: directory, after: nil, limit: .max).filter { $0.location.name.bytes.starts(with: start) }
  }

  func countNames(in directory: DirectoryID) -> NameCounts {
    let links = linksByLocation.values.filter { $0.location.directory == directory }
    let own = links.filter { $0.resource == .main }
    return NameCounts(
      names: own.count, repeats: own.count - Set(own.map(\.asset)).count,
      companions: links.count { $0.location.name.part != nil || $0.resource == .sidecar })
  }

  func asset(_ id: AssetID) -> Asset? { assets[id] }

  /// What edits have led to.
  var edited: [AssetID: ContentStamp] = [:]

  func editState(of asset: AssetID, _ content: ContentStamp) -> EditState {
    edited[asset].map { $0 == content ? .adjusted : .changedSince } ?? .none
  }

  func insert(_ link: Link) -> Bool {
    guard linksByLocation[link.location] == nil else { return false }
    update(link)
    return true
  }

  /// As the index on disk says, where a name has one row.
  struct NotFree: Error {
    let location: Location
  }

  func add(_ link: Link) throws {
    guard linksByLocation[link.location] == nil else { throw NotFree(location: link.location) }
    update(link)
  }

  func update(_ link: Link) {
    linksByLocation[link.location] = link
    newestBirth = max(newestBirth, link.identity.birthTime)
  }

  func removeLink(at location: Location) { linksByLocation[location] = nil }
  func insert(_ asset: Asset) { assets[asset.id] = asset }
  func update(_ asset: Asset) { assets[asset.id] = asset }
  func remove(_ asset: AssetID) { assets[asset] = nil }

  func forgetResult(of asset: AssetID) {
    edited[asset] = edited[asset].map { ContentStamp(identity: $0.identity, byteCount: -1, modified: 0) }
  }

  func put(_ directory: DirectoryTree.Node) { nodes[directory.id] = directory }
  func setCounts(_ counts: NameCounts, of directory: DirectoryID) { nodes[directory]?.counts = counts }
  func orphan(_ directory: DirectoryID) {}
  func remove(_ directory: DirectoryID) { nodes[directory] = nil }

  func reserveAssetID() -> AssetID {
    lastAsset += 1
    return AssetID(rawValue: lastAsset)
  }

  func reserveAlbumID() -> AlbumID {
    lastAlbum += 1
    return AlbumID(rawValue: lastAlbum)
  }

  func append(_ change: Change) -> Place {
    let place = Place(rawValue: Int64(journal.count + 1))
    journal.append(PlacedChange(place: place, entry: .change(change)))
    return place
  }

  /// Nobody is limited here.
  func noteShared(
    _ album: AlbumID, _ isShared: Bool, parent: AlbumID?, snapshot: Change.Snapshot
  ) -> [PlacedChange] { [] }

  func isNotedShared(_ album: AlbumID) -> Bool { false }
}
