/// One call as it arrived.
public struct Call: Hashable, Sendable {
  /// The full method name.
  public let method: String
  /// Absent, `null` and `{}` are the same.
  public let parameters: JSONObject
  /// The caller takes many replies.
  public let wantsMore: Bool
  /// The caller takes none.
  public let isOneway: Bool
  /// The caller wants to speak another protocol from here on.
  public let wantsUpgrade: Bool

  /// A call to be sent.
  public init(
    method: String, parameters: JSONObject = JSONObject(), wantsMore: Bool = false, isOneway: Bool = false,
    wantsUpgrade: Bool = false
  ) {
    self.method = method
    self.parameters = parameters
    self.wantsMore = wantsMore
    self.isOneway = isOneway
    self.wantsUpgrade = wantsUpgrade
  }
}

/// One reply as it arrived.
public struct Reply: Hashable, Sendable {
  /// The reply's fields, or the error's.
  public let parameters: JSONObject
  /// More replies to the same call follow.
  public let continues: Bool
  /// The error's full name, if it is one.
  public let error: String?
}

/// A message that breaks the protocol. There is no reply to it: its sender's connection is closed.
public struct ProtocolViolation: Error, Hashable, Sendable, CustomStringConvertible {
  /// The rule that is broken.
  public let description: String

  /// Names the rule.
  public init(_ description: String) {
    self.description = description
  }
}

extension Call {
  /// The most values in one call: more than ids fit a message of a mebibyte.
  public static let maximumCount = 100_000

  /// Reads a message without its NUL.
  ///
  /// Unknown keys are refused, as sd-varlink does: what is not understood cannot be honoured.
  public init(parsing message: UnsafeBufferPointer<UInt8>) throws(ProtocolViolation) {
    var fields = try MessageFields(parsing: message, maximumCount: Self.maximumCount)
    guard case .string(let method)? = fields.take("method") else {
      throw ProtocolViolation("a call needs a method")
    }
    self.method = method
    parameters = try fields.takeObject("parameters")
    wantsMore = try fields.takeFlag("more")
    isOneway = try fields.takeFlag("oneway")
    wantsUpgrade = try fields.takeFlag("upgrade")
    try fields.expectNothingElse()
    if wantsMore && isOneway { throw ProtocolViolation("more and oneway exclude each other") }
  }

  /// The same call, when its parameters were read.
  public var withoutParameters: Call {
    Call(method: method, wantsMore: wantsMore, isOneway: isOneway, wantsUpgrade: wantsUpgrade)
  }

  /// The message with its NUL. Flags that are false are left out.
  public func encoded() -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("method")
    writer.string(method)
    if !parameters.members.isEmpty {
      writer.name("parameters")
      writer.object(parameters)
    }
    for (name, flag) in [("more", wantsMore), ("oneway", isOneway), ("upgrade", wantsUpgrade)] where flag {
      writer.name(name)
      writer.bool(true)
    }
    return writer.finish(terminator: 0)
  }
}

extension Reply {
  /// Reads a message without its NUL.
  public init(parsing message: UnsafeBufferPointer<UInt8>) throws(ProtocolViolation) {
    var fields = try MessageFields(parsing: message, maximumCount: .max)
    parameters = try fields.takeObject("parameters")
    continues = try fields.takeFlag("continues")
    switch fields.take("error") {
    case .string(let name)?: error = name
    case .null?, nil: error = nil
    case .bool?, .integer?, .float?, .array?, .object?: throw ProtocolViolation("error should be a string")
    }
    try fields.expectNothingElse()
    if continues && error != nil { throw ProtocolViolation("an error cannot continue") }
  }

  /// A successful reply with its NUL.
  public static func encoded(_ parameters: some Encodable, continues: Bool = false) throws -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("parameters")
    try JSONEncoding.encode(parameters, into: &writer)
    if continues {
      writer.name("continues")
      writer.bool(true)
    }
    return writer.finish(terminator: 0)
  }

  /// An error reply with its NUL.
  public static func encoded<Failure: VarlinkError>(_ error: Failure) throws -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("error")
    writer.string(Failure.name)
    writer.name("parameters")
    try JSONEncoding.encode(error, into: &writer)
    return writer.finish(terminator: 0)
  }
}

/// The top-level keys of a message, each taken once.
private struct MessageFields {
  private var object: JSONObject

  init(parsing message: UnsafeBufferPointer<UInt8>, maximumCount: Int) throws(ProtocolViolation) {
    let json: JSON
    do throws(JSONSyntaxError) { json = try JSON(parsing: message, maximumCount: maximumCount) } catch {
      throw ProtocolViolation("\(error)")
    }
    guard case .object(let object) = json else { throw ProtocolViolation("a message is a JSON object") }
    self.object = object
  }

  mutating func take(_ name: String) -> JSON? {
    defer { object[name] = nil }
    return object[name]
  }

  mutating func takeObject(_ name: String) throws(ProtocolViolation) -> JSONObject {
    switch take(name) {
    case .object(let object)?: return object
    case .null?, nil: return JSONObject()
    case .bool?, .integer?, .float?, .string?, .array?: throw ProtocolViolation("\(name) should be an object")
    }
  }

  mutating func takeFlag(_ name: String) throws(ProtocolViolation) -> Bool {
    switch take(name) {
    case .bool(let flag)?: return flag
    case .null?, nil: return false
    case .integer?, .float?, .string?, .array?, .object?:
      throw ProtocolViolation("\(name) should be true or false")
    }
  }

  func expectNothingElse() throws(ProtocolViolation) {
    if let member = object.members.first {
      throw ProtocolViolation("a message has no key \"\(Quoted(member.name))\"")
    }
  }
}
