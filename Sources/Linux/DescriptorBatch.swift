/// The descriptors that came with, or go with, one message. Each is taken once, by its index; what
/// nobody takes is closed with the batch.
///
/// A class, because the batch travels with its message through containers that a noncopyable type
/// cannot enter. One message has one reader, so access is not synchronized: it is handed over whole.
public final class DescriptorBatch {
  private var numbers: [CInt]
  /// In the place of a descriptor that was taken.
  private static let taken: CInt = -1

  /// An empty batch.
  public init() {
    numbers = []
  }

  /// Takes ownership of received descriptors, in the order of the control message.
  public init(owning numbers: [CInt]) {
    self.numbers = numbers
  }

  deinit {
    let numbers = numbersToSend
    if mayWait, !numbers.isEmpty {
      return ThreadReserve.shared.run { for number in numbers { _ = OwnedDescriptor(owning: number) } }
    }
    for number in numbers { _ = OwnedDescriptor(owning: number) }
  }

  /// Whether closing one may wait for a file system that does not answer (close(2), flush): it is done on a thread of
  /// its own then.
  public var mayWait = false

  /// How many came with the message, taken or not.
  public var count: Int { numbers.count }

  /// Whether nobody has taken the descriptor at `index`; `false` also beyond the end.
  public func holds(_ index: Int) -> Bool {
    numbers.indices.contains(index) && numbers[index] != Self.taken
  }

  /// The descriptor at `index`, for system calls while the batch lives, which keeps owning it; `nil` if there
  /// is none or it was taken.
  public func number(_ index: Int) -> CInt? { holds(index) ? numbers[index] : nil }

  /// Moves the descriptor at `index` to the caller; `nil` if there is none or it was taken already.
  public func take(_ index: Int) -> OwnedDescriptor? {
    guard let number = number(index) else { return nil }
    numbers[index] = Self.taken
    return OwnedDescriptor(owning: number)
  }

  /// Adds a descriptor and returns its index.
  public func append(_ descriptor: consuming OwnedDescriptor) -> Int {
    numbers.append(descriptor.take())
    return numbers.count - 1
  }

  /// The numbers of a batch that is about to be sent; the batch keeps owning them.
  public var numbersToSend: [CInt] { numbers.filter { $0 != Self.taken } }
}
