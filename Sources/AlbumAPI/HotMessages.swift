public import Varlink

// What every app asks all the time reads and writes itself: the same values and the same text as by `Codable`.

extension AuthorizationInterface.GetStatus.Parameters: JSONReadable {
  /// Reads the parameters.
  public init?(reading object: JSONObject) {
    guard let level = object["accessLevel"]?.string.flatMap(AuthorizationInterface.AccessLevel.init)
    else { return nil }
    self.init(accessLevel: level)
  }
}

extension AuthorizationInterface.GetStatus.Reply: JSONWritable {
  /// Writes the reply; absent optionals stay off the wire.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("status")
    writer.string(status.rawValue)
    if let expires {
      writer.name("expires")
      writer.string(expires.description)
    }
    if let selectionCount {
      writer.name("selectionCount")
      writer.integer(selectionCount)
    }
    writer.end()
  }
}

extension LibraryInterface.OpenAsset.Parameters: JSONReadable {
  /// Reads the parameters.
  public init?(reading object: JSONObject) {
    guard let id = object["id"]?.string else { return nil }
    switch object["resource"] {
    case nil, .null?: self.init(id: id)
    case .string(let text)?:
      guard let resource = LibraryInterface.ResourceType(rawValue: text) else { return nil }
      self.init(id: id, resource: resource)
    case .bool?, .integer?, .float?, .array?, .object?: return nil
    }
  }
}

extension LibraryInterface.OpenAsset.Reply: JSONWritable {
  /// Writes the reply.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("asset")
    asset.write(to: &writer)
    writer.name("fileDescriptor")
    writer.integer(fileDescriptor)
    if let pairedVideoExtension {
      writer.name("pairedVideoExtension")
      writer.string(pairedVideoExtension)
    }
    writer.end()
  }
}
