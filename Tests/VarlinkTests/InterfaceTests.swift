import Testing
import TestSupport

@testable import Varlink

@Suite("Interface definitions")
struct InterfaceTests {
  private let text = """
    # A test.
    interface org.example.test-1
    type Kind (one, two)
    type Node (name: string, kind: ?Kind, children: []Node, tags: [string](), extra: ?object)
    # Streams.
    # [Requires 'more' flag]
    method Walk(root: Node, depth: ?int) -> (node: Node)
    method Ping ( ) -> ( pong : bool )
    method Send(items: [](fileDescriptor: int, pairedFileDescriptor: ?int), fileDescriptors: ?[]int) -> ()
    error Lost (at: string, where: (x: float, y: float))
    error Tired ()
    """

  @Test("types, methods and errors")
  func parsing() throws {
    let interface = try InterfaceDescription(parsing: text)
    #expect(interface.name == "org.example.test-1")
    #expect(interface.types["Kind"] == .enumeration(["one", "two"]))
    #expect(interface.methods.keys.sorted() == ["Ping", "Send", "Walk"])
    #expect(interface.methods["Walk"]?.requiresMore == true)
    #expect(interface.methods["Ping"]?.requiresMore == false)
    #expect(interface.errors["Tired"] == [])
    #expect(interface.portabilityIssues.isEmpty)
    _ = try InterfaceDescription(parsing: ServiceInterface.description)
  }

