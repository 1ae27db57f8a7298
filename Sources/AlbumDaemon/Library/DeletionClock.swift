internal import EventLoop
internal import Linux
internal import Logging

/// The time, and a bell, for what is done some days after a deletion; a test brings its own days.
@EventLoopActor
protocol DeletionClock: AnyObject {
  /// Seconds since 1970.
  var now: Int64 { get }
  /// When so many seconds have passed since a time that the clock said: seconds since 1970, by the clock as it goes now
  /// (0145).
  func time(_ seconds: Int64, after time: Int64) -> Int64
  /// Does not ring any more, and writes down how much time has passed: for the end of the daemon.
  func end()
  /// Whether it is going to ring.
  var isWaiting: Bool { get }
  /// Rings once, so much later and never before this returns; what it was to ring for before is forgotten.
  func wait(seconds: Int64, _ ring: @escaping @EventLoopActor () -> Void)
  /// Does not ring any more.
  func stopWaiting()
}

/// The system's clock, whose days are counted, and a timer of the loop. Days have a minute to spare.
@EventLoopActor
final class SystemDeletionClock: DeletionClock {
  private var ring: @EventLoopActor () -> Void = {}
  private lazy var timer = Timer { [unowned self] in ring() }

  private let file: CountedDaysFile
  private var days: CountedDays
  private let log: Logger
  /// For what waits for the disk.
  private let thread = SerialThread()
  private lazy var saving = Timer { [unowned self] in save() }

  /// How often it is written down how much time has passed, in seconds: so much of it may not count after a crash.
  private static let interval: Int64 = 3600

  /// - Parameter directory: where it is written down how much time has passed.
  init(directory: String, log: Logger) {
    file = CountedDaysFile(directory: directory)
    self.log = log
    let (now, sinceBoot) = (RealTime.seconds, Clock.sinceBoot)
    let known = file.read().flatMap {
      CountedDays(spans: $0.spans, latest: $0.latest, clock: now, sinceBoot: sinceBoot)
    }
    days = known ?? CountedDays(clock: now, sinceBoot: sinceBoot)
    // That an absence has counted is known before it counts once more.
    save()
  }

  /// How the clock goes is known of every time that it is asked for.
  var now: Int64 {
    look()
    return RealTime.seconds
  }

  func time(_ seconds: Int64, after time: Int64) -> Int64 {
    look()
    return days.time(seconds, after: time)
  }

  private func save() {
    look()
    saving.arm(after: .seconds(Self.interval), accuracy: .seconds(Self.interval / 10))
    let (file, days, log) = (file, days, log)
    thread.async {
      do { try file.write(days) } catch {
        log.warning(
          "How much time has passed could not be written down; what was deleted rests for longer: \(error)")
      }
    }
  }

  func end() {
    stopWaiting()
    save()
    saving.disarm()
    thread.finish()
  }

  private func look() { days.look(clock: RealTime.seconds, sinceBoot: Clock.sinceBoot) }

  var isWaiting: Bool { timer.isArmed }

  func wait(seconds: Int64, _ ring: @escaping @EventLoopActor () -> Void) {
    self.ring = ring
    timer.arm(after: .seconds(seconds), accuracy: .seconds(min(60, max(1, seconds / 10))))
  }

  func stopWaiting() { timer.disarm() }
}
