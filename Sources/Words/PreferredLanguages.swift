internal import Glibc

/// The languages of a person, from the environment: locale(7).
package enum PreferredLanguages {
  /// Those of whoever started this process, best first.
  package static var ofProcess: [String] { tags { getenv($0).map { String(cString: $0) } } }

  /// The first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set decides. Where it names a language, those in
  /// `LANGUAGE` come before it, as in gettext(3).
  ///
  /// - Returns: tags such as `zh-CN`, best first; none for the C locale.
  package static func tags(environment: (String) -> String?) -> [String] {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty }
    guard let last = locale.flatMap(tag) else { return [] }
    var tags = (environment("LANGUAGE") ?? "").split(separator: ":").compactMap { tag(String($0)) }
    if !tags.contains(last) { tags.append(last) }
    return tags
  }

  /// `language[_territory][.codeset][@modifier]` as a tag.
  private static func tag(_ locale: String) -> String? {
    let name = locale.prefix { $0 != "." && $0 != "@" }
    guard name != "C", name != "POSIX" else { return nil }
    let isTag = name.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    return isTag && !name.isEmpty ? String(name.map { $0 == "_" ? "-" : $0 }) : nil
  }
}
