import Varlink

/// The parameters of a method, or its reply.
struct Message {
  /// `Parameters` or `Reply`.
  let name: String
  let method: String
  let fields: [VarlinkField]
  let comment: String

  init(name: String, of method: String, fields: [VarlinkField], comment: String) {
    self.name = name
    self.method = method
    self.fields = fields
    self.comment = comment
  }

  var place: String { "\(method).\(name)" }
}

/// What a hint calls a message: `Membership`, `Watch.Event` inside of the method, `Watch.Event<Item>` with a type that
/// stands for that of its objects.
struct MessageName {
  /// From the interface's enum on.
  let path: String
  /// The last part of the path.
  let name: String
  let placeholder: String?
  let isInsideMethod: Bool

  init(_ hint: String, of message: Message, in interface: InterfaceDescription) throws(SwiftHintError) {
    let halves = hint.split(separator: "<", maxSplits: 1).map(String.init)
    let parts = (halves.first ?? "").split(separator: ".").map(String.init)
    isInsideMethod = parts.count == 2 && parts.first == message.method
    guard let name = parts.last, isInsideMethod || parts.count == 1 else {
      throw SwiftHintError(
        place: "\(interface.name).\(message.place)",
        reason: "its name should be one word, or \(message.method) and one word")
    }
    self.name = name
    path = parts.joined(separator: ".")
    placeholder = halves.count == 2 ? halves.last.map { String($0.prefix { $0 != ">" }) } : nil
  }
}
