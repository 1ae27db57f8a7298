/// How much time has surely passed, whatever the clock says: what was deleted rests for days that have passed, and not until
/// the clock says so (0145, race 34). Without IO.
///
/// While the daemon runs, time is what passes since the machine was started, which nobody sets. From one run to the next it is
/// what the clock says, at most a day, and only beyond the latest time that it has ever said: a clock that is ahead, once or at
/// each start, ends no day.
struct CountedDays: Equatable, Sendable {
  /// A while in which the clock went on as time did.
  struct Span: Equatable, Sendable {
    /// What the clock said when it began: seconds since 1970.
    let start: Int64
    /// How much time had passed by then, in seconds, since it was first counted.
    let passed: Int64
    /// Its seconds.
    var length: Int64 = 0

    fileprivate var end: Int64 { start + length }
    fileprivate var passedAtEnd: Int64 { passed + length }
    /// How much time had passed when the clock said that; nil where it did not in this span. The clock's seconds do not begin when
    /// those do that are counted: it may say one more.
    fileprivate func passed(at time: Int64) -> Int64? {
      let bounds = (start - CountedDays.tolerance)...(end + CountedDays.tolerance)
      return bounds ~= time ? passed + min(max(0, time - start), length + 1) : nil
    }
  }

  /// In the order of time; never empty.
  private(set) var spans: [Span]
  /// The latest time that the clock has ever said.
  private(set) var latest: Int64
  /// Microseconds since the machine was started, as of the last look.
  private var lastLook: UInt64

  /// The most that one absence counts for.
  static let mostAbsence: Int64 = 86_400
  /// By so many seconds the clock may go otherwise than time: it is slewed now and then (adjtimex(2)).
  static let tolerance: Int64 = 60
  /// More seconds than a daemon that ends by a crash may not have written down: it does so each hour.
  static let mostUnwritten: Int64 = 7200
  /// More spans than clocks are set within what is kept; the oldest are forgotten, which ends no day earlier.
  static let mostSpans = 1024

  /// Begins to count: what is older counts from now on.
  ///
  /// - Parameters:
  ///   - clock: seconds since 1970.
  ///   - sinceBoot: microseconds since the machine was started (CLOCK_BOOTTIME, clock_gettime(2)).
  init(clock: Int64, sinceBoot: UInt64) {
    spans = [Span(start: clock, passed: 0)]
    latest = clock
    lastLook = sinceBoot
  }

  /// Goes on from what was written down.
  ///
  /// - Returns: nil where that cannot be.
  init?(spans: [Span], latest: Int64, clock: Int64, sinceBoot: UInt64) {
    guard let last = spans.last, spans.count <= Self.mostSpans,
      spans.allSatisfy({ Self.times ~= $0.start && Self.times ~= $0.passed && Self.times ~= $0.length }),
      zip(spans, spans.dropFirst()).allSatisfy({ $0.passedAtEnd <= $1.passed }), Self.times ~= latest
    else { return nil }
    self.spans = spans
    self.latest = latest
    lastLook = sinceBoot
    let absence = min(max(0, clock - latest), Self.mostAbsence)
    goOn(at: clock, passed: last.passedAtEnd + absence, isAbsence: true)
  }

  /// Until far beyond any calendar's end, and such that no sum of two is too large.
  private static let times: ClosedRange<Int64> = 0...(1 << 40)

  /// What the clock says now, and how long the machine has been running.
  mutating func look(clock: Int64, sinceBoot: UInt64) {
    let elapsed = sinceBoot > lastLook ? (sinceBoot - lastLook) / 1_000_000 : 0
    lastLook += elapsed * 1_000_000
    goOn(at: clock, passed: spans[spans.count - 1].passedAtEnd + Int64(elapsed))
  }

  private mutating func goOn(at clock: Int64, passed: Int64, isAbsence: Bool = false) {
    let clock = min(max(clock, Self.times.lowerBound), Self.times.upperBound)
    latest = max(latest, clock)
    let last = spans[spans.count - 1]
    let length = passed - last.passed
    if abs(last.start + length - clock) <= Self.tolerance {
      spans[spans.count - 1].length = length
    } else {
      // Until then the clock may have gone on as before.
      if passed - last.passedAtEnd > 0, !isAbsence { spans[spans.count - 1].length = length }
      spans.append(Span(start: clock, passed: passed))
      if spans.count > Self.mostSpans { spans.removeFirst() }
    }
  }

  /// When so many seconds will have passed since a time that the clock said: by the clock as it goes now.
  ///
  /// - Parameter time: seconds since 1970. Of several times that the clock said the same, the last counts; what it has never
  ///   said counts from when it first said something later.
  func time(_ seconds: Int64, after time: Int64) -> Int64 {
    let last = spans[spans.count - 1]
    let passed =
      spans.reversed().lazy.compactMap { $0.passed(at: time) }.first
      ?? passedAfterUnseen(time)
    return last.start + passed + seconds - last.passed
  }

  /// Of a time that no span has, as what was not written down before a crash: what had passed when the next one began after the last
  /// that it may belong to.
  private func passedAfterUnseen(_ time: Int64) -> Int64 {
    // Said just before a crash: whatever the clock said at the start after it.
    let cut = spans.indices.dropLast().last {
      spans[$0].start...(spans[$0].end + Self.mostUnwritten) ~= time
    }
    if let cut { return spans[cut + 1].passed }
    guard let before = spans.lastIndex(where: { $0.start <= time }) else { return spans[0].passed }
    return before + 1 < spans.count ? spans[before + 1].passed : spans[before].passedAtEnd
  }
}
