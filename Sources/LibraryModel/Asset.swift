/// A photo, a video or a live photo, as the index knows it.
package struct Asset: Hashable, Sendable {
  /// Its name for life.
  package let id: AssetID
  /// What it is.
  package var mediaType: MediaType
  /// Which file it is, for opening the very file that was authorized (S43).
  package var identity: FileIdentity
  /// Its length in bytes.
  package var byteCount: Int64
  /// See ``FileFacts/created``, or what was said when it was added. Nanoseconds since 1970.
  package var fileCreated: Int64
  /// When its content changed last. Nanoseconds since 1970.
  package var modified: Int64
  /// The lowest of its links: what gives it its file name.
  package private(set) var primary: Location
  /// Its other links, in order; nearly always none.
  package private(set) var otherLinks: [Location]
  /// What its files say of themselves; nil where nothing is known.
  package var description: AssetDescription?
  /// Whether its files were read, as they are now: ``description`` is all that they say.
  package var isDescribed: Bool
  /// How many sidecars it has: files of other programs beside it (S78).
  package var sidecars: Int
  /// The hash of its photo or video, as that is now; nil where it is not known (S96).
  package var contentHash: ContentHash?
  /// Whether that is all that there is to know: its photo or video was hashed as it is now, or never will be.
  package var isHashed = false
  /// What people say of it (S90, S91).
  package var flags: AssetFlags
  /// Whether what it was before it was edited is kept (S94).
  package var edit: EditState
  /// Whether RAW of the same name lies beside its photo (S99).
  package var hasRaw: Bool
  /// When the library first had it (S101): nanoseconds since 1970. 0 of what was deleted before that was known.
  package var arrived: Int64 = 0

  /// An asset with its links, in any order.
  package init(
    id: AssetID, mediaType: MediaType, identity: FileIdentity, byteCount: Int64, created: Int64,
    modified: Int64, primary: Location, otherLinks: [Location] = [], description: AssetDescription? = nil,
    isDescribed: Bool = false, sidecars: Int = 0, flags: AssetFlags = [], edit: EditState = .none,
    hasRaw: Bool = false
  ) {
    self.id = id
    self.mediaType = mediaType
    self.identity = identity
    self.byteCount = byteCount
    fileCreated = created
    self.modified = modified
    self.primary = primary
    self.otherLinks = otherLinks
    self.description = description
    self.isDescribed = isDescribed
    self.sidecars = sidecars
    self.flags = flags
    self.edit = edit
    self.hasRaw = hasRaw
    if !otherLinks.isEmpty { setLinks(links) }
  }

  /// When the picture was taken, or else when its file came to be (S48). Nanoseconds since 1970.
  package var created: Int64 { description?.captured ?? fileCreated }

  /// What kind of picture it is, besides a photo or a video: RAW as well where that is one of its files (S99).
  package var subtypes: PictureSubtypes { PictureSubtypes(description, hasRaw: hasRaw) }

  /// Its name, that of its primary link.
  package var filename: FileName { primary.name }

  /// What pictures of it are kept by: its file. Where another may have that one's number after a mount, the asset as well, so
  /// that nobody is shown a picture of another (S16).
  package var pictured: FileIdentity {
    guard !identity.isCertain else { return identity }
    var both = identity
    both.birthTime ^= id.rawValue
    return both
  }

  /// All its links, in order.
  package var links: [Location] { otherLinks.isEmpty ? [primary] : [primary] + otherLinks }

  /// Its links that another state of it has not, in order: without a search through all for each, where it has thousands.
  func links(beyond other: Asset) -> [Location] {
    if other.otherLinks.isEmpty { return links.filter { $0 != other.primary } }
    let known = Set(other.links)
    return links.filter { !known.contains($0) }
  }

  /// The albums it is in, in order: the directories of its links, but not roots (S47).
  package var albums: [AlbumID] {
    if otherLinks.isEmpty { return primary.directory.isRoot ? [] : [primary.directory] }
    var albums: [AlbumID] = []
    for link in links where !link.directory.isRoot && albums.last != link.directory {
      albums.append(link.directory)
    }
    return albums
  }

  /// Adds a link that is not yet there.
  package mutating func addLink(_ link: Location) { addLinks([link]) }

  /// Adds links that are not yet there, at once: each by itself would have all put in order again.
  package mutating func addLinks(_ more: [Location]) {
    if !more.isEmpty { setLinks(links + more) }
  }

  /// Removes a link; the last one cannot be removed.
  ///
  /// - Returns: whether a link is left, and so whether the asset is.
  package mutating func removeLink(_ link: Location) -> Bool { removeLinks([link]) }

  /// Removes links at once: each by itself would have all put in order again. All of them cannot be removed.
  ///
  /// - Returns: whether a link is left, and so whether the asset is.
  mutating func removeLinks(_ gone: Set<Location>) -> Bool {
    let rest = links.filter { !gone.contains($0) }
    guard !rest.isEmpty else { return false }
    setLinks(rest)
    return true
  }

  private mutating func setLinks(_ links: [Location]) {
    let sorted = links.sorted()
    primary = sorted[0]
    otherLinks = Array(sorted.dropFirst())
  }
}

/// One name of an asset, with what the disk said when it was last looked at.
package struct Link: Hashable, Sendable {
  /// Which of an asset's files it names.
  package enum Resource: UInt8, Hashable, Sendable {
    /// The photo or the video itself: the file that gives the asset its identity.
    case main = 0
    /// The movie that belongs to the photo beside it (docs/decisions/0011-live-photos.md).
    case pairedVideo = 1
    /// What another program keeps beside the photo or film (docs/decisions/0084-sidecars.md). Beside nothing, it is
    /// ``AssetID/nobody``'s.
    case sidecar = 2
    /// RAW that belongs to the photo beside it (docs/decisions/0119-raw-and-jpeg.md).
    case alternatePhoto = 3
  }

  /// Where it is.
  package var location: Location
  /// Whose name it is.
  package var asset: AssetID
  /// Which file it names.
  package var identity: FileIdentity
  /// The file's length.
  package var byteCount: Int64
  /// The file's modification time.
  package var modified: Int64
  /// Which of its files.
  package var resource: Resource

  /// A link.
  package init(
    location: Location, asset: AssetID, identity: FileIdentity, byteCount: Int64, modified: Int64,
    resource: Resource = .main
  ) {
    self.location = location
    self.asset = asset
    self.identity = identity
    self.byteCount = byteCount
    self.modified = modified
    self.resource = resource
  }

  /// Whether the disk still says the same.
  package func agrees(with facts: FileFacts) -> Bool {
    identity == facts.identity && byteCount == facts.byteCount && modified == facts.modified
  }

  /// The content that its file had when it was last looked at.
  package var stamp: ContentStamp {
    ContentStamp(identity: identity, byteCount: byteCount, modified: modified)
  }
}

/// An album: a directory of the library.
package struct Album: Hashable, Sendable {
  /// Its name for life.
  package let id: AlbumID
  /// The album it lies in; `nil` directly beneath a root.
  package var parent: AlbumID?
  /// Its title.
  package var name: FileName
  /// The root it lies beneath.
  package var root: RootID
  /// Whether the configuration marks it, or an album around it, as shared (S19).
  package var isShared: Bool
  /// How many assets have a name directly in it.
  package var assetCount: Int

  /// An album.
  package init(
    id: AlbumID, parent: AlbumID?, name: FileName, root: RootID, isShared: Bool, assetCount: Int
  ) {
    self.id = id
    self.parent = parent
    self.name = name
    self.root = root
    self.isShared = isShared
    self.assetCount = assetCount
  }
}
