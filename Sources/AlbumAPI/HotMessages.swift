public import Varlink

// What every app asks all the time reads and writes itself: the same values and the same text as by `Codable`.

extension AuthorizationInterface.GetStatus.Parameters: JSONReadable {
  /// Reads the parameters.
  public init?(reading object: JSONObject) {
    guard let level = object["accessLevel"]?.string.flatMap(AuthorizationInterface.AccessLevel.init)
    else { return nil }
    switch object["language"] {
    case nil, .null?: self.init(accessLevel: level)
    case .string(let text)?: self.init(accessLevel: level, language: text)
    case .bool?, .integer?, .float?, .array?, .object?: return nil
    }
  }
}

extension AuthorizationInterface.GetStatus.Parameters: CallTextReadable {
  /// Reads the parameters in the order of their definition.
  public init?(from reader: inout JSONReader) {
    guard reader.beginObject(),
      reader.member("accessLevel"), let level = reader.value(AuthorizationInterface.AccessLevel.self),
      let language = reader.optional("language", { $0.string() }), reader.endObject()
    else { return nil }
    self.init(accessLevel: level, language: language.value)
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
      expires.write(to: &writer)
    }
    if let selectionCount {
      writer.name("selectionCount")
      writer.integer(selectionCount)
    }
    if let location {
      writer.name("location")
      writer.bool(location)
    }
    if let guide {
      writer.name("guide")
      guide.write(to: &writer)
    }
    writer.end()
  }
}

extension AuthorizationInterface.Guide: JSONWritable {
  /// Writes the guide; absent optionals stay off the wire.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("title")
    writer.string(title)
    writer.name("message")
    writer.string(message)
    writer.name("steps")
    writer.strings(steps)
    let optionals: [(StaticString, String?)] = [
      ("settingsCommand", settingsCommand), ("settingsAddress", settingsAddress), ("later", later),
      ("heading", heading), ("openSettings", openSettings),
    ]
    for case (let name, let text?) in optionals {
      writer.name(name)
      writer.string(text)
    }
    writer.end()
  }
}

extension LibraryInterface.OpenAsset.Parameters: JSONReadable {
  /// Reads the parameters.
  public init?(reading object: JSONObject) {
    guard let id = object["id"]?.string else { return nil }
    let withoutLocation: Bool?
    switch object["withoutLocation"] {
    case nil, .null?: withoutLocation = nil
    case .bool(let value)?: withoutLocation = value
    case .string?, .integer?, .float?, .array?, .object?: return nil
    }
    let sidecar: Int?
    switch object["sidecar"] {
    case nil, .null?: sidecar = nil
    case .integer(let number)?: sidecar = Int(exactly: number)
    case .bool?, .string?, .float?, .array?, .object?: return nil
    }
    switch object["resource"] {
    case nil, .null?: self.init(id: id, withoutLocation: withoutLocation, sidecar: sidecar)
    case .string(let text)?:
      guard let resource = LibraryInterface.ResourceType(rawValue: text) else { return nil }
      self.init(id: id, resource: resource, withoutLocation: withoutLocation, sidecar: sidecar)
    case .bool?, .integer?, .float?, .array?, .object?: return nil
    }
  }
}

extension LibraryInterface.OpenAsset.Parameters: CallTextReadable {
  /// Reads the parameters in the order of their definition.
  public init?(from reader: inout JSONReader) {
    guard reader.beginObject(),
      reader.member("id"), let id = reader.string(),
      let resource = reader.optional("resource", { $0.value(LibraryInterface.ResourceType.self) }),
      let withoutLocation = reader.optional("withoutLocation", { $0.bool() }),
      let sidecar = reader.optional("sidecar", { $0.integer(Int.self) }), reader.endObject()
    else { return nil }
    self.init(
      id: id, resource: resource.value, withoutLocation: withoutLocation.value, sidecar: sidecar.value)
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
    if let sidecarExtension {
      writer.name("sidecarExtension")
      writer.string(sidecarExtension)
    }
    if let alternatePhotoExtension {
      writer.name("alternatePhotoExtension")
      writer.string(alternatePhotoExtension)
    }
    writer.end()
  }
}
