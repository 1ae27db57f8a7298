internal import EventLoop
internal import Varlink

/// A long message that was read off the loop: its call, and what is to be done for it. Nothing of it is left whose
/// freeing would cost the loop what its reading has cost.
struct LongMessage: Sendable {
  /// The call, without its parameters, except texts that are wanted for as long as it is served.
  let call: Result<Call, ProtocolViolation>
  /// What serves it.
  let method: MethodImplementation.Read

  /// Reads a message: waits for nobody, and takes as long as it takes.
  ///
  /// - Parameter kept: the parameters that stay with the call.
  init(_ bytes: [UInt8], _ methods: MethodTable, keeping kept: [String]) {
    let parsed: Call
    do throws(ProtocolViolation) {
      parsed = try bytes.withUnsafeBufferPointer { (message) throws(ProtocolViolation) in
        try Call(parsing: message)
      }
    } catch {
      call = .failure(error)
      method = .failure(error)
      return
    }
    call = .success(parsed.withoutParameters(but: kept))
    do { method = .parameters(try methods.method(parsed.method).prepare(parsed)) } catch {
      method = .failure(error)
    }
  }
}
