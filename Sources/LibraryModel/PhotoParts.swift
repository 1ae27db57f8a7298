/// Which files belong to the photo that they lie beside: the movie of a live photo (docs/decisions/0011-live-photos.md), and
/// RAW (docs/decisions/0119-raw-and-jpeg.md). Those with one stem do. Only read here; never in directories without such files.
package final class PhotoParts {
  private let index: any FileRows
  private let directories: Directories

  init(_ index: any FileRows, _ directories: Directories) {
    self.index = index
    self.directories = directories
  }

  /// The rows with the same stem beside a name, in the order of their names.
  private func siblings(of location: Location) throws -> [Link] {
    let stem = location.name.stem
    return try index.links(in: location.directory, stem: Array(stem)).filter {
      $0.location.name.stem == stem && $0.location != location
    }
  }

  /// The photo that a movie or RAW with this name belongs to, if there is one without such a part.
  ///
  /// - Parameter own: the asset that the file is until now: two names of one file are no pair.
  func photo(for part: Location, own: AssetID? = nil) throws -> AssetID? {
    guard let resource = part.name.part else { return nil }
    let siblings = try siblings(of: part)
    let taken = siblings.filter { $0.resource == resource }.map(\.asset)
    return siblings.first {
      $0.resource == .main && $0.location.name.canHave(resource) && !taken.contains($0.asset)
        && $0.asset != own
    }?.asset
  }

  /// The movie, or RAW, beside a photo that belongs to none yet; nothing where the photo has one.
  ///
  /// - Parameter asset: the photo's: two names of one file are no pair.
  func free(_ resource: Link.Resource, for photo: Location, _ asset: AssetID) throws -> Link? {
    guard photo.name.canHave(resource), directories.mayHaveCompanions(photo.directory) else { return nil }
    let siblings = try siblings(of: photo)
    if siblings.contains(where: { $0.resource == resource && $0.asset == asset }) { return nil }
    return siblings.first {
      $0.resource == .main && $0.location.name.part == resource && $0.asset != asset
    }
  }

  /// The parts that belong to an asset's photo with this name: at most one of each kind, RAW first.
  package func parts(of asset: AssetID, at photo: Location) throws -> [Link] {
    guard directories.mayHaveCompanions(photo.directory), MediaType(name: photo.name) == .image else {
      return []
    }
    let found = try siblings(of: photo).filter { $0.resource.isPart && $0.asset == asset }
    guard found.count > 1 else { return found }
    return found.filter { $0.resource == .alternatePhoto } + found.filter { $0.resource == .pairedVideo }
  }

  /// Those of all its names that are of one kind.
  package func parts(_ resource: Link.Resource, of asset: AssetID, at links: [Location]) throws -> [Link] {
    try links.flatMap { try parts(of: asset, at: $0) }.filter { $0.resource == resource }
  }

  /// What an asset is by its name, and by what is beside it; and whether it has RAW.
  func kind(of asset: Asset) throws -> (type: MediaType, hasRaw: Bool) {
    let type = MediaType(name: asset.filename) ?? asset.mediaType
    // A film that has the name of a photo as well can have RAW beside that.
    let found = try asset.links.flatMap { try parts(of: asset.id, at: $0) }
    let isLive = type == .image && found.contains { $0.resource == .pairedVideo }
    return (isLive ? .livePhoto : type, found.contains { $0.resource == .alternatePhoto })
  }

  /// Whether a file that gets this name is nobody's but its bringer's: the index has no such name, and none beside it
  /// that would make the two a pair, so that neither becomes part of an asset that was there before.
  package func isFree(_ location: Location) throws -> Bool {
    guard try index.link(at: location) == nil else { return false }
    let name = location.name
    let part = name.part
    guard part != nil || MediaType(name: name) == .image && directories.mayHaveCompanions(location.directory)
    else {
      return true
    }
    return try !siblings(of: location).contains { sibling in
      let other = sibling.location.name
      return part.map(other.canHave) ?? false || other.part.map(name.canHave) ?? false
    }
  }
}

extension Link.Resource {
  /// Whether it is a file that would be an asset if no photo lay beside it.
  package var isPart: Bool { self == .pairedVideo || self == .alternatePhoto }
}

extension FileName {
  /// Which part of a photo a file with this name can be: a movie, or RAW.
  package var part: Link.Resource? { isPairableMovie ? .pairedVideo : isRaw ? .alternatePhoto : nil }

  /// Whether a photo with this name can have such a part: RAW has a movie, and no RAW.
  fileprivate func canHave(_ part: Link.Resource) -> Bool {
    MediaType(name: self) == .image && (part == .pairedVideo || part == .alternatePhoto && !isRaw)
  }
}
