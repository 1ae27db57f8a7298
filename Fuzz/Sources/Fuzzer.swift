import Glibc

/// What is tried with bytes of libFuzzer's: a parser of something that comes from outside, and what must hold of it
/// besides that it does not trap.
struct Fuzzer: Sendable {
  /// As the environment names it; its corpus is `Fuzz/corpus/NAME`.
  let name: String
  /// The most bytes that are tried.
  let longest: Int
  private let body: @Sendable (UnsafeBufferPointer<UInt8>) -> Void

  init(_ name: String, longest: Int, _ body: @escaping @Sendable (UnsafeBufferPointer<UInt8>) -> Void) {
    self.name = name
    self.longest = longest
    self.body = body
  }

  /// All.
  static let all =
    messageFuzzers + definitionFuzzers + identifierFuzzers + evidenceFuzzers + configurationFuzzers
    + libraryFuzzers + terminalFuzzers + pictureFuzzers

  /// Set once, before the first input; libFuzzer has one thread.
  nonisolated(unsafe) static var running: Fuzzer?

  /// Tries an input.
  func run(_ bytes: UnsafeBufferPointer<UInt8>) {
    let start = processorTime()
    body(bytes)
    // Ten times what sanitizers and a busy machine make of anything that is linear.
    let budget = 200_000_000 + bytes.count * 20_000
    expect(processorTime() - start < budget, "it takes no more time than its length allows")
  }
}

/// What must hold.
func expect(_ holds: @autoclosure () -> Bool, _ what: String) {
  if !holds() { fatalError("\(Fuzzer.running?.name ?? ""): does not hold: \(what)") }
}

/// Nanoseconds of this thread.
private func processorTime() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

extension UnsafeBufferPointer<UInt8> {
  /// As text; nil for what is not UTF-8.
  var text: String? { String(validating: self, as: UTF8.self) }
}

/// Takes an input apart.
struct Pieces {
  private var rest: Slice<UnsafeBufferPointer<UInt8>>

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    rest = bytes[...]
  }

  var isEmpty: Bool { rest.isEmpty }

  /// The next byte; 0 after the last.
  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// The next so many bytes, or those that are left.
  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// What is left.
  mutating func remaining() -> [UInt8] { bytes(rest.count) }

  /// The next eight bytes.
  mutating func number() -> UInt64 { bytes(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
