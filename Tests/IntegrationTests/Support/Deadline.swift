import Glibc
import Linux

/// Waiting that ends: a bug fails its test instead of hanging it.
struct Deadline {
  private let end: Int64

  /// What a test waits at most for something that happens at once, on a machine that is busy: one that has just built
  /// all of this may take half a minute to bring a file to disk.
  static var generous: Deadline { Deadline(seconds: 600) }

  init(seconds: Int64) { end = Self.now + seconds * 1000 }

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  var hasPassed: Bool { Self.now >= end }

  /// Waits until one of the descriptors is ready.
  ///
  /// - Returns: which of them are, in their order.
  @discardableResult
  func poll(_ descriptors: [CInt], _ events: CInt = POLLIN, for what: String) throws -> [Bool] {
    var requests = descriptors.map { pollfd(fd: $0, events: Int16(events), revents: 0) }
    let count = try retryingInterrupts("poll") {
      Glibc.poll(&requests, nfds_t(requests.count), CInt(clamping: max(0, end - Self.now)))
    }
    if count == 0 { throw Passed(what: what) }
    return requests.map { $0.revents != 0 }
  }

  /// It did not happen.
  struct Passed: Error, CustomStringConvertible {
    let what: String
    var description: String { "waited in vain for \(what)" }
  }
}

/// Whether a descriptor is ready now.
func isReady(_ descriptor: CInt, _ events: CInt = POLLIN) -> Bool {
  var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
  return Glibc.poll(&request, 1, 0) > 0
}
