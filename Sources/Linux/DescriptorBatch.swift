/// The descriptors that came with, or go with, one message. Each is taken once, by its index; what
/// nobody takes is closed with the batch.
///
/// A class, because the batch travels with its message through containers that a noncopyable type
/// cannot enter. One message has one reader, so access is not synchronized: it is handed over whole.
public final class DescriptorBatch {
  private var numbers: [CInt]
  /// By index, who closes what may wait for a file system that does not answer.
  private var closers: [Int: Closer] = [:]
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
    for (index, number) in numbers.enumerated() where number != Self.taken {
      let descriptor = OwnedDescriptor(owning: number)
      if let closer = closers[index] { closer.close(descriptor) }
    }
  }

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

  /// Adds a descriptor of a file system that may not answer, and returns its index.
  public func append(_ descriptor: consuming OwnedDescriptor, closedBy closer: Closer) -> Int {
    let index = append(descriptor)
    closers[index] = closer
    return index
  }

  /// Whether the descriptor at `index` is of a file system that may not answer.
  public func mayWait(_ index: Int) -> Bool { closers[index] != nil }

  /// Moves the descriptor at `index` to another batch, and with it who closes it.
  ///
  /// - Returns: its index there; `nil` if there is none or it was taken already.
  public func move(_ index: Int, to other: DescriptorBatch) -> Int? {
    guard let descriptor = take(index) else { return nil }
    guard let closer = closers[index] else { return other.append(descriptor) }
    return other.append(descriptor, closedBy: closer)
  }

  /// The numbers of a batch that is about to be sent; the batch keeps owning them.
  public var numbersToSend: [CInt] {
    numbers.contains(Self.taken) ? numbers.filter { $0 != Self.taken } : numbers
  }
}