  @Test("what is said above a thing belongs to it, and what stands behind one or apart to nothing")
  func comments() throws {
    let interface = try InterfaceDescription(
      parsing: """
        # A licence.

        # The interface,
        #  in two lines.
        interface org.example.test
        # A type.
        type Kind ( # Behind.
          # The first.
          one, # Behind the first.
          two)
        # Apart.

        error Lost (at: string,
          # Where.
          where: (
            # How far.
            x: float))
        # [Requires 'more' flag]

        # A method.
        method Walk(
          # How deep.
          depth: int # Behind.
        ) -> (
          # What was found.
          found: [](
            # By which.
            name: string)
        )
        """)
    #expect(
      interface.comments == [
        "": "The interface,\n in two lines.", "Kind": "A type.", "Kind.one": "The first.",
        "Lost.where": "Where.", "Lost.where.x": "How far.", "Walk": "A method.",
        "Walk.Parameters.depth": "How deep.", "Walk.Reply.found": "What was found.",
        "Walk.Reply.found.name": "By which.",
      ])
    #expect(interface.members.map(\.name) == ["Kind", "Lost", "Walk"])
    #expect(interface.methods["Walk"]?.requiresMore == true)
  }

  @Test(
    "mistakes are found, with their line",
    arguments: [
      ("", 1), ("interface x", 1), ("interface a.b\ntype t (a: int)", 2),
      ("interface a.b\ntype T (a: int, a: int)", 2),
      ("interface a.b\ntype T (a, b: int)", 2), ("interface a.b\nmethod M() -> (x: Missing)", 1),
      ("interface a.b\ntype T ()\n\ntype T ()", 4), ("interface a.b\nmethod M()", 2),
      ("interface a.b\nfoo X ()", 2),
      ("interface a.b\ntype T (a: ??int)", 2), ("interface a.b\ntype T (a_: int)", 2),
      ("interface a.b\ntype T (a: [int]int)", 2),
    ])
  func mistakes(_ text: String, _ line: Int) {
    let error = #expect(throws: InterfaceSyntaxError.self) { try InterfaceDescription(parsing: text) }
    #expect(error?.line == line, "\(text): \(error?.description ?? "")")
  }

  @Test("types inside of one another are as many as values may be, and no more: a definition ends no program")
  func deep() throws {
    func definition(_ depth: Int) -> String {
      "interface a.b\nmethod M() -> (x: \(String(repeating: "[]", count: depth - 1))int)"
    }
    _ = try InterfaceDescription(parsing: definition(JSON.maximumDepth))
    for depth in [JSON.maximumDepth + 1, 1_000_000] {
      let error = #expect(throws: InterfaceSyntaxError.self) {
        try InterfaceDescription(parsing: definition(depth))
      }
      #expect(error?.line == 2)
    }
    let structures = String(repeating: "(x: ", count: 100_000)
    #expect(throws: InterfaceSyntaxError.self) {
      try InterfaceDescription(parsing: "interface a.b\ntype T (x: \(structures)")
    }
  }

  @Test("what some parser refuses is named")
  func portability() throws {
    let interface = try InterfaceDescription(
      parsing: "interface a.b\nmethod M(a: []?int, b: [][]int, c: [string][]int) -> (d: (only))")
    #expect(interface.portabilityIssues.count == 4)
  }

  @Test(
    "validation names the field that is wrong",
    arguments: [
      (#"{"root":{"name":"r","children":[],"tags":{}}}"#, nil),
      (
        #"{"root":{"name":"r","kind":"one","children":[{"name":"c","children":[],"tags":{"a":{}}}],"tags":{}},"depth":3}"#,
        nil
      ),
      (#"{}"#, "root"), (#"{"root":1}"#, "root"),
      (#"{"root":{"name":"r","children":[],"tags":{}},"deep":1}"#, "deep"),
      (#"{"root":{"name":"r","kind":"three","children":[],"tags":{}}}"#, "root.kind"),
      (
        #"{"root":{"name":"r","children":[{"name":1,"children":[],"tags":{}}],"tags":{}}}"#,
        "root.children[0].name"
      ),
      (#"{"root":{"name":"r","children":[],"tags":{"a":1}}}"#, "root.tags.a"),
      (#"{"root":{"name":"r","children":[],"tags":{"[0]":1}}}"#, "root.tags.[0]"),
      (
        #"{"root":{"name":"r","children":[{"name":"c","children":[],"tags":{}},{"name":"d","children":[],"tags":{},"x":1}],"tags":{}}}"#,
        "root.children[1].x"
      ),
      (#"{"root":{"name":"r","children":[],"tags":{}},"depth":1.5}"#, "depth"),
    ])
  func validation(_ text: String, _ field: String?) throws {
    let interface = try InterfaceDescription(parsing: self.text)
    let object = try #require(try JSON(parsing: Array(text.utf8)).object)
    let input = try #require(interface.methods["Walk"]).input
    var found: String?
    do { try interface.validate(object, against: input) } catch { found = error.parameter }
    #expect(found == field)
  }

  @Test("indexes of descriptors are collected from their fields")
  func descriptors() throws {
    let interface = try InterfaceDescription(parsing: text)
    let object: JSONObject = [
      "items": [["fileDescriptor": 2, "pairedFileDescriptor": 0], ["fileDescriptor": 1]],
      "fileDescriptors": [3, 4],
    ]
    let input = try #require(interface.methods["Send"]).input
    #expect(try interface.validate(object, against: input) == [2, 0, 1, 3, 4])
  }

  @Test("names of interfaces")
  func names() {
    for name in ["org.varlink.service", "a.b", "a--b.c-d", "com.example.0example"] {
      #expect(InterfaceName.isValid(name), "\(name)")
    }
    for name in ["", "a", ".a.b", "a..b", "a.b.", "1a.b", "a.-b", "a.b-", "a_b.c", "ä.b"] {
      #expect(!InterfaceName.isValid(name), "\(name)")
    }
    #expect(InterfaceName.split("org.example.Ping")?.interface == "org.example")
    #expect(InterfaceName.split("Ping") == nil)
    #expect(InterfaceName.split("org.") == nil)
  }

  @Test("damaged definitions never crash")
  func fuzz() {
    var random = SeededGenerator(seed: 2)
    let bytes = Array(text.utf8)
    var accepted = 0
    for _ in 0..<5000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] = bytes.randomElement(using: &random) ?? 0
      }
      // Cut off as well, every other time: what is whole but for a few letters goes further.
      let end = Bool.random(using: &random) ? .random(in: 0...bytes.count, using: &random) : bytes.count
      let text = String(decoding: damaged.prefix(end), as: UTF8.self)
      guard let interface = try? InterfaceDescription(parsing: text) else { continue }
      accepted += 1
      #expect(InterfaceName.isValid(interface.name))
    }
    #expect((50..<4000).contains(accepted), "\(accepted) of them are none the worse")
  }
}
