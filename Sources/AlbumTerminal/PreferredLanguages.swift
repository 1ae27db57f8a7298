/// The languages of the person at a terminal, from the environment: locale(7).
public enum PreferredLanguages {
  /// The first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set decides.
  ///
  /// - Returns: tags such as `zh-CN`; none for the C locale.
  public static func tags(environment: (String) -> String?) -> [String] {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty }
    // language[_territory][.codeset][@modifier]
    guard let name = locale?.prefix(while: { $0 != "." && $0 != "@" }), name != "C", name != "POSIX" else {
      return []
    }
    let isTag = name.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    return isTag && !name.isEmpty ? [String(name.map { $0 == "_" ? "-" : $0 })] : []
  }
}
