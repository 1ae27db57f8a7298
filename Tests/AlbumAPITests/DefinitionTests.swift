import AlbumAPI
import FoundationEssentials
import Testing
import Varlink

@Suite("The definitions and the types say the same")
struct DefinitionTests {
  static let texts = [
    AuthorizationInterface.definition, LibraryInterface.definition, PickerInterface.definition,
    AgentInterface.definition, ManagerInterface.definition,
  ]

  @Test("what is served is every file, byte for byte")
  func files() throws {
    let directory = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/AlbumAPI/Interfaces").path
    let files = try FileManager.default.contentsOfDirectory(atPath: directory)
      .filter { $0.hasSuffix(".varlink") }
    let served = try Self.texts.map { text in
      let name = try InterfaceDescription(parsing: text).name
      let file = try Data(contentsOf: URL(filePath: "\(directory)/\(name).varlink"))
      #expect(Array(file) == Array(text.utf8), "\(name)")
      return "\(name).varlink"
    }
    #expect(files.sorted() == served.sorted())
  }

  @Test("every known parser accepts the definitions", arguments: texts)
  func portability(_ text: String) throws {
    let interface = try InterfaceDescription(parsing: text)
    #expect(interface.portabilityIssues.isEmpty)
    #expect(!text.contains("\t"))
  }

