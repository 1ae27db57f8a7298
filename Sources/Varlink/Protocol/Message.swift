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
    try fields.expectNothing(but: ["method", "parameters", "more", "oneway", "upgrade"])
    if wantsMore && isOneway { throw ProtocolViolation("more and oneway exclude each other") }
  }

  /// The same call, when its parameters were read.
  ///
  /// - Parameter kept: the names of texts that are wanted further on.
  public func withoutParameters(but kept: [String]) -> Call {
    var left = JSONObject()
    for name in kept {
      if case .string(let text)? = parameters[name] { left[name] = .string(text) }
    }
    return Call(
      method: method, parameters: left, wantsMore: wantsMore, isOneway: isOneway, wantsUpgrade: wantsUpgrade)
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
    let flags: [(StaticString, Bool)] = [
      ("more", wantsMore), ("oneway", isOneway), ("upgrade", wantsUpgrade),
    ]
    for (name, flag) in flags where flag {
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
    try fields.expectNothing(but: ["parameters", "continues", "error"])
    if continues && error != nil { throw ProtocolViolation("an error cannot continue") }
  }

  /// A successful reply with its NUL.
  public static func encoded(_ parameters: some Encodable, continues: Bool = false) throws -> [UInt8] {
    try encoded(continues: continues) { writer throws in try JSONEncoding.encode(parameters, into: &writer) }
  }

  /// A successful reply with its NUL, whose parameters `write` writes: one whole object.
  public static func encoded(
    continues: Bool = false, _ write: (inout JSONWriter) throws -> Void
  ) rethrows -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("parameters")
    try write(&writer)
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

  /// An error reply with its NUL.
  public static func encoded(_ error: RemoteError) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("error")
    writer.string(error.name)
    writer.name("parameters")
    writer.object(error.parameters)
    return writer.finish(terminator: 0)
  }
}

/// The top-level keys of a message, each taken once at most.
private struct MessageFields {
  private let object: JSONObject
  /// How many are not taken yet.
  private var left: Int

  init(parsing message: UnsafeBufferPointer<UInt8>, maximumCount: Int) throws(ProtocolViolation) {
    let json: JSON
    do throws(JSONSyntaxError) { json = try JSON(parsing: message, maximumCount: maximumCount) } catch {
      throw ProtocolViolation("\(error)")
    }
    guard case .object(let object) = json else { throw ProtocolViolation("a message is a JSON object") }
    self.object = object
    left = object.members.count
  }

  mutating func take(_ name: String) -> JSON? {
    guard left > 0, let value = object[name] else { return nil }
    left -= 1
    return value
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

  /// - Parameter known: those that were asked for.
  func expectNothing(but known: @autoclosure () -> [String]) throws(ProtocolViolation) {
    guard left > 0 else { return }
    let known = known()
    let other = object.members.first { member in !known.contains { $0.isSame(as: member.name) } }
    throw ProtocolViolation("a message has no key \"\(Quoted(other?.name ?? ""))\"")
  }
}
