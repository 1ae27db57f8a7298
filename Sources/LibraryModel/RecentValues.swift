/// Values by key, of which old ones are forgotten: at least the last `capacity` that were set are known, and no more
/// than twice as many kept.
struct RecentValues<Key: Hashable, Value> {
  private let capacity: Int
  private var young: [Key: Value] = [:]
  private var old: [Key: Value] = [:]

  init(capacity: Int) { self.capacity = capacity }

  /// Sets a value.
  ///
  /// - Returns: what it was.
  mutating func update(_ key: Key, to value: Value) -> Value? {
    if young.count >= capacity, young[key] == nil {
      let former = old.removeValue(forKey: key)
      (old, young) = (young, [key: value])
      return former
    }
    if let former = young.updateValue(value, forKey: key) { return former }
    return old.isEmpty ? nil : old.removeValue(forKey: key)
  }

  subscript(key: Key) -> Value? {
    get { young[key] ?? old[key] }
    set {
      if !old.isEmpty { old[key] = nil }
      if young.count >= capacity, young[key] == nil { (old, young) = (young, [:]) }
      young[key] = newValue
    }
  }
}
