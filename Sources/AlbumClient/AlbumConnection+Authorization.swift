public import AlbumAPI
public import Varlink

extension AlbumConnection {
  /// Who the daemon is: product and version, as every Varlink service says.
  public func service() throws(AlbumError) -> ServiceInterface.GetInfo.Reply {
    try call(ServiceInterface.GetInfo.self, Empty()).reply
  }

  /// How the daemon sees this process (S35).
  public func whoAmI() throws(AlbumError) -> AuthorizationInterface.Identity {
    try caller().identity
  }

  /// The same, and the address of a page with its settings, where one runs (S15).
  public func caller() throws(AlbumError) -> AuthorizationInterface.WhoAmI.Reply {
    try call(AuthorizationInterface.WhoAmI.self, Empty()).reply
  }

  /// What this process may do. Never prompts (S5).
  ///
  /// - Parameter language: of the guide where access is not there, such as `zh-Hans`; nil for none.
  public func status(
    of level: AuthorizationInterface.AccessLevel, language: String? = nil
  ) throws(AlbumError) -> AuthorizationInterface.GetStatus.Reply {
    try call(AuthorizationInterface.GetStatus.self, .init(accessLevel: level, language: language)).reply
  }

  /// Asks the owner, if nobody was asked before, and waits for the answer (S7).
  ///
  /// - Parameters:
  ///   - waitForAgent: wait for somebody who can answer rather than fail (S12).
  ///   - language: of the guide that a refusal carries, such as `zh-Hans`.
  public func request(
    _ level: AuthorizationInterface.AccessLevel, waitForAgent: Bool = false, language: String? = nil
  ) throws(AlbumError) -> AuthorizationInterface.Request.Reply {
    try call(
      AuthorizationInterface.Request.self,
      .init(accessLevel: level, waitForAgent: waitForAgent ? true : nil, language: language)
    ).reply
  }

  /// The statuses of this process and every change of them (S29).
  public func monitor() throws(AlbumError) -> AlbumStream<AuthorizationInterface.Monitor> {
    try stream(AuthorizationInterface.Monitor.self, Empty())
  }
}
