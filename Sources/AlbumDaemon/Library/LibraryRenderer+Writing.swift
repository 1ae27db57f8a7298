internal import AlbumAPI
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Storage
internal import Varlink

// Assets go out by the million: from the row to the text, without a value of the interface in between. What is written
// is the same text as that of the value.

extension LibraryRenderer {
  /// Writes an asset of the index.
  ///
  /// - Parameters:
  ///   - location: whether it is told where it was taken (S57).
  ///   - arrival: whether it is told when it came (S101).
  func write(
    _ asset: Asset, in view: LibraryView, location: Bool, arrival: Bool = false, to writer: inout JSONWriter
  ) {
    write(
      asset.id, name: asset.filename, mediaType: asset.mediaType, byteCount: asset.byteCount,
      created: asset.created, modified: asset.modified, sidecars: asset.sidecars, edit: asset.edit,
      description: asset.description, flags: asset.flags,
      hasRaw: asset.hasRaw, albums: asset.albums,
      in: view, location: location, isOffline: contents.isOffline(asset), contentHash: asset.contentHash,
      added: arrival ? asset.arrived : nil, to: &writer)
  }

  /// Writes the asset of a change, as it was right after it.
  ///
  /// - Parameter location: whether it is told where it was taken (S57).
  /// - Returns: whether the change is about one; nothing is written otherwise.
  func writeAsset(_ change: Change, in view: LibraryView, location: Bool, to writer: inout JSONWriter) -> Bool
  {
    guard case .asset(let id) = change.subject,
      case .asset(
        let name, let mediaType, let byteCount, let created, let modified, let description,
        let sidecars, let flags, let edit, let hasRaw) =
        change.snapshot
    else { return false }
    write(
      id, name: name, mediaType: mediaType, byteCount: byteCount, created: created, modified: modified,
      sidecars: sidecars, edit: edit, description: description, flags: flags, hasRaw: hasRaw,
      albums: change.albumsAfter,
      in: view,
      location: location, isOffline: isOffline(id),
      contentHash: location
        ? contentHash(
          of: id, byteCount: byteCount, modified: modified, isHidden: flags.contains(.hidden)) : nil,
      added: nil, to: &writer)
    return true
  }

  private func write(
    _ id: AssetID, name: FileName, mediaType: MediaType, byteCount: Int64, created: Int64, modified: Int64,
    sidecars: Int, edit: EditState, description: AssetDescription?, flags: AssetFlags, hasRaw: Bool,
    albums: [AlbumID],
    in view: LibraryView, location: Bool, isOffline: Bool, contentHash: ContentHash?,
    added: Int64?, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.name("id")
    write(id, to: &writer)
    writer.name("filename")
    Self.write(name, to: &writer)
    writer.name("albums")
    write(albums, in: view, to: &writer)
    writer.name("mediaType")
    writer.string(LibraryInterface.MediaType(mediaType).rawValue)
    writer.name("byteCount")
    writer.integer(byteCount)
    writer.name("created")
    Instant(nanoseconds: created).write(to: &writer)
    writer.name("modified")
    Instant(nanoseconds: modified).write(to: &writer)
    writer.name("resources")
    writer.beginArray()
    for resource in mediaType.resources(sidecars: sidecars, edit: edit, hasRaw: hasRaw) {
      writer.element()
      writer.string(resource.rawValue)
    }
    writer.end()
    write(description, hasRaw: hasRaw, location: location, to: &writer)
    writer.name("offline")
    writer.bool(isOffline)
    // Of bytes that are not its own it could try what stands there (S96).
    if location, let contentHash {
      writer.name("contentHash")
      writer.string(contentHash.text)
    }
    if flags.contains(.favorite) {
      writer.name("isFavorite")
      writer.bool(true)
    }
    if flags.contains(.hidden) {
      writer.name("isHidden")
      writer.bool(true)
    }
    if edit == .adjusted {
      writer.name("hasAdjustment")
      writer.bool(true)
    }
    if let added {
      writer.name("added")
      Instant(nanoseconds: added).write(to: &writer)
    }
    if let burst = Burst(of: mediaType, named: name) {
      writer.name("burstIdentifier")
      writer.string(burst.identifier)
      if burst.isRepresentative {
        writer.name("representsBurst")
        writer.bool(true)
      }
    }
    writer.end()
  }

