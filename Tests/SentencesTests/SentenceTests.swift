import AlbumAPI
import Testing
import Varlink
import Words

@testable import Sentences

@Suite("What errors say (S89)")
struct SentenceTests {
  private static let interfaces = [
    AgentInterface.definition, AuthorizationInterface.definition, LibraryInterface.definition,
    ManagerInterface.definition, PickerInterface.definition,
  ]
  private static let languages = ["en", "zh-Hans", "zh-Hant"]

  @Test("S89: every error of every interface has a field for its message, and says one in three languages")
  func complete() throws {
    var count = 0
    for definition in Self.interfaces {
      let interface = try InterfaceDescription(parsing: definition)
      for (name, fields) in interface.errors {
        #expect(fields.last?.name == "message" && fields.last?.type == .optional(.string), "\(name)")
        for parameters in interface.examples(of: fields.dropLast()) {
          count += 1
          let error = RemoteError(name: "\(interface.name).\(name)", parameters: parameters)
          let sentence = try #require(Sentence(error, calling: "io.albumd.Library.FetchAssets"), "\(error)")
          let texts = Self.languages.map { sentence.text(in: Words.matching([$0]), quoting: 256) }
          #expect(texts.allSatisfy { !$0.isEmpty && !$0.contains("{") }, "\(texts)")
          #expect(!texts[0].unicodeScalars.contains { $0.properties.isIdeographic }, "\(texts[0])")
          #expect(
            texts.dropFirst().allSatisfy { $0.unicodeScalars.contains { $0.properties.isIdeographic } },
            "\(texts)")
        }
      }
    }
    #expect(count > 40, "those with reasons have a sentence for each")
  }

  @Test("S89: an error that is none of the interfaces', or has other fields, says nothing")
  func foreign() {
    for (name, parameters) in [
      ("org.varlink.service.InvalidParameter", ["parameter": "id"]),
      ("org.example.Unheard", ["message": "Hello"]), ("io.albumd.Library.NoSuchAsset", [:]),
      ("io.albumd.Library.NoSuchAsset", ["id": 1]), ("", [:]),
    ] as [(String, JSONObject)] {
      #expect(Sentence(RemoteError(name: name, parameters: parameters), calling: "x") == nil, "\(name)")
    }
  }

  @Test("S89: a value is quoted up to a bound, between two characters, and controls no terminal")
  func quoted() throws {
    func said(_ id: String) throws -> String {
      let error = try RemoteError(LibraryInterface.NoSuchAsset(id: id))
      return try #require(Sentence(error, calling: "x")).text(in: .english, quoting: 256)
    }
    let around = try said("").utf8.count
    #expect(try said(String(repeating: "a", count: 256)).utf8.count == around + 256)
    let long = try said(String(repeating: "a", count: 257))
    #expect(long.utf8.count == around + 256 + "…".utf8.count && long.contains("a…"))
    #expect(try said(String(repeating: "照", count: 1000)).utf8.count == around + 255 + "…".utf8.count)
    for scalar in ["\u{1B}", "\n", "\u{7F}", "\u{9B}", "\u{202E}", "\u{2028}"] {
      let text = try said("x\(scalar)[31m")
      #expect(!text.contains(scalar) && text.contains("x\\u{"), "\(text)")
    }
    // What is filled in is not looked at again.
    #expect(try said("{id}{app}") == "There is no asset {id}{app} that you may see.")
  }

  @Test("S89: a level and a status are said in words, and a thing that is called like one keeps its name")
  func names() throws {
    let chinese = Words.matching(["zh-Hans"])
    func said(_ error: some VarlinkError) throws -> String {
      try #require(Sentence(try RemoteError(error), calling: "x")).text(in: chinese, quoting: 256)
    }
    let refused = LibraryInterface.NotAuthorized(
      accessLevel: .readWrite, status: .denied, guide: .init(title: "", message: "", steps: []))
    let text = try said(refused)
    #expect(!text.contains("readWrite") && !text.contains("denied") && text.contains(chinese[.denied]))
    #expect(try said(LibraryInterface.NameTaken(name: "denied")) == "那里已有“denied”。")
  }
}

extension InterfaceDescription {
  /// Values for fields: each value of an enumeration once.
  fileprivate func examples(of fields: some Collection<VarlinkField>) -> [JSONObject] {
    var objects = [JSONObject()]
    for field in fields {
      objects = objects.flatMap { object in
        examples(of: field.type).map { value in
          var object = object
          object[field.name] = value
          return object
        }
      }
    }
    return objects
  }

  private func examples(of type: VarlinkType) -> [JSON?] {
    switch type {
    case .bool: [true]
    case .int: [7]
    case .float: [0.5]
    case .string: ["xyz"]
    case .object, .any, .map: [[:]]
    case .array: [[]]
    case .structure(let fields): examples(of: fields).map(JSON.object)
    case .enumeration(let names): names.map(JSON.string)
    case .named(let name): types[name].map(examples) ?? []
    case .optional: [nil]
    }
  }
}
