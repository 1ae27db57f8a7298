/// For whom a request is meant, by its first line (RFC 9112, section 3.2).
package enum RequestTarget {
  /// All names to which a request has been sent. A target that is a whole address names one as well, which takes the place of
  /// `Host`: where the two are not the same there are two of them, and so none that is believed (``SiteNames/isHost(_:)``).
  ///
  /// - Parameters:
  ///   - target: as it stands in the first line: usually a path.
  ///   - hosts: every `Host` of the request.
  package static func hosts(of target: String, _ hosts: [String]) -> [String] {
    guard !target.utf8.starts(with: "/".utf8), let host = hosts.first else { return hosts }
    let named = authority(of: target)
    if hosts.count == 1, let named, named.lowercased() == host.lowercased() { return hosts }
    return hosts + [named ?? ""]
  }

  /// Whom a whole address names; nil for what is none of the page's kind.
  private static func authority(of target: String) -> String? {
    for scheme in ["http://", "https://"] where target.prefix(scheme.count).lowercased() == scheme {
      return String(target.dropFirst(scheme.count).prefix { !"/?#\\".contains($0) })
    }
    return nil
  }
}
