import Glibc

/// To whom the user ids belong that a user may take besides the own one (subuid(5)): who has a range of them has no
/// more connections than who has none.
package struct SubordinateIDs: Hashable, Sendable {
  private struct Range: Hashable {
    let first: UInt32
    let last: UInt32
    let owner: UInt32
  }

  private var ranges: [Range] = []

  /// Nobody has any.
  package init() {}

  /// Reads lines such as `alice:100000:65536`. What cannot be read, and users who are not known, count for nothing.
  package init(_ text: String, user: (Substring) -> UInt32?) {
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: ":", omittingEmptySubsequences: false)
      guard fields.count == 3, let first = UInt32(fields[1]), let count = UInt32(fields[2]), count > 0,
        let owner = UInt32(fields[0]) ?? user(fields[0])
      else { continue }
      let (last, isTooMany) = first.addingReportingOverflow(count - 1)
      ranges.append(Range(first: first, last: isTooMany ? .max : last, owner: owner))
    }
    ranges.sort { $0.first < $1.first }
  }

  /// Those of the system. The database of users may be far away (nsswitch.conf(5)).
  package static func system(_ accounts: Accounts = .system) -> SubordinateIDs {
    guard let file = fopen("/etc/subuid", "re") else { return SubordinateIDs() }
    defer { fclose(file) }
    var text = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&text, 1, text.count, file)
    return SubordinateIDs(String(decoding: text[..<count], as: UTF8.self)) { name in
      (try? accounts.user(String(name))) ?? nil
    }
  }

  /// The user to whom an id was given; `nil` for one that is nobody's range.
  package func owner(of uid: UInt32) -> UInt32? {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].first <= uid { low = middle + 1 } else { high = middle }
    }
    // Of ranges that overlap, the one that begins last.
    guard low > 0, uid <= ranges[low - 1].last else { return nil }
    return ranges[low - 1].owner
  }
}
