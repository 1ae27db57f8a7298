import AlbumAPI
import Linux
import Varlink

// The calls that most tests make, in one word each.
extension Connection {
  func status(_ level: AuthorizationInterface.AccessLevel = .readWrite) throws
    -> AuthorizationInterface.AuthorizationStatus
  {
    try call(AuthorizationInterface.GetStatus.self, .init(accessLevel: level)).status
  }

  /// Asks for access without waiting for the answer.
  func beginRequest(
    _ level: AuthorizationInterface.AccessLevel = .readWrite, waitForAgent: Bool? = nil,
    language: String? = nil
  ) throws {
    try begin(
      AuthorizationInterface.Request.self,
      .init(accessLevel: level, waitForAgent: waitForAgent, language: language))
  }

  func requestReply() throws -> AuthorizationInterface.Request.Reply {
    try receive(AuthorizationInterface.Request.self)
  }

  func request(
    _ level: AuthorizationInterface.AccessLevel = .readWrite, waitForAgent: Bool? = nil,
    language: String? = nil
  ) throws -> AuthorizationInterface.Request.Reply {
    try beginRequest(level, waitForAgent: waitForAgent, language: language)
    return try requestReply()
  }

  func assets(
    _ parameters: LibraryInterface.FetchAssets.Parameters = .init(sort: .filename)
  ) throws -> [LibraryInterface.Asset] {
    try call(LibraryInterface.FetchAssets.self, parameters).assets
  }

  /// The only asset of that name.
  func asset(_ name: String) throws -> LibraryInterface.Asset {
    let found = try assets().filter { $0.filename == name }
    guard found.count == 1 else { throw DaemonProcess.Failure("\(found.count) assets are named \(name)") }
    return found[0]
  }

  func albums() throws -> [LibraryInterface.Album] {
    try call(LibraryInterface.FetchAlbums.self, .init()).albums
  }

  func album(_ title: String) throws -> LibraryInterface.Album {
    let found = try albums().filter { $0.title == title }
    guard found.count == 1 else { throw DaemonProcess.Failure("\(found.count) albums are named \(title)") }
    return found[0]
  }

  func info() throws -> LibraryInterface.GetInfo.Reply { try call(LibraryInterface.GetInfo.self, .init()) }

  /// Opens an asset and reads it.
  func content(of id: String) throws -> [UInt8] {
    try open(id).readAll()
  }

  /// Opens an asset.
  func open(_ id: String) throws -> OwnedDescriptor {
    try begin(LibraryInterface.OpenAsset.self, .init(id: id))
    let answer = try receive()
    let reply = try answer.decoded(LibraryInterface.OpenAsset.self)
    guard let file = answer.descriptors.take(reply.fileDescriptor) else {
      throw DaemonProcess.Failure("no descriptor came")
    }
    return file
  }
}
