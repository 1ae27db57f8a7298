import Varlink

/// The values that the interface wants against which Varlink implementations are tested.
enum Certification {
  static let interface = "org.varlink.certification"

  private static let values: JSONObject = [
    "bool": false, "int": 2, "float": .float(.pi), "string": "a lot of string",
  ]

  private static let myType: JSON = [
    "object": [
      "method": "org.varlink.certification.Test09", "parameters": ["map": ["foo": "Foo", "bar": "Bar"]],
    ],
    "enum": "two",
    "struct": ["first": 1, "second": "2"],
    "array": ["one", "two", "three"],
    "dictionary": ["foo": "Foo", "bar": "Bar"],
    "stringset": ["one": [:], "two": [:], "three": [:]],
    "interface": [
      "foo": [nil, ["foo": "foo", "bar": "bar"], nil, ["one": "foo", "two": "bar"]],
      "anon": ["foo": true, "bar": false],
    ],
  ]

  static let replies: [String] = (1...10).map { "Reply number \($0)" }

  /// One step: what it must be called with (beside the client's id), and what it answers.
  struct Step {
    let method: String
    let wants: JSONObject
    let reply: JSONObject
    var wantsMore = false
    var isOneway = false
  }

  /// Every step after `Start`, in order. The answer of each is what the next is called with.
  static let steps: [Step] = [
    Step(method: "Test01", wants: [:], reply: ["bool": true]),
    Step(method: "Test02", wants: ["bool": true], reply: ["int": 1]),
    Step(method: "Test03", wants: ["int": 1], reply: ["float": 1.0]),
    Step(method: "Test04", wants: ["float": 1.0], reply: ["string": "ping"]),
    Step(method: "Test05", wants: ["string": "ping"], reply: values),
    Step(method: "Test06", wants: values, reply: ["struct": .object(values)]),
    Step(method: "Test07", wants: ["struct": .object(values)], reply: ["map": ["foo": "Foo", "bar": "Bar"]]),
    Step(
      method: "Test08", wants: ["map": ["foo": "Foo", "bar": "Bar"]],
      reply: ["set": ["one": [:], "two": [:], "three": [:]]]),
    Step(
      method: "Test09", wants: ["set": ["one": [:], "two": [:], "three": [:]]], reply: ["mytype": myType]),
    Step(method: "Test10", wants: ["mytype": myType], reply: [:], wantsMore: true),
    Step(
      method: "Test11", wants: ["last_more_replies": .array(replies.map(JSON.string))], reply: [:],
      isOneway: true),
    Step(method: "End", wants: [:], reply: ["all_ok": true]),
  ]
}

extension JSON {
  /// The same value for a comparison by meaning: no `null` members, and every number a float.
  ///
  /// A peer may leave out what is null, and write 1.0 as 1.
  var normalized: JSON {
    switch self {
    case .integer(let value): return .float(Double(value))
    case .array(let values): return .array(values.map(\.normalized))
    case .object(let object):
      var normalized = JSONObject()
      for member in object.members where member.value != .null {
        normalized[member.name] = member.value.normalized
      }
      return .object(normalized)
    case .null, .bool, .float, .string: return self
    }
  }
}
