/// The value whose language serves best; nil only when there are no values.
///
/// - Parameters:
///   - languages: those that somebody prefers, best first, as tags (`zh-Hans`) or locales (`zh_CN.UTF-8`). English
///     follows, then the first by tag.
///   - values: by language tag.
package func bestMatch<Value>(for languages: [String], among values: [String: Value]) -> Value? {
  let offered = values.keys.sorted().compactMap { key in LanguageTag(key).map { (key: key, tag: $0) } }
  for wanted in languages.lazy.compactMap(LanguageTag.init) + [LanguageTag("en")].compactMap({ $0 }) {
    var best: (key: String, points: Int)?
    for (key, tag) in offered {
      guard let points = tag.closeness(to: wanted) else { continue }
      if best.map({ points > $0.points }) ?? true { best = (key, points) }
    }
    if let best { return values[best.key] }
  }
  return values.keys.min().flatMap { values[$0] }
}
