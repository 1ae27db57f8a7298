/// What a person calls a browser, of what it calls itself (RFC 9110, section 10.1.5): nobody finds theirs by the other.
package struct BrowserName: CustomStringConvertible {
  /// Such as `Firefox · Linux`; all that it calls itself where that is none that is known.
  package let description: String

  // Each claims to be those after it as well.
  private static let browsers = [
    ("Edg", "Edge"), ("OPR", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("HeadlessChrome", "Chrome"), ("Chrome", "Chrome"),
    ("Epiphany", "GNOME Web"), ("Safari", "Safari"),
  ]
  private static let systems = [
    ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
    ("Macintosh", "Mac"), ("CrOS", "ChromeOS"), ("Linux", "Linux"),
  ]

  package init(_ text: String) {
    func find(_ names: [(sign: String, name: String)]) -> String? {
      names.first { text.contains($0.sign) }?.name
    }
    guard let browser = find(Self.browsers) else {
      description = text
      return
    }
    description = [browser, find(Self.systems)].compactMap(\.self).joined(separator: " · ")
  }
}
