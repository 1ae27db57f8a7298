internal import Glibc
internal import Linux
internal import Logging

/// ``CountedDays`` on disk: a few lines of text, `counted-days` in the state directory, replaced as a whole.
struct CountedDaysFile: Sendable {
  private let directory: String
  private static let name = "counted-days"
  private static let first = "albumd counted days 1"

  init(directory: String) { self.directory = directory }

  /// What was written down: nil where nothing was, or where it cannot be understood. Then days are counted anew, and what
  /// rests does so for longer.
  func read() -> (spans: [CountedDays.Span], latest: Int64)? {
    let descriptor = open("\(directory)/\(Self.name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    let file = OwnedDescriptor(owning: descriptor)
    guard let text = SmallFile.text(of: file.number, limit: 1 << 18) else { return nil }
    return Self.parse(text)
  }

  /// Writes it down: on disk when this returns.
  ///
  /// - Throws: ENOSPC and what else writing may fail with; then what was written before is still there.
  func write(_ days: CountedDays) throws(SystemError) {
    let path = "\(directory)/\(Self.name)"
    let new = "\(path).next"
    let file = try OwnedDescriptor(
      open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600), call: "open", subject: new)
    let bytes = Array(Self.text(of: days).utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(file.number, $0.baseAddress, $0.count) }
      guard count >= 0 || errno == EINTR else { throw SystemError("write", subject: new) }
      written += max(0, count)
    }
    guard fsync(file.number) == 0 else { throw SystemError("fsync", subject: new) }
    guard rename(new, path) == 0 else { throw SystemError("rename", subject: path) }
    let place = try OwnedDescriptor(
      open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC), call: "open", subject: directory)
    guard fsync(place.number) == 0 else { throw SystemError("fsync", subject: directory) }
  }

  static func text(of days: CountedDays) -> String {
    let spans = days.spans.map { "span \($0.start) \($0.passed) \($0.length)\n" }.joined()
    return "\(first)\nlatest \(days.latest)\n\(spans)end\n"
  }

  /// Nil for what is no such text, or not all of one.
  static func parse(_ text: String) -> (spans: [CountedDays.Span], latest: Int64)? {
    var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { Substring($0) }[...]
    guard lines.popFirst() == first[...], lines.popLast() == "", lines.popLast() == "end",
      let latest = lines.popFirst().flatMap({ numbers($0, "latest", 1) })?[0]
    else { return nil }
    var spans: [CountedDays.Span] = []
    for line in lines {
      guard let numbers = numbers(line, "span", 3) else { return nil }
      spans.append(.init(start: numbers[0], passed: numbers[1], length: numbers[2]))
    }
    return (spans, latest)
  }

  private static func numbers(_ line: Substring, _ word: Substring, _ count: Int) -> [Int64]? {
    let parts = line.split(separator: " ", omittingEmptySubsequences: false)
    let numbers = parts.dropFirst().compactMap { Int64($0) }
    return parts.first == word && numbers.count == count && parts.count == count + 1 ? numbers : nil
  }
}
