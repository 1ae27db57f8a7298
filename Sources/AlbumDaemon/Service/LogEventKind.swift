internal import EventLoop
internal import Logging

/// Kinds of log messages that have a name for good (`MESSAGE_ID`, systemd.journal-fields(7)).
enum LogEventKind: String {
  /// The daemon serves.
  case started = "8237b1b626294d87ab14ebbc5857c2fe"
  /// The daemon has ended.
  case stopped = "1f343cb643ed4a4e91b8f433c04d64be"
  /// The configuration was read again, or refused.
  case reloaded = "1a527dfac1e240f29bad275d48f10747"
  /// The library's state is another.
  case libraryState = "d52d068130e64c508ee2fe0c2905aba4"
  /// A peer broke the protocol, or has too much.
  case refusedPeer = "d04e582561e1441295a16856275b695b"
  /// An app's authorization is another.
  case authorizationChanged = "d1f64d06d87043619914ab992ee7d5d1"

  /// The metadata that carries the name, and more fields.
  func metadata(_ fields: Logger.Metadata = [:]) -> Logger.Metadata {
    fields.merging([JournalLogHandler.messageID: "\(rawValue)"]) { $1 }
  }
}
