/// Why nothing is known of a picture.
package enum PictureFailure: String, Error, Hashable, Sendable {
  /// It is of no format that is read here, or is cut off before it says anything.
  case unreadable
  /// Who read it crashed, hung or took too much memory, twice.
  case broke
  /// No process that reads pictures can be had at present.
  case unavailable
  /// Too many wait already.
  case busy
}

/// Who waits for a picture.
package enum PictureUrgency: Int, Hashable, Sendable, CaseIterable {
  /// Somebody looks at the place where it is to be.
  case shown
  /// Somebody will want it soon.
  case soon
  /// Nobody: it is done when nothing else is.
  case idle
}
