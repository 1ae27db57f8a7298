internal import Glibc

/// The seeds of random histories.
public enum StormSeeds {
  /// The seeds that a variable asks for: `STORM_SEEDS=1000-1300`, or a single one; `nil` where it is not set.
  ///
  /// What is no seed ends the tests: they would pass without having run what was asked for.
  public static func given(by variable: String = "STORM_SEEDS") -> [UInt64]? {
    guard let text = getenv(variable).map({ String(cString: $0) }) else { return nil }
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { UInt64($0) }
    guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last else {
      fatalError("\(variable)=\(text) is neither a seed nor a range such as 1000-1300")
    }
    return Array(first...last)
  }

  /// The seeds that `STORM_SEEDS` asks for; without it these are taken.
  public static func chosen(else usual: [UInt64]) -> [UInt64] { given() ?? usual }
}
