/// The type of the fields that the hints say it is of.
public struct Year: Codable, Hashable, Sendable {
  /// Counted from the first.
  public var number: Int

  /// Reads it.
  public init(from decoder: any Decoder) throws {
    number = try Int(decoder.singleValueContainer().decode(String.self)) ?? 0
  }

  /// Writes it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(String(number))
  }
}
