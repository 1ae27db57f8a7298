import AlbumAPI
import TestSupport
import Testing
import Varlink

@Suite("Calls that are read straight from their text")
struct CallReadingTests {
  private typealias Open = LibraryInterface.OpenAsset
  private typealias Status = AuthorizationInterface.GetStatus

  private func fast<Method: VarlinkMethod>(_ method: Method.Type, _ message: [UInt8]) -> Method.Parameters? {
    var parameters: Method.Parameters?
    let isRead = message.withUnsafeBufferPointer { Method.read(callIn: $0) { parameters = $0 } }
    #expect(isRead == (parameters != nil))
    return parameters
  }

  /// What the general way makes of a message; nil where it refuses it, or where it is another call.
  private func slow<Method: VarlinkMethod>(
    _ method: Method.Type, of interface: InterfaceDescription, _ message: [UInt8]
  ) throws -> Method.Parameters? {
    let description = try #require(
      InterfaceName.split(Method.name).flatMap { interface.methods[$0.member] })
    guard let call = try? message.withUnsafeBufferPointer({ try Call(parsing: $0) }),
      call == Call(method: Method.name, parameters: call.parameters),
      let named = try? interface.validate(call.parameters, against: description.input)
    else { return nil }
    #expect(named.isEmpty)
    return try? Method.read(call.parameters)
  }

  private func bytes<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) throws -> [UInt8] {
    let object = try JSON(parsing: JSONEncoding.encode(parameters)).object
    return Call(method: Method.name, parameters: try #require(object)).encoded().dropLast()
  }

  @Test(
    "what clients of this project write is read so, and what is written with a space after each comma and colon"
  )
  func own() throws {
    for parameters in [
      Open.Parameters(id: "i"), .init(id: "é\"\\\n", resource: .video),
      .init(id: "", withoutLocation: true), .init(id: "i", resource: .sidecar, sidecar: 2),
      .init(id: "i", resource: .photo, withoutLocation: false, sidecar: -1),
    ] { #expect(fast(Open.self, try bytes(Open.self, parameters)) == parameters) }
    for level in AuthorizationInterface.AccessLevel.allCases {
      for language in [nil, "zh-Hans"] {
        let parameters = Status.Parameters(accessLevel: level, language: language)
        #expect(fast(Status.self, try bytes(Status.self, parameters)) == parameters)
      }
    }
    let spaced = #"{"method": "io.albumd.Library.OpenAsset", "parameters": {"id": "i", "sidecar": 1}}"#
    #expect(fast(Open.self, Array(spaced.utf8)) == .init(id: "i", sidecar: 1))
    // A call to another method is none to this one.
    #expect(fast(Status.self, Array(spaced.utf8)) == nil)
  }

  private static let head = #"{"method":"io.albumd.Library.OpenAsset","parameters":{"id":"i""#

  @Test(
    "whatever else may be said, or may not, is left to the general way",
    arguments: [
      // Valid.
      head + #"},"more":true}"#, head + #"},"oneway":true}"#, head + #"},"upgrade":true}"#,
      head + #"},"more":false}"#, head + "}} ", " " + head + "}}", head + #","resource":null}}"#,
      head + #","sidecar":1,"withoutLocation":true}}"#, head + #","resource":"vide\u006f"}}"#,
      #"{"parameters":{"id":"i"},"method":"io.albumd.Library.OpenAsset"}"#,
      #"{"method":"io.albumd.Library.OpenAsset","parameters":{"\u0069d":"i"}}"#,
      #"{"method":"io.albumd.Library.Open\u0041sset","parameters":{"id":"i"}}"#,
      // Not.
      head + #","id":"i"}}"#, head + #","other":1}}"#, head + #","resource":"other"}}"#,
      head + #","sidecar":1.0}}"#, head + #","sidecar":01}}"#, head + #","sidecar":1e0}}"#,
      head + #","sidecar":9223372036854775808}}"#, head + #","sidecar":"1"}}"#, head + #","sidecar":true}}"#,
      head + #","sidecar":[1]}}"#, head + #","withoutLocation":1}}"#, head + #","withoutLocation":TRUE}}"#,
      head + #","resource":1}}"#, head + #","resource":"\#u{FF56}ideo"}}"#, head + ",}}", head + "},}",
      head + "}",
      head + "}}}", head + #"},"parameters":{"id":"i"}}"#, head + #"},"method":"a.b.C"}"#,
      head + #"},"x":1}"#,
      #"{"method":"io.albumd.Library.OpenAsset","parameters":{}}"#,
      #"{"method":"io.albumd.Library.OpenAsset","parameters":null}"#,
      #"{"method":"io.albumd.Library.OpenAsset","parameters":{"id":1}}"#,
      #"{"method":"io.albumd.Library.OpenAsset","parameters":{"id":{"id":"i"}}}"#,
      #"{"method":"io.albumd.Library.OpenAsset","parameters":{"id":"\u0000"}}"#,
      #"{"method":"io.albumd.Library.OpenAsset","parameters":{"id":"\ud800"}}"#,
      "{\"method\":\"io.albumd.Library.OpenAsset\",\"parameters\":{\"id\":\"\t\"}}",
      #"{"method":"io.albumd.Library.OpenAssets","parameters":{"id":"i"}}"#,
      #"{"method":"io.albumd.Library.OpenAsse","parameters":{"id":"i"}}"#,
      #"{"method":"io.albumd.Library.OpenAsset"}"#, "{}", "", "{", #"{"method""#,
    ])
  func other(message: String) {
    #expect(fast(Open.self, Array(message.utf8)) == nil)
  }

  @Test(
    "text that is no UTF-8 is left to the general way, and a word that Swift alone takes for another's like")
  func bytes() throws {
    let message = Array((Self.head + "}}").utf8)
    #expect(fast(Open.self, message) != nil)
    for sequence: [UInt8] in [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] {
      #expect(fast(Open.self, message.dropLast(3) + sequence + message.suffix(3)) == nil)
    }
    enum Unit: String { case kelvin = "K" }
    #expect(Unit(rawValue: "\u{212A}") == .kelvin)
    // Read as text they are the same to Swift, and as a word of a definition they are not.
    let sign = Array("[\"\u{212A}\"]".utf8)
    sign.withUnsafeBufferPointer { text in
      var reader = JSONReader(text: text)
      let (isArray, word) = (reader.beginArray(), reader.ascii())
      #expect(isArray && word == nil)
    }
  }

  @Test(
    "of random messages, whole and damaged, none is read to be anything but what the general way makes of it")
  func random() throws {
    let library = try InterfaceDescription(parsing: LibraryInterface.definition)
    let authorization = try InterfaceDescription(parsing: AuthorizationInterface.definition)
    var read = 0
    for seed in 0..<8000 as Range<UInt64> {
      var message = RandomCall(seed: seed)
      let bytes = message.next()
      func compare<Method: VarlinkMethod>(_ method: Method.Type, _ interface: InterfaceDescription) throws
      where Method.Parameters: Equatable {
        guard let found = fast(method, bytes) else { return }
        read += 1
        #expect(
          try slow(method, of: interface, bytes) == found,
          "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
      }
      try compare(Open.self, library)
      try compare(Status.self, authorization)
    }
    // Both ways are taken often.
    #expect(read > 400 && read < 7600)
  }
}

/// Messages that are calls, or nearly.
private struct RandomCall {
  private var rng: SeededGenerator

  init(seed: UInt64) {
    rng = SeededGenerator(seed: seed)
  }

  private mutating func one(of texts: String...) -> String { texts.randomElement(using: &rng) ?? "" }
  private mutating func isRare() -> Bool { Int.random(in: 0..<12, using: &rng) == 0 }

  mutating func next() -> [UInt8] {
    let isOpen = Bool.random(using: &rng)
    let method =
      isRare()
      ? one(of: "io.albumd.Library.Open", "a.b.C", "")
      : isOpen
        ? "io.albumd.Library.OpenAsset" : "io.albumd.Authorization.GetStatus"
    var members = [("method", "\"\(method)\""), ("parameters", isOpen ? open() : status())]
    if isRare() {
      members.append(
        (one(of: "more", "oneway", "upgrade", "other", "method"), one(of: "true", "false", "null", "1")))
    }
    var bytes = Array(object(members).utf8)
    if isRare() { bytes.insert(0x20, at: Bool.random(using: &rng) ? 0 : bytes.count) }
    // Half of them are damaged.
    for _ in 0..<max(0, Int.random(in: -2...2, using: &rng)) where !bytes.isEmpty {
      let place = Int.random(in: bytes.indices, using: &rng)
      switch Int.random(in: 0..<4, using: &rng) {
      case 0: bytes[place] = UInt8.random(in: 1...255, using: &rng)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(bytes.randomElement(using: &rng) ?? 0x20, at: place)
      default: bytes.insert(contentsOf: bytes[place...].prefix(12), at: place)
      }
    }
    return bytes
  }

  private mutating func open() -> String {
    var members = [("id", text())]
    if Bool.random(using: &rng) {
      members.append(("resource", isRare() ? value() : one(of: #""photo""#, #""video""#, #""sidecar""#)))
    }
    if Bool.random(using: &rng) {
      members.append(("withoutLocation", isRare() ? value() : one(of: "true", "false")))
    }
    if Bool.random(using: &rng) {
      members.append(("sidecar", isRare() ? value() : one(of: "0", "-0", "7", "999999999999999999")))
    }
    return object(members)
  }

  private mutating func status() -> String {
    var members = [("accessLevel", isRare() ? value() : one(of: #""addOnly""#, #""readWrite""#))]
    if Bool.random(using: &rng) { members.append(("language", isRare() ? value() : text())) }
    return object(members)
  }

  private mutating func text() -> String {
    one(
      of: #""i""#, #""""#, #""zh-Hans""#, #""é\u00e9\n\"""#, #""\ud83d\ude00 \#u{1F600}""#, #""language""#,
      #""a,b:{c}""#)
  }

  private mutating func value() -> String {
    one(
      of: "null", "1", "1.5", "1e3", "01", "-", "9223372036854775807", "9223372036854775808", "{}", "[]",
      "true",
      #""x""#, #""\u0000""#, #""\ud800""#, #""addOnl\u0079""#, #"{"id":"i"}"#,
      String(repeating: "[", count: 200))
  }

  /// Its members, now and then in another order, with one twice or one missing, and with spaces here and there.
  private mutating func object(_ members: [(String, String)]) -> String {
    var members = members
    if isRare() { members.shuffle(using: &rng) }
    if isRare(), let again = members.randomElement(using: &rng) { members.append(again) }
    if isRare() { members.removeLast() }
    if isRare() { members.append((one(of: "other", "id", "language", "\\u0069d"), value())) }
    let isSpaced = Bool.random(using: &rng)
    let parts = members.map { name, value in
      "\"\(name)\":" + (isRare() ? one(of: "  ", "\t", "\n") : isSpaced ? " " : "") + value
    }
    return "{" + parts.joined(separator: isRare() ? " , " : isSpaced ? ", " : ",") + "}"
  }
}
