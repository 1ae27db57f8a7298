internal import Glibc
package import Linux
internal import Synchronization

/// An open file that knows where it is closed: at once, or by the ``Linux/Closer`` of a file system that may not answer.
package final class HeldFile: Sendable {
  private let held: Mutex<CInt?>
  /// Who closes it; nil where its file system is known to answer.
  package let closer: Closer?

  /// - Parameter closer: nil where the file system is known to answer.
  package init(_ descriptor: consuming OwnedDescriptor, closedBy closer: Closer?) {
    held = Mutex(descriptor.take())
    self.closer = closer
  }

  /// The number, for a system call made while this lives and nobody has taken it.
  package var number: CInt { held.withLock { $0 ?? -1 } }

  deinit {
    guard let number = held.withLock({ $0.take() }) else { return }
    let descriptor = OwnedDescriptor(owning: number)
    closer?.close(descriptor)
  }

  /// Lets a body use the file, which stays here: nobody takes it meanwhile.
  package func using<Value>(_ body: (borrowing OwnedDescriptor) throws -> Value) throws -> Value {
    let file = OwnedDescriptor(owning: number)
    do {
      let value = try body(file)
      _ = file.take()
      return value
    } catch {
      _ = file.take()
      throw error
    }
  }

  /// Gives the file to the caller, who closes it where that may wait.
  package func take() -> OwnedDescriptor? { held.withLock { $0.take() }.map { OwnedDescriptor(owning: $0) } }

  /// Gives the file to what is about to be sent, which closes it as this would.
  ///
  /// - Returns: its index there.
  /// - Throws: ``LibraryFileError``, `gone`: it was taken before.
  package func move(to batch: DescriptorBatch) throws(LibraryFileError) -> Int {
    guard let descriptor = take() else { throw LibraryFileError(.gone, subject: "an open file") }
    guard let closer else { return batch.append(descriptor) }
    return batch.append(descriptor, closedBy: closer)
  }
}
