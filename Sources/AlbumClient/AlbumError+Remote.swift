internal import AlbumAPI
public import Varlink

// The one place that turns errors of the interfaces into sentences.
extension AlbumError {
  /// An error that came over the wire. Fields that do not fit their error leave it as it came.
  public init(remote error: RemoteError, place: String) {
    self =
      AlbumError(authorization: error, place)
      ?? AlbumError(library: error, place)
      ?? AlbumError(owner: error, place)
      ?? AlbumError(standard: error, place)
      ?? AlbumError(.unknown, "albumd refused: \(error).", place: place, remote: error)
  }

  /// What became of one item of a batch.
  init(_ failure: LibraryInterface.AddFailure, place: String) {
    typealias Interface = LibraryInterface
    let code: Code =
      switch failure.error {
      case Interface.NotMedia.name: .notMedia
      case Interface.TooLarge.name: .tooLarge
      case Interface.NoSpace.name: .noSpace
      case AuthorizationInterface.Throttled.name: .throttled
      case Interface.InvalidFileDescriptor.name: .invalidFileDescriptor
      case Interface.Offline.name: .offline
      case InvalidParameter.name: .invalidParameter
      default: .unknown
      }
    self.init(
      code, failure.message, item: failure.item, place: place,
      remote: RemoteError(name: failure.error, parameters: JSONObject()))
  }

  private init?(authorization error: RemoteError, _ place: String) {
    typealias Interface = AuthorizationInterface
    if error.name == Interface.NoAgent.name {
      self.init(
        .noAgent, "Nobody is there to answer: no agent of an owner shows prompts.",
        advice: ["An owner starts one: albumctl agent"]
          + (place == Interface.Request.name
            ? ["Or wait for one: albumctl request --wait, with the same --level"] : []),
        place: place, remote: error)
    } else if let missing = error.typed(Interface.UsageDescriptionMissing.self) {
      self.init(
        .usageDescriptionMissing,
        "\(missing.appId) does not say why it needs access (\(missing.accessLevel.rawValue)), "
          + "so the owner cannot be asked.",
        advice: [
          "The app's developer or the administrator writes it: \(missing.manifest)", "Then: albumctl reload",
        ], place: place, remote: error)
    } else if let throttled = error.typed(Interface.Throttled.self) {
      self.init(
        .throttled,
        place == LibraryInterface.AddAssets.name
          ? "As much was added within a day as this app may add." : "The owner put this off several times.",
        advice: ["Ask again in \(lengthOfTime(seconds: throttled.retryAfterSeconds))."], place: place,
        remote: error)
    } else if error.name == Interface.Busy.name {
      self.init(
        .busy, "Another prompt of this app is open, or too many wait.",
        advice: ["Ask again when it is answered."], place: place, remote: error)
    } else if let unidentified = error.typed(Interface.UnidentifiedPeer.self) {
      self.init(unidentified: unidentified.reason, error, place)
    } else {
      return nil
    }
  }

  private init(unidentified reason: String, _ error: RemoteError, _ place: String) {
    self.init(
      .unidentifiedPeer, "albumd cannot tell who this process is: \(reason).",
      advice: ["What it can tell: albumctl whoami"], place: place, remote: error)
  }

  private init?(library error: RemoteError, _ place: String) {
    typealias Interface = LibraryInterface
    if let refused = error.typed(Interface.NotAuthorized.self) {
      self.init(
        .notAuthorized,
        "This app may not do that: \(refused.accessLevel.rawValue) is \(refused.status.rawValue).",
        guide: refused.guide, place: place, remote: error)
    } else if let missing = error.typed(Interface.NoSuchAsset.self) {
      self.init(
        .noSuchAsset, "There is no asset \(missing.id) that you may see.",
        advice: ["See which there are: albumctl assets, for an owner with --owner"], place: place,
        remote: error)
    } else if let missing = error.typed(Interface.NoSuchResource.self) {
      self.init(
        .noSuchResource, "The asset \(missing.id) has no file of the kind \(missing.resource.rawValue).",
        advice: ["What it has: albumctl assets --json, resources"], place: place, remote: error)
    } else if let missing = error.typed(Interface.NoSuchAlbum.self) {
      self.init(
        .noSuchAlbum, "There is no album \(missing.id) that you may see.",
        advice: ["See which there are: albumctl albums, for an owner with --owner"], place: place,
        remote: error)
    } else if error.name == Interface.TokenExpired.name {
      self.init(
        .tokenExpired, "The token is older than the changes that are kept, or of another library.",
        advice: [
          "Fetch anew (albumctl assets, albumctl albums), then watch from the token that the fetch shows."
        ], place: place, remote: error)
    } else if let offline = error.typed(Interface.Offline.self) {
      self.init(
        .offline, "The directory \(offline.root) cannot be reached at present.",
        advice: ["Try again when it is mounted. What is in it stays as it is."], place: place,
        remote: error)
    } else if let refused = error.typed(Interface.NotMedia.self) {
      self.init(
        .notMedia, "It is neither a photo nor a video, by its content.", item: refused.item, place: place,
        remote: error)
    } else if let refused = error.typed(Interface.TooLarge.self) {
      self.init(
        .tooLarge, "It is larger than the \(refused.limit) bytes that the configuration allows.",
        advice: ["The administrator sets limits.addBytes in albumd.yaml."], item: refused.item, place: place,
        remote: error)
    } else if error.name == Interface.NoSpace.name {
      self.init(
        .noSpace, "The library's file system is full. Nothing half-made was left.",
        advice: ["Make room, then try again."], place: place, remote: error)
    } else if let refused = error.typed(Interface.InvalidFileDescriptor.self) {
      self.init(
        .invalidFileDescriptor, "It cannot be read: \(refused.reason).", item: refused.item, place: place,
        remote: error)
    } else if let refused = error.typed(Interface.TooManyAlbums.self) {
      self.init(
        .tooManyAlbums, "This app has created as many albums as it may: \(refused.limit).",
        advice: [
          "Use one of them: albumctl albums. One that the owner removes makes room.",
          "The administrator sets limits.albumsPerApp in albumd.yaml.",
        ], place: place, remote: error)
    } else if let refused = error.typed(Interface.TooDeep.self) {
      self.init(
        .tooDeep, "An album may lie \(refused.limit) deep at most.",
        advice: [
          "Create it in an album further up.", "The administrator sets limits.albumDepth in albumd.yaml.",
        ], place: place, remote: error)
    } else if error.typed(Interface.LastAlbum.self) != nil {
      self.init(
        .lastAlbum, "It is in no other place.", advice: ["To remove it altogether: albumctl delete"],
        place: place, remote: error)
    } else if let refused = error.typed(Interface.CannotLink.self) {
      self.init(
        .cannotLink, "It cannot be in that album as well: \(refused.reason).", place: place, remote: error)
    } else if error.name == Interface.UserRefused.name {
      self.init(
        .userRefused, "The owner did not agree this time. Nothing was changed.", place: place, remote: error)
    } else {
      return nil
    }
  }

