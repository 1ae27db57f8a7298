/// The descriptors that came with, or go with, one message. Each is taken once, by its index; what
/// nobody takes is closed with the batch.
///
/// A class, because the batch travels with its message through containers that a noncopyable type
/// cannot enter. One message has one reader, so access is not synchronized: it is handed over whole.
public final class DescriptorBatch {
  private var numbers: [CInt?]
  /// Closes what nobody took; `nil` for the batch itself.
  private let closer: DescriptorCloser?

  /// An empty batch.
  public init() {
    numbers = []
    closer = nil
  }

  /// Takes ownership of received descriptors, in the order of the control message.
  ///
  /// - Parameter closer: closes what nobody takes, where their sender could make that wait.
  public init(owning numbers: some Sequence<CInt>, closer: DescriptorCloser? = nil) {
    self.numbers = numbers.map { $0 }
    self.closer = closer
  }

  deinit {
    if let closer { return closer.close(numbersToSend) }
    for case let number? in numbers {
      _ = OwnedDescriptor(owning: number)
    }
  }

  /// How many came with the message, taken or not.
  public var count: Int { numbers.count }

  /// Whether nobody has taken the descriptor at `index`; `false` also beyond the end.
  public func holds(_ index: Int) -> Bool {
    numbers.indices.contains(index) && numbers[index] != nil
  }

  /// The descriptor at `index`, for system calls while the batch lives, which keeps owning it; `nil` if there
  /// is none or it was taken.
  public func number(_ index: Int) -> CInt? { holds(index) ? numbers[index] : nil }

  /// Moves the descriptor at `index` to the caller; `nil` if there is none or it was taken already.
  public func take(_ index: Int) -> OwnedDescriptor? {
    guard holds(index), let number = numbers[index] else { return nil }
    numbers[index] = nil
    return OwnedDescriptor(owning: number)
  }

  /// Adds a descriptor and returns its index.
  public func append(_ descriptor: consuming OwnedDescriptor) -> Int {
    numbers.append(descriptor.take())
    return numbers.count - 1
  }

  /// The numbers of a batch that is about to be sent; the batch keeps owning them.
  public var numbersToSend: [CInt] { numbers.compactMap { $0 } }
}
