internal import CNotifications
internal import Glibc
package import Linux
internal import Synchronization

/// The desktop's notifications (org.freedesktop.Notifications): one is shown at a time, and goes when it is not wanted
/// any more.
///
/// A thread of its own waits for the bus and for ``show(_:)``. When the bus has gone, so have notifications.
package final class Notifications: Sendable {
  /// What comes of them.
  package enum News: Sendable {
    /// Whether there is somebody who shows notifications that can be answered.
    case available(Bool)
    /// A person has chosen the action.
    case chosen
  }

  private let address: String
  private let tell: @Sendable (News) -> Void
  private let wanted = Mutex<Notice?>(nil)
  private let signal: WakeSignal

  /// - Parameters:
  ///   - address: of the session's bus.
  ///   - tell: called on a thread of this.
  package init(address: String, _ tell: @escaping @Sendable (News) -> Void) throws(SystemError) {
    self.address = address
    self.tell = tell
    signal = try WakeSignal()
  }

  /// Begins.
  package func start() { ThreadReserve.shared.run { [self] in work() } }

  /// Shows this, or nothing, in place of what is shown. Waits for nothing.
  package func show(_ notice: Notice?) {
    wanted.withLock { $0 = notice }
    signal.wake()
  }

  private func work() {
    var connection = notifications()
    guard notifications_open(&connection, address) >= 0 else { return }
    defer { notifications_end(&connection) }
    var display = Display()
    look(&connection, &display)
    while takeNews(&connection, &display) {
      bring(&connection, &display)
      guard notifications_wait(&connection, signal.descriptor) >= 0 else { break }
      signal.acknowledge()
    }
    tell(.available(false))
  }

  /// What is shown, and who shows it.
  private struct Display {
    var hasActions = false
    var readsMarkup = false
    /// Was shown last; it may be gone.
    var notice: Notice?
    /// As what it is shown; 0 when it is not any more.
    var number: UInt32 = 0
  }

  private func look(_ connection: inout notifications, _ display: inout Display) {
    display = Display()
    _ = notifications_look(&connection, &display.hasActions, &display.readsMarkup)
    tell(.available(display.hasActions))
  }

  /// - Returns: whether the bus is still there.
  private func takeNews(_ connection: inout notifications, _ display: inout Display) -> Bool {
    var news = notifications_news()
    while true {
      let result = notifications_next(&connection, &news)
      guard result > 0 else { return result == 0 }
      switch news.kind {
      case NOTIFICATIONS_SERVER: look(&connection, &display)
      case NOTIFICATIONS_CHOSEN where news.number == display.number && display.number != 0: tell(.chosen)
      // Put away by the person, who is not shown it again.
      case NOTIFICATIONS_GONE where news.number == display.number: display.number = 0
      default: break
      }
    }
  }

  /// Brings to the desktop what is wanted now.
  private func bring(_ connection: inout notifications, _ display: inout Display) {
    let wanted = wanted.withLock { $0 }
    guard display.hasActions, wanted != display.notice else { return }
    display.notice = wanted
    guard let wanted else {
      if display.number != 0 { _ = notifications_close(&connection, display.number) }
      display.number = 0
      return
    }
    let body = display.readsMarkup ? Notice.escape(wanted.body) : wanted.body
    var number: UInt32 = 0
    let result = notifications_show(
      &connection, display.number, wanted.summary, body, wanted.action, &number)
    display.number = result < 0 ? 0 : number
  }
}
