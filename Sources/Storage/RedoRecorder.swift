/// Writes down what the statements of a batch do, so that another process can do it again.
///
/// A batch is a sequence of entries: what a code stands for (0, code, length of the SQL, SQL), and a run
/// (1, code, number of values, values). A value is its index, its type, and what it is.
final class RedoRecorder {
  /// The type of a value.
  enum ValueType: UInt8 {
    case null = 0
    case integer, blob, text, real
  }

  /// A batch longer than this is committed at once: a commit costs less than so long a record.
  static let limit = 1 << 16

  /// Whether a batch is open: outside of one nothing may be written.
  private(set) var isOpen = false
  /// Whether statements are written down.
  private(set) var isOn = false
  /// Whether what the batch writes is in a transaction, and nowhere else.
  private(set) var isInTransaction = false
  /// The entries of the present batch.
  private(set) var entries: [UInt8] = []
  /// A code is good for as long as the log is not begun anew.
  private(set) var generation = 0
  private var codes: UInt8 = 0

  /// Whether the batch is too long to be written down.
  var isOverLimit: Bool { entries.count > RedoRecorder.limit }

  /// Begins a batch, or what does one again.
  ///
  /// - Parameter isInTransaction: whether a transaction is open for it.
  func begin(isOn: Bool, isInTransaction: Bool = false) {
    isOpen = true
    self.isOn = isOn
    self.isInTransaction = isInTransaction
    entries.removeAll(keepingCapacity: true)
  }

  /// Ends a batch: what comes next is in none.
  func end() {
    isOpen = false
    isOn = false
    isInTransaction = false
  }

  /// The log begins anew, or what was written of the batch is not kept.
  func forgetCodes() {
    generation += 1
    codes = 0
  }

  /// What stands for a statement, as long as its generation lasts.
  struct Code {
    let generation: Int
    let value: UInt8
  }

  /// A statement was run, or will be.
  ///
  /// - Parameter code: what stood for it last.
  func note(_ sql: String, _ values: RedoValues, as code: inout Code?) {
    if code?.generation != generation {
      code = define(sql).map { Code(generation: generation, value: $0) }
    }
    if let code { run(code.value, values) } else { giveUp() }
  }

  /// A new code for a statement; nil if there are too many.
  func define(_ sql: String) -> UInt8? {
    guard codes < .max else { return nil }
    defer { codes += 1 }
    entries.append(0)
    entries.append(codes)
    entries.append(littleEndian: UInt32(sql.utf8.count))
    entries += sql.utf8
    return codes
  }

  /// A statement was run.
  func run(_ code: UInt8, _ values: RedoValues) {
    entries.append(contentsOf: values.entry(code))
  }

  /// A statement was run that could not be written down: the batch must be committed at once.
  func giveUp() {
    entries = [UInt8](repeating: 0, count: RedoRecorder.limit + 1)
  }
}

/// Reads what ``RedoRecorder`` wrote; nil for what is cut off.
struct RedoReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  /// A value of a statement.
  enum Value {
    case null
    case integer(Int64)
    case blob([UInt8])
    case text(String)
    case real(Double)
  }

  /// The entries of a batch, to its end.
  ///
  /// - Returns: `nil` when it ends with something else, or runs what was never defined.
  static func entries(of batch: ArraySlice<UInt8>, defined: inout Set<UInt8>) -> [Entry]? {
    var reader = RedoReader(batch)
    var entries: [Entry] = []
    while !reader.rest.isEmpty {
      guard let entry = reader.entry() else { return nil }
      switch entry {
      case .definition(let code, _): defined.insert(code)
      case .run(let code, _): guard defined.contains(code) else { return nil }
      }
      entries.append(entry)
    }
    return entries
  }

  /// What ``RedoRecorder`` wrote down.
  enum Entry {
    case definition(UInt8, sql: String)
    case run(UInt8, values: [(index: UInt8, value: Value)])
  }

  private mutating func entry() -> Entry? {
    guard let kind = byte(), let code = byte() else { return nil }
    if kind == 0 { return text().map { .definition(code, sql: $0) } }
    guard kind == 1, let count = byte() else { return nil }
    var values: [(index: UInt8, value: Value)] = []
    for _ in 0..<count {
      guard let index = byte(), let value = value() else { return nil }
      values.append((index, value))
    }
    return .run(code, values: values)
  }

  private mutating func value() -> Value? {
    switch byte().flatMap(RedoRecorder.ValueType.init) {
    case .null: .null
    case .integer: integer(Int64.self).map(Value.integer)
    case .blob: integer(UInt32.self).flatMap { bytes(Int($0)) }.map { .blob(Array($0)) }
    case .text: text().map(Value.text)
    case .real: integer(UInt64.self).map { .real(Double(bitPattern: $0)) }
    case nil: nil
    }
  }

  private mutating func text() -> String? {
    integer(UInt32.self).flatMap { bytes(Int($0)) }.map { String(decoding: $0, as: UTF8.self) }
  }

  private mutating func byte() -> UInt8? { rest.popFirst() }

  mutating func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
    bytes(MemoryLayout<Integer>.size)?.withUnsafeBytes {
      Integer(littleEndian: $0.loadUnaligned(as: Integer.self))
    }
  }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}

extension [UInt8] {
  mutating func append<Integer: FixedWidthInteger>(littleEndian value: Integer) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }
}
