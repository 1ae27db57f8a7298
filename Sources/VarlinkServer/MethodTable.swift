internal import Varlink

/// The methods of all interfaces by their full names.
///
/// A name is looked up as bytes, and only when it is no longer than one can be: Swift's comparison of text that is not
/// ASCII costs what its sender likes.
struct MethodTable: Sendable {
  private var methods: [ByteKey: MethodImplementation] = [:]
  private var interfaces: [ByteKey: InterfaceDescription] = [:]
  private(set) var order: [String] = []
  /// Those whose calls can be read straight from their text: the few that come all the time.
  private var readable: [MethodImplementation] = []

  /// The most bytes of an interface's name; a method's is a word more.
  private static let longest = 512

  /// - Parameters:
  ///   - longestText: bytes of a text in a call.
  ///   - kept: the parameters that stay with a call for as long as it is served.
  mutating func add(_ interface: InterfaceImplementation, longestText: Int, keeping kept: [String]) {
    let name = interface.description.name
    interfaces[ByteKey(name)] = interface.description
    order.append(name)
    for method in interface.description.methods.values {
      let method = MethodImplementation(method, of: interface, longestText: longestText, keeping: kept)
      methods[ByteKey(method.name)] = method
      if method.readsText { readable.append(method) }
    }
  }

  /// A call that is read straight from its text, without its parameters, and what serves it; nil for one that is to be read
  /// in the general way.
  func call(_ message: UnsafeBufferPointer<UInt8>) -> (call: Call, prepared: MethodImplementation.Prepared)? {
    for method in readable {
      if let prepared = method.read(message) { return (Call(method: method.name), prepared) }
    }
    return nil
  }

  /// The method that a call names.
  ///
  /// - Throws: ``Varlink/InterfaceNotFound``, ``Varlink/MethodNotFound``.
  func method(_ name: String) throws -> MethodImplementation {
    if name.utf8.count <= Self.longest, let method = methods[ByteKey(name)] { return method }
    guard Self.isName(name) else { throw MethodNotFound(method: Quoted(name).description) }
    let interface = InterfaceName.split(name)?.interface ?? name
    guard interfaces[ByteKey(interface)] != nil else { throw InterfaceNotFound(interface: interface) }
    throw MethodNotFound(method: name)
  }

  /// The interface of a name.
  ///
  /// - Throws: ``Varlink/InterfaceNotFound``.
  func interface(_ name: String) throws -> InterfaceDescription {
    guard Self.isName(name) else { throw InterfaceNotFound(interface: Quoted(name).description) }
    guard let interface = interfaces[ByteKey(name)] else { throw InterfaceNotFound(interface: name) }
    return interface
  }

  private static func isName(_ name: String) -> Bool {
    name.utf8.count <= longest && name.utf8.allSatisfy { $0 < 0x80 }
  }
}
