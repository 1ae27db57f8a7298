public import Varlink

// Assets go over the wire by the million, so they write themselves: the same text as the generic encoder's.

extension LibraryInterface.Asset: JSONWritable {
  /// Writes the asset; absent optionals stay off the wire.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("id")
    writer.string(id)
    writer.name("filename")
    writer.string(filename)
    if let percentEncodedFilename {
      writer.name("percentEncodedFilename")
      writer.string(percentEncodedFilename)
    }
    writer.name("albums")
    writer.strings(albums)
    writer.name("mediaType")
    writer.string(mediaType.rawValue)
    writer.name("byteCount")
    writer.integer(byteCount)
    writer.name("created")
    created.write(to: &writer)
    writer.name("modified")
    modified.write(to: &writer)
    writer.name("resources")
    writer.strings(resources.map(\.rawValue))
    writeFacts(to: &writer)
    writer.name("offline")
    writer.bool(offline)
    if let contentHash {
      writer.name("contentHash")
      writer.string(contentHash)
    }
    if let isFavorite {
      writer.name("isFavorite")
      writer.bool(isFavorite)
    }
    if let isHidden {
      writer.name("isHidden")
      writer.bool(isHidden)
    }
    if let hasAdjustment {
      writer.name("hasAdjustment")
      writer.bool(hasAdjustment)
    }
    if let added {
      writer.name("added")
      added.write(to: &writer)
    }
    if let burstIdentifier {
      writer.name("burstIdentifier")
      writer.string(burstIdentifier)
    }
    if let representsBurst {
      writer.name("representsBurst")
      writer.bool(representsBurst)
    }
    writer.end()
  }

  private func writeFacts(to writer: inout JSONWriter) {
    if let pixelWidth {
      writer.name("pixelWidth")
      writer.integer(pixelWidth)
    }
    if let pixelHeight {
      writer.name("pixelHeight")
      writer.integer(pixelHeight)
    }
    if let durationSeconds {
      writer.name("durationSeconds")
      writer.float(durationSeconds)
    }
    if let hasLocation {
      writer.name("hasLocation")
      writer.bool(hasLocation)
    }
    if let createdFrom {
      writer.name("createdFrom")
      writer.string(createdFrom.rawValue)
    }
    if let createdLocal {
      writer.name("createdLocal")
      writer.string(createdLocal)
    }
    if let subtypes {
      writer.name("subtypes")
      writer.strings(subtypes.map(\.rawValue))
    }
    if let location {
      writer.name("location")
      location.write(to: &writer)
    }
  }
}

extension LibraryInterface.Location: JSONWritable {
  /// Writes the place; absent optionals stay off the wire.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("latitude")
    writer.float(latitude)
    writer.name("longitude")
    writer.float(longitude)
    if let altitude {
      writer.name("altitude")
      writer.float(altitude)
    }
    writer.end()
  }
}

extension LibraryInterface.Album: JSONWritable {
  /// Writes the album; absent optionals stay off the wire.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("id")
    writer.string(id)
    writer.name("title")
    writer.string(title)
    if let percentEncodedTitle {
      writer.name("percentEncodedTitle")
      writer.string(percentEncodedTitle)
    }
    if let parent {
      writer.name("parent")
      writer.string(parent)
    }
    writer.name("assetCount")
    writer.integer(assetCount)
    writer.name("shared")
    writer.bool(shared)
    writer.name("createdByCaller")
    writer.bool(createdByCaller)
    if let smart {
      writer.name("smart")
      writer.string(smart.rawValue)
    }
    if let keyAsset {
      writer.name("keyAsset")
      writer.string(keyAsset)
    }
    if let root {
      writer.name("root")
      writer.string(root)
    }
    writer.end()
  }
}

extension JSONWriter {
  mutating func strings(_ values: [String]) {
    beginArray()
    for value in values {
      element()
      string(value)
    }
    end()
  }
}
