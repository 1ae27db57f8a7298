extension Duration {
  /// In whole microseconds.
  var microseconds: UInt64 {
    UInt64(components.seconds) * 1_000_000 + UInt64(components.attoseconds / 1_000_000_000_000)
  }
}
