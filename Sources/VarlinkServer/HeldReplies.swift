internal import EventLoop
internal import Linux

/// Replies of a connection that wait to be sent, with descriptors that their caller may lose the right to meanwhile: a peer
/// that reads nothing decides itself for how long.
@EventLoopActor
struct HeldReplies {
  /// What is sent in place of a reply; nil as long as that may be sent.
  typealias Refusal = @EventLoopActor () -> [UInt8]?

  private var held: [(descriptors: DescriptorBatch, refusal: Refusal)] = []

  var isEmpty: Bool { held.isEmpty }

  mutating func add(_ descriptors: DescriptorBatch, _ refusal: @escaping Refusal) {
    held.append((descriptors, refusal))
  }

  /// Forgets those of which something was sent.
  mutating func keep(where isHeld: (DescriptorBatch) -> Bool) {
    held.removeAll { !isHeld($0.descriptors) }
  }

  /// Those that may be sent no more, with what is sent in their place.
  func refused() -> [(descriptors: DescriptorBatch, message: [UInt8])] {
    held.compactMap { reply in reply.refusal().map { (descriptors: reply.descriptors, message: $0) } }
  }
}
