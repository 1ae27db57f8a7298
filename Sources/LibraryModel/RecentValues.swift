/// Values by key, of which old ones are forgotten: at least the last `capacity` that were set are known, and no more
/// than twice as many kept.
struct RecentValues<Key: Hashable, Value> {
  private let capacity: Int
  private var young: [Key: Value] = [:]
  private var old: [Key: Value] = [:]

  init(capacity: Int) { self.capacity = capacity }

  subscript(key: Key) -> Value? {
    get { young[key] ?? old[key] }
    set {
      old[key] = nil
      if young.count >= capacity, young[key] == nil { (old, young) = (young, [:]) }
      young[key] = newValue
    }
  }
}
