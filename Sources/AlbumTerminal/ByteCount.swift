/// A size as a person reads it: three digits, in powers of 1024.
package struct ByteCount: CustomStringConvertible {
  private let bytes: Int64

  /// A size to show.
  package init(_ bytes: Int64) {
    self.bytes = bytes
  }

  /// Such as `812`, `3.4 KiB`, `120 MiB`.
  package var description: String {
    guard bytes >= 1024 else { return "\(bytes)" }
    var value = Double(bytes)
    var unit = ""
    for next in ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] where value >= 999.5 || unit.isEmpty {
      value /= 1024
      unit = next
    }
    let tenths = (value * 10).rounded()
    return tenths < 100 ? "\(tenths / 10) \(unit)" : "\(Int(value.rounded())) \(unit)"
  }
}