  private init?(owner error: RemoteError, _ place: String) {
    if error.name == ManagerInterface.NotAnOwner.name || error.name == AgentInterface.NotAnOwner.name {
      self.init(
        .notAnOwner, "Only an owner of this photo library may do this.",
        advice: [
          "As installed, members of the group albumd-owners are owners: sudo usermod -aG albumd-owners USER, then log in "
            + "again.",
          "The administrator names others in albumd.yaml: owners: {users: [NAME], groups: [NAME]}",
          "A sandboxed process, or one that is an app, is never an owner.",
        ], place: place, remote: error)
    } else if error.name == AgentInterface.NoSuchPrompt.name {
      self.init(
        .noSuchPrompt, "The prompt was answered or withdrawn in the meantime.", place: place, remote: error)
    } else if let invalid = error.typed(AgentInterface.InvalidAnswer.self) {
      self.init(
        .invalidAnswer, "The answer does not fit the prompt: \(invalid.reason).", place: place, remote: error)
    } else if let missing = error.typed(ManagerInterface.NoSuchDeletedAsset.self) {
      self.init(
        .noSuchDeletedAsset, "No deleted asset \(missing.id) is kept.",
        advice: ["See which are: albumctl deleted"], place: place, remote: error)
    } else if let refused = error.typed(ManagerInterface.CannotRestore.self) {
      self.init(
        .cannotRestore, "\(refused.id): \(refused.reason).", place: place, remote: error)
    } else if let missing = error.typed(ManagerInterface.NoSuchApp.self) {
      self.init(
        .noSuchApp, "No app \(missing.id) is known.", advice: ["See which are: albumctl apps"],
        place: place, remote: error)
    } else if let locked = error.typed(ManagerInterface.LockedByPolicy.self) {
      self.init(
        .lockedByPolicy,
        "A policy of the administrator decides about this app: \(locked.policy). Nothing was changed.",
        advice: [
          "Where it leaves a level or a user open, name that: --level, --uid (albumctl apps says which)",
          "The administrator changes it there, then: albumctl reload",
        ], place: place, remote: error)
    } else if let invalid = error.typed(ManagerInterface.InvalidConfiguration.self) {
      self.init(
        .invalidConfiguration, "The configuration has errors; the running one was kept.",
        advice: invalid.errors, place: place, remote: error)
    } else {
      return nil
    }
  }

  private init?(standard error: RemoteError, _ place: String) {
    if let invalid = error.typed(InvalidParameter.self) {
      self.init(
        .invalidParameter, "albumd does not take the value of \(invalid.parameter).",
        item: Self.item(in: invalid.parameter), place: place, remote: error)
    } else if [InterfaceNotFound.name, MethodNotFound.name, MethodNotImplemented.name].contains(error.name) {
      self.init(
        .notSupported, "This albumd does not offer \(place).",
        advice: ["It may be older than this program. Its version: albumctl info"], place: place, remote: error
      )
    } else if error.name == PermissionDenied.name {
      self.init(
        .permissionDenied, "albumd does not let this process call \(place).", place: place, remote: error)
    } else if error.name == "io.systemd.System", case .string(let reason)? = error.parameters["message"] {
      // What no interface foresees, told in the daemon's own words.
      self.init(.unknown, "albumd failed: \(reason).", place: place, remote: error)
    } else if error.name == ExpectedMore.name {
      self.init(
        .protocolViolation, "\(place) answers many times and has to be called so.", place: place,
        remote: error)
    } else {
      return nil
    }
  }
}

/// "40 seconds", "12 minutes", "3 hours": rounded up, for waiting less would be too early.
private func lengthOfTime(seconds: Int) -> String {
  let (count, unit) =
    switch seconds {
    case ..<120: (max(1, seconds), "second")
    case ..<7200: ((seconds - 1) / 60 + 1, "minute")
    default: ((seconds - 1) / 3600 + 1, "hour")
    }
  return "\(count) \(unit)\(count == 1 ? "" : "s")"
}

extension AlbumError {
  /// The number in `items[3].filename`.
  fileprivate static func item(in parameter: String) -> Int? {
    guard parameter.hasPrefix("items[") else { return nil }
    return Int(parameter.dropFirst("items[".count).prefix { $0 != "]" })
  }
}
