internal import AlbumAPI
public import Varlink
internal import Words

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
    // What is told of the file itself the daemon says.
    let message: Sentence =
      switch code {
      case .notMedia: .init(.errNotMedia)
      case .noSpace: .init(.errNoSpace)
      case .throttled: .init(.errThrottledAdding)
      default: .init(text: failure.message)
      }
    self.init(
      code, message, item: failure.item, place: place,
      remote: RemoteError(name: failure.error, parameters: JSONObject()))
  }

  private init?(authorization error: RemoteError, _ place: String) {
    typealias Interface = AuthorizationInterface
    if error.name == Interface.NoAgent.name {
      self.init(
        .noAgent, .init(.errNoAgent),
        advice: [.init(.advStartAgent)]
          + (place == Interface.Request.name ? [.init(.advWaitForAgent)] : []),
        place: place, remote: error)
    } else if let missing = error.typed(Interface.UsageDescriptionMissing.self) {
      self.init(
        .usageDescriptionMissing,
        .init(.errUsageMissing, ["app": missing.appId, "level": missing.accessLevel.rawValue]),
        advice: [.init(.advWriteUsage, ["manifest": missing.manifest]), .init(.advReload)], place: place,
        remote: error)
    } else if let throttled = error.typed(Interface.Throttled.self) {
      self.init(
        .throttled,
        .init(place == LibraryInterface.AddAssets.name ? .errThrottledAdding : .errThrottled),
        advice: [askAgain(inSeconds: throttled.retryAfterSeconds)], place: place,
        remote: error)
    } else if error.name == Interface.Busy.name {
      self.init(
        .busy, .init(.errBusy), advice: [.init(.advAskWhenAnswered)], place: place, remote: error)
    } else if let unidentified = error.typed(Interface.UnidentifiedPeer.self) {
      self.init(unidentified: unidentified.reason, error, place)
    } else {
      return nil
    }
  }

  private init(unidentified reason: String, _ error: RemoteError, _ place: String) {
    self.init(
      .unidentifiedPeer, .init(.errUnidentified, ["reason": reason]), advice: [.init(.advWhoAmI)],
      place: place, remote: error)
  }

  private static func phrase(of problem: LibraryInterface.PreviewProblem) -> Phrase {
    switch problem {
    case .unreadable: .errPreviewUnreadable
    case .broke: .errPreviewBroke
    case .unavailable: .errPreviewUnavailable
    case .busy: .errPreviewBusy
    }
  }

  private static func phrase(of remainder: LibraryInterface.AlbumRemainder) -> Phrase {
    switch remainder {
    case .otherFiles: .errAlbumOtherFiles
    case .tooMany: .errAlbumTooMany
    case .notSeen: .errAlbumNotSeen
    }
  }

  private static func phrase(of problem: LibraryInterface.MoveProblem) -> Phrase {
    switch problem {
    case .otherRoot: .errMoveOtherRoot
    case .insideItself: .errMoveInsideItself
    case .mounted: .errMoveMounted
    case .shared: .errMoveShared
    }
  }

  private init?(library error: RemoteError, _ place: String) {
    typealias Interface = LibraryInterface
    if let refused = error.typed(Interface.NotAuthorized.self) {
      self.init(
        .notAuthorized,
        .init(
          .errNotAuthorized,
          ["level": refused.accessLevel.rawValue, "status": refused.status.rawValue]),
        guide: refused.guide, place: place, remote: error)
    } else if let missing = error.typed(Interface.NoSuchAsset.self) {
      self.init(
        .noSuchAsset, .init(.errNoSuchAsset, ["id": missing.id]), advice: [.init(.advAssets)], place: place,
        remote: error)
    } else if let missing = error.typed(Interface.NoSuchResource.self) {
      self.init(
        .noSuchResource,
        .init(.errNoSuchResource, ["id": missing.id, "kind": missing.resource.rawValue]),
        advice: [.init(.advResources)], place: place, remote: error)
    } else if let missing = error.typed(Interface.PreviewUnavailable.self) {
      self.init(
        .previewUnavailable, .init(Self.phrase(of: missing.reason), ["id": missing.id]),
        advice: missing.reason == .busy ? [.init(.advTryAgain)] : [], place: place, remote: error)
    } else if let missing = error.typed(Interface.NoSuchAlbum.self) {
      self.init(
        .noSuchAlbum, .init(.errNoSuchAlbum, ["id": missing.id]), advice: [.init(.advAlbums)], place: place,
        remote: error)
    } else if let kept = error.typed(Interface.LocationCannotBeRemoved.self) {
      self.init(
        .locationCannotBeRemoved, .init(.errLocationKept, ["id": kept.id]), advice: [.init(.advLocationKept)],
        place: place, remote: error)
    } else if error.name == Interface.TokenExpired.name {
      self.init(
        .tokenExpired, .init(.errTokenExpired), advice: [.init(.advFetchAnew)], place: place, remote: error)
    } else if let offline = error.typed(Interface.Offline.self) {
      self.init(
        .offline, .init(.errOffline, ["root": offline.root]), advice: [.init(.advWhenMounted)], place: place,
        remote: error)
    } else if let refused = error.typed(Interface.NotMedia.self) {
      self.init(
        .notMedia, .init(.errNotMedia), item: refused.item, place: place,
        remote: error)
    } else if let refused = error.typed(Interface.TooLarge.self) {
      self.init(
        .tooLarge, .init(.errTooLarge, ["limit": "\(refused.limit)"]), advice: [.init(.advAddBytes)],
        item: refused.item, place: place,
        remote: error)
    } else if error.name == Interface.NoSpace.name {
      self.init(
        .noSpace, .init(.errNoSpace), advice: [.init(.advMakeRoom)], place: place, remote: error)
    } else if let refused = error.typed(Interface.InvalidFileDescriptor.self) {
      self.init(
        .invalidFileDescriptor, .init(.errInvalidFile, ["reason": refused.reason]), item: refused.item,
        place: place,
        remote: error)
    } else if let refused = error.typed(Interface.TooManyAlbums.self) {
      self.init(
        .tooManyAlbums, .init(.errTooManyAlbums, ["limit": "\(refused.limit)"]),
        advice: [.init(.advUseAlbums), .init(.advAlbumsPerApp)], place: place, remote: error)
    } else if let refused = error.typed(Interface.TooDeep.self) {
      self.init(
        .tooDeep, .init(.errTooDeep, ["limit": "\(refused.limit)"]),
        advice: [.init(.advFurtherUp), .init(.advAlbumDepth)], place: place, remote: error)
    } else if error.typed(Interface.LastAlbum.self) != nil {
      self.init(
        .lastAlbum, .init(.errLastAlbum), advice: [.init(.advDelete)], place: place, remote: error)
    } else if let refused = error.typed(Interface.CannotLink.self) {
      self.init(
        .cannotLink, .init(.errCannotLink, ["reason": refused.reason]), place: place, remote: error)
    } else if let taken = error.typed(Interface.NameTaken.self) {
      self.init(.nameTaken, .init(.errNameTaken, ["name": taken.name]), place: place, remote: error)
    } else if let refused = error.typed(Interface.CannotMove.self) {
      self.init(
        .cannotMove, .init(Self.phrase(of: refused.reason)),
        advice: refused.reason == .shared ? [.init(.advMoveShared)] : [], place: place, remote: error)
    } else if let kept = error.typed(Interface.AlbumNotEmpty.self) {
      self.init(.albumNotEmpty, .init(Self.phrase(of: kept.reason)), place: place, remote: error)
    } else if let refused = error.typed(Interface.ReadOnly.self) {
      self.init(.readOnly, .init(.errReadOnly, ["root": refused.root]), place: place, remote: error)
    } else if error.name == Interface.UserRefused.name {
      self.init(
        .userRefused, .init(.errUserRefused), place: place, remote: error)
    } else {
      return nil
    }
  }

  private init?(owner error: RemoteError, _ place: String) {
    if error.name == ManagerInterface.NotAnOwner.name || error.name == AgentInterface.NotAnOwner.name {
      self.init(
        .notAnOwner, .init(.errNotAnOwner),
        advice: [.init(.advOwnersGroup), .init(.advOwnersNamed), .init(.advNeverOwner)], place: place,
        remote: error)
    } else if error.name == AgentInterface.NoSuchPrompt.name {
      self.init(
        .noSuchPrompt, .init(.errNoSuchPrompt), place: place, remote: error)
    } else if let invalid = error.typed(AgentInterface.InvalidAnswer.self) {
      self.init(
        .invalidAnswer, .init(.errInvalidAnswer, ["reason": invalid.reason]), place: place, remote: error)
    } else if let missing = error.typed(ManagerInterface.NoSuchDeletedAsset.self) {
      self.init(
        .noSuchDeletedAsset, .init(.errNoSuchDeleted, ["id": missing.id]), advice: [.init(.advDeleted)],
        place: place, remote: error)
    } else if let refused = error.typed(ManagerInterface.CannotRestore.self) {
      self.init(
        .cannotRestore, .init(.errCannotRestore, ["id": refused.id, "reason": refused.reason]), place: place,
        remote: error)
    } else if let missing = error.typed(ManagerInterface.NoSuchApp.self) {
      self.init(
        .noSuchApp, .init(.errNoSuchApp, ["id": missing.id]), advice: [.init(.seeWhichApps)], place: place,
        remote: error)
    } else if let missing = error.typed(ManagerInterface.NoLocationUsage.self) {
      self.init(
        .usageDescriptionMissing, .init(.errLocationUsageMissing, ["app": missing.appId]),
        advice: [.init(.advWriteUsage, ["manifest": missing.manifest]), .init(.advReload)], place: place,
        remote: error)
    } else if let missing = error.typed(ManagerInterface.NotGranted.self) {
      self.init(
        .noSuchApp, .init(.errNotGranted, ["app": missing.appId]), advice: [.init(.seeWhichApps)],
        place: place, remote: error)
    } else if let locked = error.typed(ManagerInterface.LockedByPolicy.self) {
      self.init(
        .lockedByPolicy,
        .init(.errLocked, ["policy": locked.policy]),
        advice: [
          .init(.advOpenLevels), .init(.advPolicyThere),
        ], place: place, remote: error)
    } else if let invalid = error.typed(ManagerInterface.InvalidConfiguration.self) {
      self.init(
        .invalidConfiguration, .init(.errConfiguration), advice: invalid.errors.map(Sentence.init(text:)),
        place: place, remote: error)
    } else {
      return nil
    }
  }

  private init?(standard error: RemoteError, _ place: String) {
    if let invalid = error.typed(InvalidParameter.self) {
      self.init(
        .invalidParameter, .init(.errInvalidParameter, ["name": invalid.parameter]),
        item: Self.item(in: invalid.parameter), place: place, remote: error)
    } else if [InterfaceNotFound.name, MethodNotFound.name, MethodNotImplemented.name].contains(error.name) {
      self.init(
        .notSupported, .init(.errNotSupported, ["name": place]), advice: [.init(.advOlder)], place: place,
        remote: error
      )
    } else if error.name == PermissionDenied.name {
      self.init(
        .permissionDenied, .init(.errPermissionDenied, ["name": place]), place: place, remote: error)
    } else if error.name == "io.systemd.System", case .string(let reason)? = error.parameters["message"] {
      // What no interface foresees, told in the daemon's own words.
      self.init(.unknown, .init(.errFailed, ["reason": reason]), place: place, remote: error)
    } else if error.name == ExpectedMore.name {
      self.init(
        .protocolViolation, "\(place) answers many times and has to be called so.", place: place,
        remote: error)
    } else {
      return nil
    }
  }
}

/// In so many seconds, minutes or hours: rounded up, for waiting less would be too early.
private func askAgain(inSeconds seconds: Int) -> Sentence {
  let (count, phrase): (Int, Phrase) =
    switch seconds {
    case ..<120: (max(2, seconds), .advAskAgainSeconds)
    case ..<7200: ((seconds - 1) / 60 + 1, .advAskAgainMinutes)
    default: ((seconds - 1) / 3600 + 1, .advAskAgainHours)
    }
  return Sentence(phrase, ["count": "\(count)"])
}

extension AlbumError {
  /// The number in `items[3].filename`.
  fileprivate static func item(in parameter: String) -> Int? {
    guard parameter.hasPrefix("items[") else { return nil }
    return Int(parameter.dropFirst("items[".count).prefix { $0 != "]" })
  }
}
