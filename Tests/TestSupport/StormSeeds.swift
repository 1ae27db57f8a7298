internal import Glibc

/// The seeds of random histories.
public enum StormSeeds {
  /// `STORM_SEEDS=1000-1300` asks for those seeds; without it these are taken.
  public static func chosen(else usual: [UInt64]) -> [UInt64] {
    guard let range = getenv("STORM_SEEDS").map({ String(cString: $0) })?.split(separator: "-"),
      let first = range.first.flatMap({ UInt64($0) }), let last = range.last.flatMap({ UInt64($0) }),
      first <= last
    else { return usual }
    return Array(first...last)
  }
}
