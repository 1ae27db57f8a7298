public import AlbumAPI
internal import Varlink

// What an owner's process may do (S44).
extension AlbumConnection {
  /// From now on this connection sees the whole library (S45).
  public func actAsOwner() throws(AlbumError) {
    _ = try call(ManagerInterface.ActAsOwner.self, Empty())
  }

  /// Every app that is known.
  ///
  /// - Parameter language: of their names.
  public func apps(language: String? = nil) throws(AlbumError) -> [ManagerInterface.App] {
    let replies = try stream(ManagerInterface.ListApps.self, .init(language: language))
    var apps: [ManagerInterface.App] = []
    while let reply = try replies.next() { apps += reply.apps }
    return apps
  }

  /// Decides for an app, as its prompt would have (S8).
  ///
  /// - Returns: whether it is on disk.
  @discardableResult
  public func setAuthorization(
    _ decision: ManagerInterface.SetAuthorization.Parameters
  ) throws(AlbumError) -> ManagerInterface.Storing {
    try call(ManagerInterface.SetAuthorization.self, decision).reply
  }

  /// Changes whether an app that may read learns where photos were taken (S55).
  ///
  /// - Returns: whether it is on disk.
  @discardableResult
  public func setLocation(
    _ change: ManagerInterface.SetLocation.Parameters
  ) throws(AlbumError) -> ManagerInterface.Storing {
    try call(ManagerInterface.SetLocation.self, change).reply
  }

  /// Changes what an app may see when it is limited (S22).
  ///
  /// - Returns: whether it is on disk.
  @discardableResult
  public func setSelection(
    _ selection: ManagerInterface.SetSelection.Parameters
  ) throws(AlbumError) -> ManagerInterface.Storing {
    try call(ManagerInterface.SetSelection.self, selection).reply
  }

  /// What an app may see when it is limited.
  public func selection(
    of app: String, uid: Int? = nil
  ) throws(AlbumError) -> ManagerInterface.GetSelection.Reply {
    try call(ManagerInterface.GetSelection.self, .init(appId: app, uid: uid)).reply
  }

  /// Forgets decisions, so that apps may ask again; nil stands for all.
  ///
  /// - Returns: how many were forgotten, and whether that is on disk.
  public func reset(
    app: String? = nil, uid: Int? = nil, level: ManagerInterface.AccessLevel? = nil
  ) throws(AlbumError) -> ManagerInterface.Reset.Reply {
    try call(ManagerInterface.Reset.self, .init(appId: app, uid: uid, accessLevel: level)).reply
  }

  /// Who did what, the oldest first; with `follow` the stream goes on with what happens.
  public func accessLog(
    app: String? = nil, since: Instant? = nil, follow: Bool = false
  ) throws(AlbumError) -> AlbumStream<ManagerInterface.ListAccessLog> {
    try stream(
      ManagerInterface.ListAccessLog.self, .init(appId: app, since: since, follow: follow ? true : nil))
  }

  /// The policies in force (S37).
  ///
  /// - Parameter language: of the reasons.
  public func policies(language: String? = nil) throws(AlbumError) -> [ManagerInterface.Policy] {
    try call(ManagerInterface.ListPolicies.self, .init(language: language)).reply.policies
  }

  /// What the daemon counts.
  public func statistics() throws(AlbumError) -> ManagerInterface.GetStatistics.Reply {
    try call(ManagerInterface.GetStatistics.self, Empty()).reply
  }

  /// What is wrong with the daemon and its surroundings, and what was looked at.
  ///
  /// - Parameter language: of the findings; English when left out.
  public func check(language: String? = nil) throws(AlbumError) -> [ManagerInterface.Finding] {
    try call(ManagerInterface.Check.self, .init(language: language)).reply.findings
  }

  /// What was deleted and can be restored, oldest first (S33).
  public func deletedAssets() throws(AlbumError) -> [ManagerInterface.DeletedAsset] {
    let replies = try stream(ManagerInterface.ListDeleted.self, Empty())
    var assets: [ManagerInterface.DeletedAsset] = []
    while let reply = try replies.next() { assets += reply.assets }
    return assets
  }

  /// Puts deleted assets back.
  ///
  /// - Returns: the ids of those that were restored.
  public func restore(_ ids: [String]) throws(AlbumError) -> [String] {
    try call(ManagerInterface.RestoreDeleted.self, .init(ids: ids)).reply.restored
  }

  /// Removes deleted assets for good; nil stands for all.
  ///
  /// - Returns: how many were removed, and why not all were.
  public func purge(_ ids: [String]?) throws(AlbumError) -> ManagerInterface.PurgeDeleted.Reply {
    try call(ManagerInterface.PurgeDeleted.self, .init(ids: ids)).reply
  }

  /// Compares the library with the disk again (S42).
  ///
  /// - Parameter roots: paths of roots of which the owner confirms that what is there now is the library (S41).
  public func rescan(accepting roots: [String]? = nil) throws(AlbumError) {
    _ = try call(ManagerInterface.Rescan.self, .init(acceptRoots: roots))
  }

  /// Reads the configuration again (S38).
  ///
  /// - Returns: the keys that have changed and count only from the next start.
  @discardableResult
  public func reload() throws(AlbumError) -> [String] {
    try call(ManagerInterface.Reload.self, Empty()).reply.needsRestart ?? []
  }

  /// Becomes an agent: the first reply is empty, then come prompts (S46). The connection is busy with the
  /// stream from now on.
  ///
  /// - Parameters:
  ///   - name: for the daemon's log.
  ///   - languages: of the person at the agent, best first.
  public func registerAgent(
    name: String, languages: [String]
  ) throws(AlbumError) -> AlbumStream<AgentInterface.Register> {
    try stream(
      AgentInterface.Register.self, .init(name: name, languages: languages.isEmpty ? nil : languages))
  }

  /// Says that this process serves a page with the owner's settings, while the connection lasts (S15). The first reply says that
  /// it counts; a second one, that it does not any more.
  ///
  /// - Parameter origin: what the page is called where it has a certificate, such as `https://photos.example.org`; nil where this
  ///   user's desktop opens it, as `albumd:settings`.
  public func serveSettings(
    origin: String? = nil
  ) throws(AlbumError) -> AlbumStream<ManagerInterface.ServeSettings> {
    try stream(ManagerInterface.ServeSettings.self, .init(origin: origin))
  }

  /// Answers a prompt, on another connection than the agent's. The one reply says that the answer holds.
  public func respond(
    to prompt: String, with answer: AgentInterface.Answer
  ) throws(AlbumError) -> AlbumStream<AgentInterface.Respond> {
    try stream(AgentInterface.Respond.self, .init(prompt: prompt, answer: answer), wantsMore: false)
  }
}
