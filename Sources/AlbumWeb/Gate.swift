/// Decides about a request before anything else looks at it (S61).
package struct Gate: Hashable, Sendable {
  /// What is looked at of a request.
  package struct Facts: Hashable, Sendable {
    /// `GET`, `POST` and so on.
    package let method: String
    /// The path, without what follows a question mark.
    package let path: String
    /// Every `Host` (HTTP/1.1) of it.
    package let hosts: [String]
    /// Its `Origin`, where there is one.
    package let origin: String?
    /// Its `Sec-Fetch-Site`, where there is one.
    package let site: String?
    /// What is known of the request, before its body is read.
    package init(method: String, path: String, hosts: [String], origin: String?, site: String?) {
      self.method = method
      self.path = path
      self.hosts = hosts
      self.origin = origin
      self.site = site
    }
  }

  /// What becomes of a request.
  package enum Verdict: Hashable, Sendable {
    /// It is answered.
    case pass
    /// It is refused, with a status of HTTP, for a reason that goes into the log.
    case refuse(Int, String)
  }

  private let names: SiteNames

  /// A gate of the page that has these names.
  package init(names: SiteNames) { self.names = names }

  /// Whether it may be answered at all, whoever sends it.
  ///
  /// - Parameter session: whose request it is, by its cookie.
  package func verdict(on facts: Facts, session: Session?) -> Verdict {
    guard names.isHost(facts.hosts) else { return .refuse(421, "not the name of this page") }
    guard ["GET", "HEAD", "POST"].contains(facts.method) else { return .refuse(405, "no such method") }
    // The way in is used up by being taken, which a look ahead must not do (RFC 9110, 9.2.1: HEAD is safe).
    if facts.path == "/enter", facts.method == "HEAD" { return .refuse(405, "not by HEAD") }
    // What a browser says itself of where a request comes from (Fetch Metadata): no page can. Old ones say nothing, and
    // then an Origin has to do, which is "null" in a form of a page that tells no referrer, as ours.
    let isOurs = facts.site == "same-origin"
    if let origin = facts.origin, !names.isOrigin(origin), !(origin == "null" && isOurs) {
      return .refuse(403, "from another page")
    }
    if facts.method == "POST", !isOurs {
      guard facts.site == nil else { return .refuse(403, "from another site") }
      guard facts.origin != nil else { return .refuse(403, "does not say from where") }
    }
    // Another port of this computer is another's, and gets the cookies of this one.
    if facts.site == "same-site" { return .refuse(403, "from another port or name") }
    if Self.isForEverybody(facts.path) { return .pass }
    return session == nil ? .refuse(401, "without a session") : .pass
  }

  /// Whether a request that changes something comes from the page that this session was shown.
  ///
  /// - Parameter token: what came with it.
  package static func isFrom(_ session: Session, token: String?) -> Bool {
    token.flatMap { Secret($0) }.map { $0.isSame(as: session.token) } ?? false
  }

  /// What is there without a session: the way in, and what the page is drawn with. Nothing that is anybody's.
  private static func isForEverybody(_ path: String) -> Bool {
    path == "/enter" || path == "/favicon.ico" || path.hasPrefix("/static/")
  }
}
