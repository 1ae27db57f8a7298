internal import CSystemd
internal import Glibc
internal import Linux
internal import Synchronization

/// The jobs of the loop's actor: pushed by any thread, run by the loop's.
///
/// Only a push from another thread onto an empty queue costs a system call: one write(2) to an
/// eventfd(2) that the loop watches.
final class JobQueue: Sendable {
  private struct Entry {
    let job: UnownedJob
    /// Whether it is of no actor: what a task does between leaving one and coming back.
    let isOfTask: Bool
  }

  private let pending = Mutex<[Entry]>([])
  private let signal: WakeSignal

  init() {
    do {
      signal = try WakeSignal()
    } catch {
      fatalError("cannot create an event loop: \(error)")
    }
  }

  var isEmpty: Bool { pending.withLock { $0.isEmpty } }

  func push(_ job: UnownedJob, isOfTask: Bool = false, fromLoop: Bool) {
    let wasEmpty = pending.withLock { jobs in
      jobs.append(Entry(job: job, isOfTask: isOfTask))
      return jobs.count == 1
    }
    guard wasEmpty, !fromLoop else { return }
    signal.wake()
  }

  /// Runs what is queued now. What these jobs queue in turn waits until the sources had their turn.
  func drain(on loop: EventLoop) {
    let batch = pending.withLock { jobs -> [Entry] in
      // What is kept of an array that is given away would be made anew in each turn.
      guard !jobs.isEmpty else { return [] }
      defer { jobs.removeAll(keepingCapacity: true) }
      return jobs
    }
    guard !batch.isEmpty else { return }
    let (actor, tasks) = (loop.asUnownedSerialExecutor(), loop.tasks.asUnownedTaskExecutor())
    for entry in batch {
      if entry.isOfTask {
        entry.job.runSynchronously(on: tasks)
      } else {
        entry.job.runSynchronously(on: actor)
      }
    }
  }

  /// Makes `event` wake when another thread pushes.
  func wake(on event: OpaquePointer) {
    var source: OpaquePointer?
    let result = sd_event_add_io(
      event, &source, signal.descriptor, IOSource.Events.readable.rawValue, emptyEventfd, nil)
    precondition(result >= 0, "sd_event_add_io: \(result)")
    // It only wakes, and the jobs run in every turn: threads that push all the time must not keep those waiting
    // that are less urgent than a peer.
    sd_event_source_set_priority(source, Int64(SD_EVENT_PRIORITY_IDLE))
    sd_event_source_set_floating(source, 1)
    sd_event_source_unref(source)
  }
}

/// Reading resets the counter; the jobs themselves run between two iterations of the loop.
private func emptyEventfd(
  _: OpaquePointer?, descriptor: CInt, _: UInt32, _: UnsafeMutableRawPointer?
) -> CInt {
  var count: UInt64 = 0
  _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
  return 0
}
