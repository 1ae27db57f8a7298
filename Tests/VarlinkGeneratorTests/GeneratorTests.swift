import FoundationEssentials
import Testing
import Varlink
import VarlinkGenerator

@Suite("Swift of definitions")
struct GeneratorTests {
  private static let directory = URL(filePath: #filePath).deletingLastPathComponent()

  private static func file(_ path: String) throws -> String {
    try #require(
      String(validating: try Data(contentsOf: directory.appending(path: path)), as: UTF8.self), "\(path)")
  }

  private static func generator() throws -> SwiftGenerator {
    let interfaces = try ["Books", "Shelves"].map { name in
      try InterfaceDescription(parsing: file("Interfaces/org.example.\(name).varlink"))
    }
    let hints = try JSON(parsing: Array(file("Interfaces/varlink-interfaces.json").utf8))
    return SwiftGenerator(interfaces, hints: try SwiftHints(hints))
  }

  @Test("is what was read and approved", arguments: ["org.example.Books", "org.example.Shelves"])
  func expected(_ name: String) throws {
    let source = try #require(try Self.generator().sources()[name])
    let expected = try Self.file("Expected/\(name).swift.expected")
    #expect(source == expected)
  }

  // The plugin has made these types of the same files.

  @Test("holds the very text of the definition")
  func text() throws {
    #expect(try BooksInterface.definition == Self.file("Interfaces/org.example.Books.varlink"))
    #expect(try Bookcase.definition == Self.file("Interfaces/org.example.Shelves.varlink"))
  }

  private static let book = BooksInterface.Book(
    id: "b", copies: 2, languages: [.de], spine: .init(text: "s"), ratings: ["r": 1.5],
    readers: ["r": Empty()],
    type: .default,
    dust_jacket: .init(colour: "red", blurbs: [.init(by: "b", text: "t")]), cites: [], in: true, init: false,
    rest: ["x": ["y": 1]])

  @Test("writes what the definition asks for, and reads it again")
  func coding() throws {
    let reply = BooksInterface.Find.Reply(books: [Self.book], reply: .init(words: ["w"]))
    let text = try String(validating: JSONEncoding.encode(reply), as: UTF8.self)
    #expect(
      text == """
        {"books":[{"id":"b","copies":2,"languages":["de"],"spine":{"text":"s"},"ratings":{"r":1.5},\
        "readers":{"r":{}},"type":"default","dust_jacket":{"colour":"red","blurbs":[{"by":"b","text":"t"}]},\
        "cites":[],"in":true,"init":false,"rest":{"x":{"y":1}}}],"reply":{"words":["w"]}}
        """)
    let json = try JSON(parsing: Array((text ?? "").utf8))
    #expect(try JSONDecoding.decode(BooksInterface.Find.Reply.self, from: json) == reply)
    let interface = try InterfaceDescription(parsing: BooksInterface.definition)
    let fields = try #require(interface.methods["Find"]).output
    try interface.validate(try #require(json.object), against: fields)
  }

  @Test("follows the hints: fields of other types, messages that share one, objects of a known type")
  func hints() throws {
    let parameters = try JSONDecoding.decode(
      BooksInterface.Find.Parameters.self, from: ["printed": ["1969", "1970"]])
    #expect(parameters.printed?.map(\.number) == [1969, 1970])
    #expect(BooksInterface.Lend.Parameters.self == BooksInterface.Return.Parameters.self)
    typealias Event = BooksInterface.Watch.Event<BooksInterface.NoSuchBook>
    let event = try JSONDecoding.decode(Event.self, from: ["place": 1, "items": [["id": "i"]]])
    #expect(event == Event(place: 1, items: [.init(id: "i")]))
    #expect(Bookcase.Language.self == BooksInterface.Language.self)
  }

  @Test(
    "refuses hints that do not fit",
    arguments: [
      ("[]", ""), (#"{"type": {}}"#, "type"), (#"{"shared": {"Kind": 1}}"#, "Kind"),
      (#"{"types": {"Instant": "a.b.C.d"}}"#, "Instant"),
      // About nothing, or about what a hint cannot change.
      (#"{"types": {"Instant": ["a.b.Call.Parameters.gone"]}}"#, "a.b.Call.Parameters.gone"),
      (#"{"types": {"Instant": ["a.b.Call.Parameters.kind"]}}"#, "a.b.Call.Parameters.kind"),
      (#"{"names": {"a.b.Node": "Knot"}}"#, "a.b.Node"),
      // The one says more, the other says something else, the third is not there.
      (#"{"shared": {"Kind": "a.b"}}"#, "Kind"), (#"{"shared": {"Node": "a.b"}}"#, "Node"),
      (#"{"shared": {"Same": "a.d"}}"#, "Same"),
      (#"{"names": {"a.b.Call.Parameters": "M", "a.b.Other.Parameters": "M"}}"#, "a.b.Other.Parameters"),
      (#"{"names": {"a.b.Call.Parameters": "Other.M"}}"#, "a.b.Call.Parameters"),
      (#"{"names": {"a.c": "BInterface"}}"#, "a.c"),
    ])
  func wrongHints(_ hints: String, _ place: String) throws {
    let interfaces = try [
      """
      interface a.b
      type Kind (one, two)
      type Node (kind: Kind)
      type Same (one, two)
      method Call(kind: Kind) -> ()
      method Other(same: Same) -> ()
      """,
      """
      interface a.c
      type Kind (one, two, three)
      type Node (kind: Kind)
      type Same (one, two)
      """,
    ].map { try InterfaceDescription(parsing: $0) }
    let json = try JSON(parsing: Array(hints.utf8))
    let error = #expect(throws: SwiftHintError.self) {
      try SwiftGenerator(interfaces, hints: SwiftHints(json)).sources()
    }
    #expect(error?.place == place, "\(error?.description ?? "")")
  }

  @Test("keeps every character of a definition")
  func characters() throws {
    let text = "# \\ \" \"\"\" \t\r\u{0}\u{2028}\u{FEFF} é\ninterface a.b"
    let source = try #require(
      try SwiftGenerator([InterfaceDescription(parsing: text)]).sources()["a.b"])
    let literal = #"# \\ \" \"\"\" \u{9}\u{d}\u{0}\u{2028}\u{feff} é"# + "\ninterface a.b"
    #expect(source.hasSuffix("public static let definition = \"\"\"\n\(literal)\n\"\"\"\n}\n"))
  }
}
