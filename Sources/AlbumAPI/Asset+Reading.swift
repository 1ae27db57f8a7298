public import Varlink

// Assets come by the million: they read themselves from the text, in the order in which they are written
// (Asset+Writing.swift). What is written otherwise is left to the generic decoder.

extension LibraryInterface.Asset: JSONTextReadable {
  /// Reads an asset as it writes itself.
  public init?(from reader: inout JSONReader) {
    guard reader.beginObject(),
      reader.member("id"), let id = reader.string(),
      reader.member("filename"), let filename = reader.string(),
      let percentEncoded = reader.optional("percentEncodedFilename", { $0.string() }),
      reader.member("albums"), let albums = reader.array({ $0.string() }),
      reader.member("mediaType"), let mediaType = reader.value(LibraryInterface.MediaType.self),
      reader.member("byteCount"), let byteCount = reader.integer(Int64.self),
      reader.member("created"), let created = reader.plain(Instant.init(utf8:)),
      reader.member("modified"), let modified = reader.plain(Instant.init(utf8:)),
      reader.member("resources"),
      let resources = reader.array({ $0.value(LibraryInterface.ResourceType.self) }),
      let pixelWidth = reader.optional("pixelWidth", { $0.integer(Int.self) }),
      let pixelHeight = reader.optional("pixelHeight", { $0.integer(Int.self) }),
      let durationSeconds = reader.optional("durationSeconds", { $0.float() }),
      let hasLocation = reader.optional("hasLocation", { $0.bool() }),
      let createdFrom = reader.optional("createdFrom", { $0.value(LibraryInterface.CreatedFrom.self) }),
      let createdLocal = reader.optional("createdLocal", { $0.string() }),
      let subtypes = reader.optional(
        "subtypes", { $0.array({ $0.value(LibraryInterface.Subtype.self) }) }),
      let location = reader.optional("location", { LibraryInterface.Location(from: &$0) }),
      reader.member("offline"), let offline = reader.bool(),
      let contentHash = reader.optional("contentHash", { $0.string() }),
      let isFavorite = reader.optional("isFavorite", { $0.bool() }),
      let isHidden = reader.optional("isHidden", { $0.bool() }),
      let hasAdjustment = reader.optional("hasAdjustment", { $0.bool() }),
      let added = reader.optional("added", { $0.plain(Instant.init(utf8:)) }),
      let burstIdentifier = reader.optional("burstIdentifier", { $0.string() }),
      let representsBurst = reader.optional("representsBurst", { $0.bool() }), reader.endObject()
    else { return nil }
    self.init(
      id: id, filename: filename, percentEncodedFilename: percentEncoded.value, albums: albums,
      mediaType: mediaType, byteCount: byteCount, created: created, modified: modified, resources: resources,
      pixelWidth: pixelWidth.value, pixelHeight: pixelHeight.value, durationSeconds: durationSeconds.value,
      hasLocation: hasLocation.value, createdFrom: createdFrom.value, createdLocal: createdLocal.value,
      subtypes: subtypes.value, location: location.value, offline: offline,
      contentHash: contentHash.value, isFavorite: isFavorite.value, isHidden: isHidden.value,
      hasAdjustment: hasAdjustment.value, added: added.value, burstIdentifier: burstIdentifier.value,
      representsBurst: representsBurst.value)
  }
}

extension LibraryInterface.Location: JSONTextReadable {
  /// Reads a place as it writes itself.
  public init?(from reader: inout JSONReader) {
    guard reader.beginObject(),
      reader.member("latitude"), let latitude = reader.float(),
      reader.member("longitude"), let longitude = reader.float(),
      let altitude = reader.optional("altitude", { $0.float() }), reader.endObject()
    else { return nil }
    self.init(latitude: latitude, longitude: longitude, altitude: altitude.value)
  }
}

extension LibraryInterface.Album: JSONTextReadable {
  /// Reads an album as it writes itself.
  public init?(from reader: inout JSONReader) {
    guard reader.beginObject(),
      reader.member("id"), let id = reader.string(),
      reader.member("title"), let title = reader.string(),
      let percentEncoded = reader.optional("percentEncodedTitle", { $0.string() }),
      let parent = reader.optional("parent", { $0.string() }),
      reader.member("assetCount"), let assetCount = reader.integer(Int.self),
      reader.member("shared"), let shared = reader.bool(),
      reader.member("createdByCaller"), let createdByCaller = reader.bool(),
      let smart = reader.optional("smart", { $0.value(LibraryInterface.SmartAlbumKind.self) }),
      let keyAsset = reader.optional("keyAsset", { $0.string() }),
      let root = reader.optional("root", { $0.string() }), reader.endObject()
    else { return nil }
    self.init(
      id: id, title: title, percentEncodedTitle: percentEncoded.value, parent: parent.value,
      assetCount: assetCount, shared: shared, createdByCaller: createdByCaller, smart: smart.value,
      keyAsset: keyAsset.value, root: root.value)
  }
}

extension LibraryInterface.FetchAssets.Reply: JSONTextReadable {
  /// Reads a page as the daemon writes it.
  public init?(from reader: inout JSONReader) {
    guard reader.beginObject(),
      reader.member("assets"), let assets = reader.array({ LibraryInterface.Asset(from: &$0) }),
      reader.member("total"), let total = reader.integer(Int.self),
      reader.member("token"), let token = reader.string(),
      let cursor = reader.optional("cursor", { $0.string() }),
      let ids = reader.optional("ids", { $0.array({ $0.string() }) }),
      let keys = reader.optional("keys", { $0.array({ $0.integer(Int.self) }) }), reader.endObject()
    else { return nil }
    self.init(
      assets: assets, total: total, token: token, cursor: cursor.value, ids: ids.value, keys: keys.value)
  }
}

extension LibraryInterface.FetchAlbums.Reply: JSONTextReadable {
  /// Reads the albums as the daemon writes them.
  public init?(from reader: inout JSONReader) {
    guard reader.beginObject(),
      reader.member("albums"), let albums = reader.array({ LibraryInterface.Album(from: &$0) }),
      reader.member("token"), let token = reader.string(), reader.endObject()
    else { return nil }
    self.init(albums: albums, token: token)
  }
}

/// A member that may be absent.
struct Optionally<Value> {
  let value: Value?
}

extension JSONReader {
  /// A member that may be absent; nil where it is there and does not fit.
  mutating func optional<Value>(
    _ name: StaticString, _ read: (inout JSONReader) -> Value?
  ) -> Optionally<Value>? {
    guard member(name) else { return Optionally(value: nil) }
    return read(&self).map { Optionally(value: $0) }
  }

  /// One of a few words. They are short, and compared in place; what looks for one of many makes text of each.
  mutating func value<Value: RawRepresentable<String> & CaseIterable>(_ type: Value.Type) -> Value? {
    guard let word = ascii() else { return nil }
    for value in Value.allCases where value.rawValue == word { return value }
    return nil
  }
}
