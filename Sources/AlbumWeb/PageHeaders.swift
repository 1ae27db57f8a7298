/// What every answer says to the browser (S61).
package enum PageHeaders {
  /// Names in lower case, as HTTP has them.
  package static let all: [(name: String, value: String)] = [
    // Nothing of another address, no script or style in the page itself, in nobody's frame.
    (
      "content-security-policy",
      """
      default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; \
      manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'
      """
    ),
    ("x-frame-options", "DENY"), ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"), ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=()"), ("cache-control", "no-store"),
  ]

  /// The cookie of a session.
  package static func cookie(of session: Session, isSecure: Bool) -> String {
    cookie(session.cookie.text, age: Sessions.lifetime, isSecure: isSecure)
  }

  /// What takes the cookie away.
  package static func noCookie(isSecure: Bool) -> String { cookie("", age: 0, isSecure: isSecure) }

  private static func cookie(_ value: String, age: Int64, isSecure: Bool) -> String {
    let name = cookieName(isSecure: isSecure)
    return "\(name)=\(value); Path=/; Max-Age=\(age); HttpOnly; SameSite=Strict"
      + (isSecure ? "; Secure" : "")
  }

  /// With TLS, browsers see to it that no other host has set it (RFC 6265bis, section 4.1.3).
  package static func cookieName(isSecure: Bool) -> String { isSecure ? "__Host-albumd" : "albumd" }

  /// The session's cookie of a `Cookie` header, where it is in there once.
  package static func cookie(in header: String, isSecure: Bool) -> Secret? {
    let name = cookieName(isSecure: isSecure)
    let values = header.split(separator: ";").compactMap { pair -> Substring? in
      let pair = pair.drop { $0 == " " }
      guard let equals = pair.firstIndex(of: "="), pair[..<equals] == name else { return nil }
      return pair[pair.index(after: equals)...]
    }
    return values.count == 1 ? Secret(values[0]) : nil
  }
}