  @Test("every type, field, method and error is documented", arguments: texts)
  func documentation(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }
    for (index, line) in lines.enumerated() where index > 0 {
      let isMember = ["type ", "method ", "error "].contains { line.hasPrefix($0) }
      let isField = line.contains(": ") && !line.hasPrefix("#") && !isMember && !line.hasPrefix(")")
      guard isMember || isField else { continue }
      #expect(lines[index - 1].hasPrefix("#"), "no comment above: \(line)")
    }
  }

  /// A value of the type must pass the definition, with and without its optionals.
  private func check<Method: VarlinkMethod>(
    _ method: Method.Type, _ definition: String, parameters: [Method.Parameters], replies: [Method.Reply]
  ) throws {
    let interface = try InterfaceDescription(parsing: definition)
    let name = try #require(InterfaceName.split(Method.name))
    #expect(name.interface == interface.name)
    let description = try #require(interface.methods[name.member], "\(Method.name)")
    for value in parameters { try validate(value, interface, description.input) }
    for value in replies { try validate(value, interface, description.output) }
  }

  private func validate(_ value: some Encodable, _ interface: InterfaceDescription, _ fields: [VarlinkField])
    throws
  {
    let object = try #require(try JSON(parsing: JSONEncoding.encode(value)).object)
    do { try interface.validate(object, against: fields) } catch {
      Issue.record("\(type(of: value)): \(error.parameter) in \(JSON.object(object))")
    }
  }

  private func check<Failure: VarlinkError>(_ error: Failure, _ definition: String) throws {
    let interface = try InterfaceDescription(parsing: definition)
    let name = try #require(InterfaceName.split(Failure.name))
    #expect(name.interface == interface.name)
    try validate(error, interface, try #require(interface.errors[name.member], "\(Failure.name)"))
  }

  private let guide = AuthorizationInterface.Guide(
    title: "t", message: "m", steps: ["s"], settingsCommand: "c", settingsAddress: "a", later: "l")
  private let bareGuide = AuthorizationInterface.Guide(title: "t", message: "m", steps: [])
  private let time = Instant(microseconds: 1)

  @Test("io.albumd.Authorization")
  func authorization() throws {
    let text = AuthorizationInterface.definition
    let identity = AuthorizationInterface.Identity(
      appId: "a", uid: 1, evidence: "e", verified: true, manifest: "m")
    var bare = identity
    bare.manifest = nil
    try check(
      AuthorizationInterface.WhoAmI.self, text, parameters: [.init()],
      replies: [.init(identity: identity), .init(identity: bare)])
    for status in [AuthorizationInterface.AuthorizationStatus.limited, .restricted] {
      try check(
        AuthorizationInterface.GetStatus.self, text,
        parameters: AuthorizationInterface.AccessLevel.allCases.map { .init(accessLevel: $0) },
        replies: [.init(status: status), .init(status: status, expires: time, selectionCount: 1)])
    }
    try check(
      AuthorizationInterface.Request.self, text,
      parameters: [
        .init(accessLevel: .addOnly), .init(accessLevel: .readWrite, waitForAgent: true, language: "en"),
      ],
      replies: [.init(status: .denied, guide: guide), .init(status: .denied, guide: bareGuide)])
    try check(
      AuthorizationInterface.Monitor.self, text, parameters: [.init()],
      replies: [.init(accessLevel: .addOnly, status: .authorized)])
    try check(
      AuthorizationInterface.PresentLimitedPicker.self, text, parameters: [.init()],
      replies: [.init(addedAssets: ["a"])])
    try check(AuthorizationInterface.NoAgent(), text)
    try check(
      AuthorizationInterface.UsageDescriptionMissing(appId: "a", accessLevel: .addOnly, manifest: "m"), text)
    try check(AuthorizationInterface.Throttled(retryAfterSeconds: 1), text)
    try check(AuthorizationInterface.Busy(), text)
    try check(AuthorizationInterface.UnidentifiedPeer(reason: "r"), text)
  }

  private let asset = LibraryInterface.Asset(
    id: "i", filename: "f", percentEncodedFilename: "p", albums: ["a"], mediaType: .livePhoto, byteCount: 1,
    created: Instant(microseconds: 0), modified: Instant(microseconds: 1), resources: [.photo, .pairedVideo],
    pixelWidth: 1, pixelHeight: 2, durationSeconds: 1.5, hasLocation: false, offline: true,
    contentHash: "sha256:00", hasAdjustment: true, burstIdentifier: "b", representsBurst: true)
  private let album = LibraryInterface.Album(
    id: "i", title: "t", percentEncodedTitle: "p", parent: "q", assetCount: 1, shared: true,
    createdByCaller: false)

  @Test("io.albumd.Library: fetching")
  func fetching() throws {
    let text = LibraryInterface.definition
    let bare = LibraryInterface.Asset(
      id: "i", filename: "f", albums: [], mediaType: .image, byteCount: 1, created: time, modified: time,
      resources: [.photo], offline: false)
    try check(
      LibraryInterface.GetInfo.self, text, parameters: [.init()],
      replies: [
        .init(
          token: "t", assetCount: 1, albumCount: 1, state: .degraded,
          roots: [.init(path: "/p", state: .offline, problem: "x"), .init(state: .ready)])
      ])
    try check(
      LibraryInterface.FetchAlbums.self, text,
      parameters: [.init(), .init(parent: "p", ids: ["i"]), .init(smart: true)],
      replies: [.init(albums: [album], token: "t")])
    try check(
      LibraryInterface.FetchAssets.self, text,
      parameters: [
        .init(),
        .init(
          albums: ["a"], ids: ["i"], mediaTypes: LibraryInterface.MediaType.allCases, createdAfter: time,
          createdBefore: time, nameContains: "n", sort: .byteCount, descending: true, limit: 1, cursor: "c"),
        .init(
          matching: .init(
            all: [.init(any: [.init(none: [])]), .init()], mediaTypes: LibraryInterface.MediaType.allCases,
            subtypes: LibraryInterface.Subtype.allCases, albums: ["a"], createdAfter: time,
            createdBefore: time,
            nameContains: "n", minByteCount: 1, maxByteCount: 2), offset: 1),
      ],
      replies: [
        .init(assets: [asset, bare], total: 2, token: "t"),
        .init(assets: [], total: 0, token: "t", cursor: "c"),
      ])
    try check(
      LibraryInterface.OpenAsset.self, text,
      parameters: [.init(id: "i"), .init(id: "i", resource: .sidecar)],
      replies: [
        .init(asset: asset, fileDescriptor: 0),
        .init(asset: asset, fileDescriptor: 0, pairedVideoExtension: "MOV"),
      ])
  }

  @Test("io.albumd.Library: changes, adding, errors")
  func changes() throws {
    let text = LibraryInterface.definition
    let assetJSON = try JSON(parsing: JSONEncoding.encode(asset))
    try check(
      LibraryInterface.Subscribe.self, text,
      parameters: [
        .init(), .init(albums: true, since: "s"), .init(assets: .init(albums: ["a"], ids: ["i"])),
        .init(assets: .init()),
      ],
      replies: [
        .init(
          token: "t", hasIncrementalChanges: true, inserted: [assetJSON], removed: ["i"],
          changed: [
            .init(id: "i", contentChanged: true, asset: asset),
            .init(id: "i", contentChanged: false, album: album),
          ],
          moved: [
            .init(id: "i", contentChanged: false, from: ["a"], to: [], asset: asset),
            .init(id: "i", from: [], to: [], album: album),
          ])
      ])
    try check(
      LibraryInterface.AddAssets.self, text,
      parameters: [
        .init(
          items: [
            .init(fileDescriptor: 0, filename: "f"),
            .init(
              fileDescriptor: 1, filename: "f", pairedVideoFileDescriptor: 2, pairedVideoExtension: "MOV",
              sidecars: [.init(fileDescriptor: 3, sidecarExtension: "jpg.xmp")]),
          ], album: "a")
      ]
        + LibraryInterface.SavePurpose.allCases.map { .init(items: [], purpose: $0, language: "en") },
      replies: [
        .init(ids: ["i"], failures: [.init(item: 1, error: "e", message: "m")], completed: 2),
        .init(ids: ["i"], failures: [], completed: 1, guide: guide),
      ])
    try check(
      LibraryInterface.CreateAlbum.self, text,
      parameters: [.init(title: "t"), .init(title: "t", parent: "p")], replies: [.init(album: album)])
    try check(
      LibraryInterface.RenameAlbum.self, text, parameters: [.init(album: "a", title: "t")],
      replies: [.init(album: album)])
    try check(
      LibraryInterface.MoveAlbum.self, text, parameters: [.init(album: "a"), .init(album: "a", parent: "p")],
      replies: [.init(album: album)])
    try check(
      LibraryInterface.SetKeyAsset.self, text,
      parameters: [.init(album: "a"), .init(album: "a", asset: "i")],
      replies: [.init(album: album)])
    try check(
      LibraryInterface.DeleteAlbum.self, text, parameters: [.init(album: "a")],
      replies: [.init(deleted: []), .init(deleted: ["i"])])
    let membership = LibraryInterface.AlbumMembership(ids: ["i"], album: "a")
    try check(LibraryInterface.AddToAlbum.self, text, parameters: [membership], replies: [.init()])
    try check(LibraryInterface.RemoveFromAlbum.self, text, parameters: [membership], replies: [.init()])
    try check(
      LibraryInterface.MoveAssets.self, text, parameters: [.init(ids: ["i"], album: "a"), .init(ids: ["i"])],
      replies: [.init()])
    try check(
      LibraryInterface.MoveInAlbum.self, text,
      parameters: [.init(album: "a", ids: ["i"]), .init(album: "a", ids: ["i"], before: "j")],
      replies: [.init()])
    try check(
      LibraryInterface.SetFavorite.self, text, parameters: [.init(ids: ["i"], favorite: true)],
      replies: [.init()])
    try check(
      LibraryInterface.SetHidden.self, text, parameters: [.init(ids: ["i"], hidden: true)], replies: [.init()]
    )
    try check(LibraryInterface.FlagsNotSupported(id: "i"), text)
    try check(
      LibraryInterface.RenameAsset.self, text, parameters: [.init(id: "i", filename: "f")],
      replies: [.init(asset: asset)])
    try check(
      LibraryInterface.DeleteAssets.self, text, parameters: [.init(ids: ["i"])],
      replies: [.init(deleted: ["i"])])
    try check(
      LibraryInterface.ReplaceAsset.self, text, parameters: [.init(id: "i", fileDescriptor: 0)],
      replies: [.init(asset: asset)])
    let adjustment = LibraryInterface.Adjustment(formatIdentifier: "f", formatVersion: "1", data: "AQ==")
    try check(
      LibraryInterface.ReplaceAsset.self, text,
      parameters: [.init(id: "i", fileDescriptor: 0, adjustment: adjustment)], replies: [])
    try check(
      LibraryInterface.GetAdjustment.self, text, parameters: [.init(id: "i")],
      replies: [.init(adjustment: adjustment)])
    try check(
      LibraryInterface.RevertAsset.self, text, parameters: [.init(id: "i")], replies: [.init(asset: asset)])
    try check(LibraryInterface.NoAdjustment(id: "i"), text)
    try check(LibraryInterface.UserRefused(), text)
    try check(LibraryInterface.LastAlbum(id: "i"), text)
    try check(LibraryInterface.NameTaken(name: "n"), text)
    for reason in LibraryInterface.MoveProblem.allCases {
      try check(LibraryInterface.CannotMove(id: "i", reason: reason), text)
    }
    for reason in LibraryInterface.AlbumRemainder.allCases {
      try check(LibraryInterface.AlbumNotEmpty(id: "i", reason: reason), text)
    }
    try check(LibraryInterface.ReadOnly(root: "r"), text)
    try check(LibraryInterface.CannotLink(id: "i", reason: "r"), text)
    try check(LibraryInterface.NotAuthorized(accessLevel: .readWrite, status: .denied, guide: guide), text)
    try check(LibraryInterface.NoSuchAsset(id: "i"), text)
    try check(LibraryInterface.NoSuchAlbum(id: "i"), text)
    try check(LibraryInterface.TokenExpired(), text)
    try check(LibraryInterface.Offline(root: "r"), text)
    try check(LibraryInterface.NotMedia(item: 0), text)
    try check(LibraryInterface.TooLarge(item: 0, limit: 1), text)
    try check(LibraryInterface.TooManyAlbums(limit: 1), text)
    try check(LibraryInterface.TooDeep(limit: 1), text)
    try check(LibraryInterface.NoSpace(), text)
    try check(LibraryInterface.InvalidFileDescriptor(item: 0, reason: "r"), text)
  }

  @Test("io.albumd.Picker")
  func picker() throws {
    try check(
      PickerInterface.Pick.self, PickerInterface.definition,
      parameters: [
        .init(),
        .init(
          mediaTypes: PickerInterface.MediaType.allCases, selectionLimit: 1, requestAccess: true,
          language: "en", sidecars: true,
          filter: .init(
            all: [.init(mediaTypes: [.image])], any: [.init()], none: [.init(subtypes: [.screenshot])],
            mediaTypes: [.video], subtypes: PickerInterface.Subtype.allCases), preselected: ["i"], minimum: 1),
      ],
      replies: [
        .init(items: [], inaccessibleCount: 0),
        .init(
          items: [
            .init(
              id: "i", filename: "f", percentEncodedFilename: "p", mediaType: .livePhoto, fileDescriptor: 0,
              pairedVideoFileDescriptor: 1, pairedVideoExtension: "MOV",
              sidecars: [.init(fileDescriptor: 2, sidecarExtension: "xmp")], accessible: true),
            .init(filename: "f", mediaType: .video, accessible: false),
          ], inaccessibleCount: 1, message: "m"),
      ])
  }

  @Test("io.albumd.Agent")
  func agent() throws {
    let text = AgentInterface.definition
    let app = AgentInterface.PromptApp(
      id: "a", name: "n", icon: "i", verified: false, user: "u", evidence: "e")
    try check(
      AgentInterface.Register.self, text,
      parameters: [.init(name: "n"), .init(name: "n", languages: ["en"])],
      replies: [
        .init(),
        .init(
          prompt: .init(
            id: "i", kind: .authorization, app: app, accessLevel: .readWrite, usageDescription: "u",
            choices: AgentInterface.Decision.allCases, assets: ["a"], selection: ["s"],
            mediaTypes: [.image], selectionLimit: 2, filter: .init(none: [.init(subtypes: [.raw])]),
            minimum: 1)),
        .init(withdrawn: .init(id: "i", reason: "r")),
      ])
    for kind in AgentInterface.PromptKind.allCases {
      try check(
        AgentInterface.Register.self, text, parameters: [],
        replies: [.init(prompt: .init(id: "i", kind: kind, app: app, choices: [.deny]))])
    }
    try check(
      AgentInterface.Respond.self, text,
      parameters: AgentInterface.Duration.allCases.map {
        .init(
          prompt: "i",
          answer: .init(decision: .limited, assets: ["a"], albums: ["b"], duration: $0, expires: time))
      }, replies: [.init(), .init(stored: false, reason: "r")])
    try check(AgentInterface.NotAnOwner(), text)
    try check(AgentInterface.NoSuchPrompt(id: "i"), text)
    try check(AgentInterface.InvalidAnswer(reason: "r"), text)
  }

  @Test("io.albumd.Manager")
  func manager() throws {
    let text = ManagerInterface.definition
    let grant = ManagerInterface.Grant(
      accessLevel: .addOnly, status: .authorized, decided: time, expires: time, untilExit: true, policy: "p",
      lastUsed: time, selectionCount: 1)
    try check(
      ManagerInterface.ListApps.self, text, parameters: [.init()],
      replies: [
        .init(apps: [
          .init(
            id: "a", name: "n", uid: 0, user: "u", manifest: "m", firstSeen: time, lastSeen: time,
            grants: [grant]),
          .init(id: "a", name: "n", uid: 0, grants: [.init(accessLevel: .readWrite, status: .denied)]),
        ])
      ])
    try check(ManagerInterface.ActAsOwner.self, text, parameters: [.init()], replies: [.init()])
    try check(
      ManagerInterface.SetAuthorization.self, text,
      parameters: [
        .init(appId: "a", accessLevel: .addOnly, status: .denied),
        .init(appId: "a", uid: 0, accessLevel: .readWrite, status: .authorized, expires: time),
      ], replies: [.init()])
    try check(
      ManagerInterface.Reset.self, text,
      parameters: [.init(), .init(appId: "a", uid: 0, accessLevel: .addOnly)],
      replies: [.init(count: 0)])
    let deleted = ManagerInterface.DeletedAsset(
      id: "i", filename: "f", percentEncodedFilename: "%FF", albums: ["a"], mediaType: .livePhoto,
      byteCount: 1, deleted: time, purge: time, appId: "a")
    var bare = deleted
    bare.appId = nil
    bare.percentEncodedFilename = nil
    try check(
      ManagerInterface.ListDeleted.self, text, parameters: [.init()],
      replies: [.init(assets: [deleted, bare])])
    try check(
      ManagerInterface.RestoreDeleted.self, text, parameters: [.init(ids: ["i"])],
      replies: [.init(restored: ["i"])])
    try check(
      ManagerInterface.PurgeDeleted.self, text, parameters: [.init(), .init(ids: ["i"])],
      replies: [.init(count: 1), .init(count: 1, problem: "p")])
    try check(ManagerInterface.NoSuchDeletedAsset(id: "i"), text)
    try check(ManagerInterface.CannotRestore(id: "i", reason: "r"), text)
    try check(
      ManagerInterface.SetSelection.self, text,
      parameters: ManagerInterface.SelectionOperation.allCases.map {
        .init(appId: "a", assets: ["i"], albums: [], operation: $0)
      } + [.init(appId: "a", uid: 0, assets: [], albums: ["i"], operation: .add)], replies: [.init()])
    try check(
      ManagerInterface.GetSelection.self, text, parameters: [.init(appId: "a"), .init(appId: "a", uid: 0)],
      replies: [.init(assets: ["i"], albums: ["i"])])
    try check(
      ManagerInterface.Rescan.self, text, parameters: [.init(), .init(acceptRoots: ["/p"])],
      replies: [.init()])
    try check(ManagerInterface.Reload.self, text, parameters: [.init()], replies: [.init()])
    try checkOwnersLists(text)
    try check(ManagerInterface.NotAnOwner(), text)
    try check(ManagerInterface.NoSuchApp(id: "a"), text)
    try check(ManagerInterface.LockedByPolicy(policy: "p"), text)
    try check(ManagerInterface.InvalidConfiguration(errors: ["e"]), text)
  }

  private func checkOwnersLists(_ text: String) throws {
    let entries = ManagerInterface.AccessKind.allCases.map { kind in
      ManagerInterface.AccessLogEntry(id: 1, time: time, count: 1, appId: "a", uid: 0, kind: kind)
    }
    let full = ManagerInterface.AccessAuthor.allCases.map { author in
      ManagerInterface.AccessLogEntry(
        id: 1, time: time, lastTime: time, count: 2, assets: 3, appId: "a", uid: 0, user: "u",
        kind: .decision,
        accessLevel: .addOnly, outcome: "o", by: author, byUid: 0, byUser: "u", detail: "d")
    }
    try check(
      ManagerInterface.ListAccessLog.self, text,
      parameters: [.init(), .init(appId: "a", since: time, follow: true)],
      replies: [.init(entries: []), .init(entries: entries + full)])
    try check(
      ManagerInterface.ListPolicies.self, text, parameters: [.init(), .init(language: "en")],
      replies: [
        .init(policies: [
          .init(name: "n", file: "f", effect: .restrict, apps: ["*"], accessLevels: [.addOnly], appCount: 0),
          .init(
            name: "n", file: "f", effect: .authorize, apps: [], users: ["u"], groups: ["g"],
            accessLevels: AuthorizationInterface.AccessLevel.allCases, reason: "r", appCount: 1),
        ])
      ])
    var statistics = ManagerInterface.GetStatistics.Reply(
      started: time, connections: 1, subscriptions: 1, agents: 1, promptsWaiting: 1, assets: 1, albums: 1,
      journalLast: 1, watches: 1, polledDirectories: 1, memoryBytes: 1, calls: 1, connectionsAccepted: 1,
      connectionsRefused: 1, protocolViolations: 1, fileEvents: 1, queueOverflows: 1, scans: 1, changes: 1,
      accessLogLost: 1)
    let bareStatistics = statistics
    statistics.journalFirst = 1
    try check(
      ManagerInterface.GetStatistics.self, text, parameters: [.init()], replies: [bareStatistics, statistics])
    try check(
      ManagerInterface.Check.self, text, parameters: [.init()],
      replies: [
        .init(
          findings: ManagerInterface.Severity.allCases.map {
            .init(severity: $0, subject: "s", message: "m", advice: $0 == .ok ? nil : "a")
          })
      ])
  }
}
