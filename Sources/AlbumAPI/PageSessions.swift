/// Which browsers may open the owner's page, as albumweb tells `albumctl page --sessions` at a socket of its own (S60,
/// S61): the answer to ``PageRequest``, one JSON object.
package struct PageSessions: Codable, Hashable, Sendable {
  /// One of them. Nothing in it lets anybody in.
  package struct Session: Codable, Hashable, Sendable {
    /// A name for it, to end it by.
    package let name: String
    /// What the browser calls itself (RFC 9110, section 10.1.5), and what people call it.
    package let browser, title: String
    /// When it was let in, when it was last there (to the hour), and when it ends by itself.
    package let began, seen, ends: Instant

    package init(name: String, browser: String, title: String, began: Instant, seen: Instant, ends: Instant) {
      self.name = name
      self.browser = browser
      self.title = title
      self.began = began
      self.seen = seen
      self.ends = ends
    }
  }

  /// Those that are, or one that has been ended: the one that was let in last comes first.
  package let sessions: [Session]

  package init(sessions: [Session]) { self.sessions = sessions }
}

/// What is asked of albumweb about sessions: a line.
package enum PageRequest: Hashable, Sendable {
  /// All of them.
  case list
  /// To end the one of that name: the answer has it, or none where there is none.
  case end(String)

  /// The longest line that is one, in bytes.
  package static let byteLimit = 64

  /// - Returns: nil for what is no request.
  package init?(_ line: some StringProtocol) {
    if line == "list" {
      self = .list
    } else if line.hasPrefix("end "), line.utf8.count < Self.byteLimit {
      self = .end(String(line.dropFirst(4)))
    } else {
      return nil
    }
  }

  /// The line, without its end.
  package var line: String {
    switch self {
    case .list: "list"
    case .end(let name): "end \(name)"
    }
  }
}
