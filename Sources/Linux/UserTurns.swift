/// What waits for users, who take turns: who has much to be done waits for it, and each other one for a single thing of it.
/// Of one user it is done in the order in which it came.
///
/// Compiled for what it is used with: who is told of a change is taken from here for each, and by a type that is known at run
/// time only that takes ten thousand instructions.
public struct UserTurns<Element> {
  @usableFromInline var waiting: [UInt32: FirstInFirstOut<Element>] = [:]
  /// The users of whom something waits, each once.
  @usableFromInline var turns = FirstInFirstOut<UInt32>()

  /// Nothing yet.
  @inlinable
  public init() {}

  /// Whether nothing waits.
  @inlinable
  public var isEmpty: Bool { turns.isEmpty }

  /// All that waits: each user's in its order.
  @inlinable
  public var all: [Element] { waiting.values.flatMap(\.all) }

  /// How much of this user waits.
  package func count(of user: UInt32) -> Int { waiting[user]?.all.count ?? 0 }

  /// Puts something behind what this user has there.
  @inlinable
  public mutating func append(_ element: Element, of user: UInt32) {
    if let place = waiting.index(forKey: user) {
      waiting.values[place].append(element)
    } else {
      turns.append(user)
      var first = FirstInFirstOut<Element>()
      first.append(element)
      waiting[user] = first
    }
  }

  /// Puts something before what this user has there: others have their turns before it as they would have had.
  package mutating func prepend(_ element: Element, of user: UInt32) {
    if waiting[user] == nil { turns.append(user) }
    waiting[user, default: .init()].prepend(element)
  }

  /// Takes what is to be done next.
  @inlinable
  public mutating func popFirst() -> Element? {
    guard let user = turns.popFirst(), let place = waiting.index(forKey: user) else { return nil }
    let element = waiting.values[place].popFirst()
    // Behind the others.
    if waiting.values[place].isEmpty { waiting.remove(at: place) } else { turns.append(user) }
    return element
  }
}
