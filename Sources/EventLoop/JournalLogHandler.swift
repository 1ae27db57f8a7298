internal import CSystemd
internal import Glibc
internal import Linux
public import Logging

/// Log messages for systemd's journal: with structured fields where standard error is the journal, else as
/// lines for a person on standard error.
///
/// Metadata becomes fields: `appId` is `ALBUMD_APP_ID`. The key ``messageID`` becomes `MESSAGE_ID`, which
/// names the kind of event for good (journalctl --catalog).
public struct JournalLogHandler: LogHandler {
  /// The metadata key whose value is a 128-bit id in hexadecimal digits.
  public static let messageID = "messageID"

  /// What is logged at least.
  public var logLevel: Logger.Level = .info
  /// Fields of every message.
  public var metadata: Logger.Metadata = [:]

  private let isJournal = Self.standardErrorIsJournal()

  /// A handler; the label of its logger is not used, since the journal knows the unit.
  public init() {}

  /// A field of every message.
  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Writes one message.
  public func log(event: LogEvent) {
    let fields = metadata.merging(event.metadata ?? [:]) { $1 }
    if isJournal {
      send(event, fields)
    } else {
      StandardStream.error.write(line(event, fields))
    }
  }

  private func send(_ event: LogEvent, _ metadata: Logger.Metadata) {
    var fields = [
      "MESSAGE=\(event.message)", "PRIORITY=\(priority(event.level))", "SYSLOG_IDENTIFIER=albumd",
      "CODE_FILE=\(event.file)", "CODE_LINE=\(event.line)", "CODE_FUNC=\(event.function)",
    ]
    for (key, value) in metadata {
      fields.append((key == Self.messageID ? "MESSAGE_ID" : "ALBUMD_" + Self.fieldName(key)) + "=\(value)")
    }
    withVectors(fields) { sd_journal_sendv($0, CInt($1)) }
  }

  private func withVectors(_ fields: [String], _ body: (UnsafePointer<iovec>?, Int) -> Void) {
    let bytes = fields.map { Array($0.utf8) }
    var flat: [UInt8] = []
    for field in bytes { flat.append(contentsOf: field) }
    flat.withUnsafeMutableBytes { buffer in
      var offset = 0
      let vectors = bytes.map { field in
        defer { offset += field.count }
        return iovec(iov_base: buffer.baseAddress?.advanced(by: offset), iov_len: field.count)
      }
      vectors.withUnsafeBufferPointer { body($0.baseAddress, $0.count) }
    }
  }

  private func line(_ event: LogEvent, _ metadata: Logger.Metadata) -> String {
    var fields = ""
    for (key, value) in metadata.sorted(by: { $0.key < $1.key }) where key != Self.messageID {
      fields += " \(key)=\(value)"
    }
    let text = Self.oneLine("\(event.message)\(fields)")
    return (event.level >= .warning ? "\(event.level): " : "") + text + "\n"
  }

  /// The text as a terminal may show it: names from peers are in it, and must not move its cursor or turn the
  /// direction of writing (CVE-2021-42574).
  static func oneLine(_ text: String) -> String {
    var line = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case _ where scalar == "\n" || scalar == "\r": line += " "
      // These join emoji and letters of several scripts.
      case _ where scalar == "\u{200C}" || scalar == "\u{200D}": line.unicodeScalars.append(scalar)
      case .control, .format, .lineSeparator, .paragraphSeparator:
        line += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: line.unicodeScalars.append(scalar)
      }
    }
    return line
  }

  /// syslog(3)'s numbers.
  private func priority(_ level: Logger.Level) -> Int {
    switch level {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }

  /// `appId` → `APP_ID`.
  static func fieldName(_ key: String) -> String {
    var name = ""
    var wasLower = false
    for character in key {
      if character.isUppercase && wasLower { name += "_" }
      wasLower = character.isLowercase
      name += character.isLetter || character.isNumber ? character.uppercased() : "_"
    }
    return name
  }

  /// Whether `$JOURNAL_STREAM` names the device and inode of standard error (systemd.exec(5)).
  private static func standardErrorIsJournal() -> Bool {
    guard let stream = getenv("JOURNAL_STREAM") else { return false }
    var status = stat()
    guard fstat(STDERR_FILENO, &status) == 0 else { return false }
    return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }
}