  /// What the content that a change tells of hashes to, if it is that by now: the journal does not have it.
  private func contentHash(
    of id: AssetID, byteCount: Int64, modified: Int64, isHidden: Bool
  ) -> ContentHash? {
    let hash = try? store.hashed.contentHash(
      of: id, byteCount: byteCount, modified: modified, isHidden: isHidden)
    return hash ?? nil
  }

  /// Writes what is known of a picture, in the order of the interface's.
  private func write(
    _ description: AssetDescription?, hasRaw: Bool, location: Bool, to writer: inout JSONWriter
  ) {
    let said = description?.file
    if let said {
      if let width = said.pixelWidth, let height = said.pixelHeight {
        writer.name("pixelWidth")
        writer.integer(width)
        writer.name("pixelHeight")
        writer.integer(height)
      }
      if let seconds = said.seconds {
        writer.name("durationSeconds")
        writer.float(seconds)
      }
      writer.name("hasLocation")
      writer.bool(said.place != nil)
    }
    writer.name("createdFrom")
    writer.string(description?.captured == nil ? "file" : "capture")
    if let time = said?.cameraTime {
      writer.name("createdLocal")
      writer.string(time)
    }
    if let names = PictureSubtypes(description, hasRaw: hasRaw).names {
      writer.name("subtypes")
      writer.beginArray()
      for name in names {
        writer.element()
        writer.string(name.rawValue)
      }
      writer.end()
    }
    if location, let place = said?.place {
      writer.name("location")
      LibraryInterface.Location(place).write(to: &writer)
    }
  }

  /// Writes the public id of an asset.
  func write(_ id: AssetID, to writer: inout JSONWriter) {
    write(last.digits(id, store.ids), to: &writer)
  }

  /// Writes public ids of the albums that a view shows.
  func write(_ albums: [AlbumID], in view: LibraryView, to writer: inout JSONWriter) {
    writer.beginArray()
    for album in albums where view.sees(album) {
      writer.element()
      write(last.digits(album, store.ids), to: &writer)
    }
    writer.end()
  }

  private func write(_ digits: HexadecimalDigits, to writer: inout JSONWriter) {
    writer.ascii(atMost: HexadecimalDigits.count) { digits.write(into: UnsafeMutableRawBufferPointer($0)) }
  }

  /// Writes a name as text, and what follows where that text has lost something. Anywhere: within a closure of the loop's that
  /// the standard library calls, it is looked at run time whether this is the loop.
  private nonisolated static func write(_ name: FileName, to writer: inout JSONWriter) {
    guard (try? UTF8Span(validating: name.bytes.span)) == nil else {
      return name.bytes.withUnsafeBufferPointer { writer.string(utf8: $0) }
    }
    let (text, encoded) = text(name)
    writer.string(text)
    if let encoded {
      writer.name("percentEncodedFilename")
      writer.string(encoded)
    }
  }
}

/// The ids that were written last: a change names its asset twice, and assets that follow one another lie in few albums.
@EventLoopActor
final class LastIDs {
  private var asset = (id: AssetID(rawValue: 0), digits: HexadecimalDigits?.none)
  /// By the last bits of the id: there is one of each.
  private var albums = [(id: AlbumID, digits: HexadecimalDigits)?](repeating: nil, count: 128)

  func digits(_ id: AssetID, _ ids: OpaqueIDs) -> HexadecimalDigits {
    if let digits = asset.digits, asset.id == id { return digits }
    let digits = ids.digits(id)
    asset = (id, digits)
    return digits
  }

  func digits(_ id: AlbumID, _ ids: OpaqueIDs) -> HexadecimalDigits {
    let place = Int(truncatingIfNeeded: id.rawValue) & (albums.count - 1)
    if let album = albums[place], album.id == id { return album.digits }
    let digits = ids.digits(id)
    albums[place] = (id, digits)
    return digits
  }
}
