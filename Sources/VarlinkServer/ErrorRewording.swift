internal import EventLoop
public import Varlink

/// Tells a caller more of an error than a service has thrown, such as a sentence in the language of its person.
public struct ErrorRewording: Sendable {
  /// Parameters of a call that decide about it. They stay with a call for as long as it is served, where they are texts,
  /// however long it is. A call that has one is not read straight from its text.
  let parameters: [String]
  /// What to send; nil for the error as it is.
  let reword: @EventLoopActor @Sendable (any VarlinkError, ServerCall) -> RemoteError?

  /// - Parameters:
  ///   - parameters: of a call that decide about it.
  ///   - reword: what to send; nil for the error as it is.
  public init(
    parameters: [String],
    reword: @escaping @EventLoopActor @Sendable (any VarlinkError, ServerCall) -> RemoteError?
  ) {
    self.parameters = parameters
    self.reword = reword
  }
}
