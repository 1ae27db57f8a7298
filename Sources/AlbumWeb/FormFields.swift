/// The fields of a form or of an address's query: application/x-www-form-urlencoded (URL Standard).
package struct FormFields: Hashable, Sendable {
  /// The most fields that are read: a selection has one for each photo.
  static let limit = 100_100

  private var values: [String: [String]] = [:]

  /// Reads a body or query. What is not UTF-8, or too much, is left out.
  package init(_ text: some Sequence<UInt8>) {
    var count = 0
    var name: [UInt8] = []
    var value: [UInt8] = []
    var isValue = false
    func add(_ name: [UInt8], _ value: [UInt8], to values: inout [String: [String]]) {
      guard !name.isEmpty, count < Self.limit, let name = String(validating: name, as: UTF8.self),
        let value = String(validating: value, as: UTF8.self)
      else { return }
      count += 1
      values[name, default: []].append(value)
    }
    let bytes = Array(text)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "&"):
        add(name, value, to: &values)
        (name, value, isValue) = ([], [], false)
      case UInt8(ascii: "=") where !isValue: isValue = true
      default:
        let plain: UInt8
        if byte == UInt8(ascii: "+") {
          plain = UInt8(ascii: " ")
        } else if byte == UInt8(ascii: "%"), index + 1 < bytes.count, let high = Self.digit(bytes[index]),
          let low = Self.digit(bytes[index + 1])
        {
          plain = high << 4 | low
          index += 2
        } else {
          plain = byte
        }
        if isValue { value.append(plain) } else { name.append(plain) }
      }
    }
    add(name, value, to: &values)
  }

  /// The one value of a field; nil where there is none, or where it was left empty.
  package subscript(name: String) -> String? {
    values[name]?.first.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// All values of a field, in their order.
  package func all(_ name: String) -> [String] { values[name]?.filter { !$0.isEmpty } ?? [] }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
