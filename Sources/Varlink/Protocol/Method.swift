/// A method of an interface as Swift types; written once, used by service and client.
public protocol VarlinkMethod: Sendable {
  /// What a call carries.
  associatedtype Parameters: Codable & Sendable
  /// What each reply carries.
  associatedtype Reply: Codable & Sendable
  /// The full name, `io.albumd.Library.OpenAsset`.
  static var name: String { get }
  /// The parameters of a call.
  ///
  /// - Throws: `DecodingError`, whose coding path names the field.
  static func read(_ parameters: JSONObject) throws -> Parameters
  /// Gives away the parameters of a call to this method that a message is, straight from its text; false where that is to be
  /// read in the general way, which says what is wrong with it if anything is. They are not returned: who knows their type
  /// at run time only would have to make that of an optional one, for each call.
  static func read(callIn message: UnsafeBufferPointer<UInt8>, _ body: (Parameters) -> Void) -> Bool
  /// The reply that a message is, straight from its text; nil where that is to be read in the general way: it is an
  /// error, or nobody has written a faster one, or what came is written otherwise.
  static func read(replyIn message: UnsafeBufferPointer<UInt8>) -> (reply: Reply, continues: Bool)?
  /// Writes the parameters of a reply.
  ///
  /// - Throws: what their own `encode(to:)` throws.
  static func write(_ reply: Reply, to writer: inout JSONWriter) throws
}

extension VarlinkMethod {
  /// Reads what is `Decodable` only.
  public static func read(_ parameters: JSONObject) throws -> Parameters {
    try JSONDecoding.decode(Parameters.self, from: .object(parameters))
  }

  /// In the general way.
  public static func read(callIn message: UnsafeBufferPointer<UInt8>, _ body: (Parameters) -> Void) -> Bool {
    false
  }

  /// In the general way.
  public static func read(
    replyIn message: UnsafeBufferPointer<UInt8>
  ) -> (reply: Reply, continues: Bool)? { nil }
}

extension VarlinkMethod where Parameters: JSONReadable {
  /// Lets the parameters read themselves.
  public static func read(_ parameters: JSONObject) throws -> Parameters {
    try Parameters(reading: parameters) ?? JSONDecoding.decode(Parameters.self, from: .object(parameters))
  }
}

extension VarlinkMethod {
  /// Writes what is `Encodable` only.
  public static func write(_ reply: Reply, to writer: inout JSONWriter) throws {
    try JSONEncoding.encode(reply, into: &writer)
  }
}

extension VarlinkMethod where Reply: JSONWritable {
  /// Lets the reply write itself.
  public static func write(_ reply: Reply, to writer: inout JSONWriter) throws { reply.write(to: &writer) }
}

/// An error of an interface as a Swift type: its fields are the error's parameters.
public protocol VarlinkError: Error, Codable, Sendable {
  /// The full name, `io.albumd.Library.NoSuchAsset`.
  static var name: String { get }
}

/// Parameters or a reply without fields.
public struct Empty: Codable, Hashable, Sendable {
  /// The only value.
  public init() {}
}

/// An error as it came over the wire, for whoever does not know its type.
public struct RemoteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The full name.
  public let name: String
  /// Its fields.
  public let parameters: JSONObject

  /// An error with its fields.
  public init(name: String, parameters: JSONObject) {
    self.name = name
    self.parameters = parameters
  }

  /// An error as it goes over the wire.
  public init(_ error: some VarlinkError) throws {
    guard case .object(let fields) = try JSON(parsing: try JSONEncoding.encode(error)) else {
      throw ProtocolViolation("the fields of an error are a JSON object")
    }
    self.init(name: type(of: error).name, parameters: fields)
  }

  /// The error as its Swift type; `nil` if it is another one or does not fit.
  public func typed<Known: VarlinkError>(_ type: Known.Type) -> Known? {
    guard name == Known.name else { return nil }
    return try? JSONDecoding.decode(type, from: .object(parameters))
  }

  /// Name and fields on one line.
  public var description: String {
    parameters.members.isEmpty ? name : "\(name) \(JSON.object(parameters))"
  }
}
