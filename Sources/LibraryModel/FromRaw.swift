/// What a photo takes on with RAW that has come beside it (S99): what people said of that, and since when the library had it.
struct FromRaw {
  var flags: AssetFlags = []
  /// 0 where that is not known.
  var arrived: Int64 = 0

  mutating func add(_ other: FromRaw) {
    flags.formUnion(other.flags)
    arrived = arrived.earlier(other.arrived)
  }
}

extension Asset {
  /// The same picture came when the first of its files did (S101).
  mutating func join(_ brought: FromRaw) {
    flags = flags.joined(with: brought.flags)
    arrived = arrived.earlier(brought.arrived)
  }
}

extension Int64 {
  /// The earlier of two times, each of which is 0 where it is not known.
  fileprivate func earlier(_ other: Int64) -> Int64 {
    self == 0 || other == 0 ? self | other : Swift.min(self, other)
  }
}
