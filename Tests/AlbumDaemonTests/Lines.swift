import Logging
import Synchronization

/// Keeps what is logged.
final class Lines: LogHandler {
  let told = Mutex<[String]>([])

  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }
  var logLevel: Logger.Level {
    get { .trace }
    set {}
  }
  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) {
    let fields = ["appId", "uid"].map { event.metadata?[$0].map { "\($0)" } ?? "" }
    told.withLock { $0.append("\(event.level) \(event.message) \(fields[0]) \(fields[1])") }
  }
}
