internal import EventLoop
internal import Linux

/// Replies of a connection that wait to be sent, with descriptors that their caller may lose the right to meanwhile: a peer
/// that reads nothing decides itself for how long.
@EventLoopActor
struct HeldReplies {
  /// What is sent in place of a reply; nil as long as that may be sent.
  typealias Refusal = @EventLoopActor () -> [UInt8]?

  private var held: [(descriptors: DescriptorBatch, topics: Set<AnyHashable>, refusal: Refusal)] = []

  var isEmpty: Bool { held.isEmpty }

  /// What they depend on.
  var topics: Set<AnyHashable> { held.reduce(into: []) { $0.formUnion($1.topics) } }

  mutating func add(
    _ descriptors: DescriptorBatch, about topics: Set<AnyHashable>, _ refusal: @escaping Refusal
  ) {
    held.append((descriptors, topics, refusal))
  }

  /// Forgets those of which something was sent.
  mutating func keep(where isHeld: (DescriptorBatch) -> Bool) {
    held.removeAll { !isHeld($0.descriptors) }
  }

  /// Those that may be sent no more, with what is sent in their place.
  ///
  /// - Parameter topic: what has changed; nil for all.
  func refused(about topic: AnyHashable?) -> [(descriptors: DescriptorBatch, message: [UInt8])] {
    let those = held.filter { reply in topic.map { reply.topics.contains($0) } ?? true }
    return those.compactMap { reply in reply.refusal().map { (reply.descriptors, $0) } }
  }
}

/// The connections in which replies wait, by what these depend on: what is decided about one app has nobody else's looked at.
@EventLoopActor
struct HoldingConnections {
  private var all: [ObjectIdentifier: ServerConnection] = [:]
  private var byTopic: [AnyHashable: [ObjectIdentifier: ServerConnection]] = [:]

  var isEmpty: Bool { all.isEmpty && byTopic.isEmpty }

  mutating func add(_ connection: ServerConnection, about topics: Set<AnyHashable>) {
    all[ObjectIdentifier(connection)] = connection
    for topic in topics { byTopic[topic, default: [:]][ObjectIdentifier(connection)] = connection }
  }

  /// - Parameters:
  ///   - topics: those of replies that wait no more, and of no other reply of the connection.
  ///   - isLast: whether none waits any more.
  mutating func remove(_ connection: ServerConnection, about topics: Set<AnyHashable>, isLast: Bool) {
    let id = ObjectIdentifier(connection)
    for topic in topics {
      byTopic[topic]?[id] = nil
      if byTopic[topic]?.isEmpty == true { byTopic[topic] = nil }
    }
    if isLast { all[id] = nil }
  }

  /// - Parameter topic: what has changed; nil for all.
  func connections(about topic: AnyHashable?) -> [ServerConnection] {
    guard let topic else { return Array(all.values) }
    return (byTopic[topic]?.values).map { Array($0) } ?? []
  }
}
