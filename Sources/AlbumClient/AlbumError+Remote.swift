internal import AlbumAPI
internal import Sentences
public import Varlink
internal import Words

// What each error of the interfaces is to a program, and what to do about it. What it says is in Sentences.
extension AlbumError {
  /// An error that came over the wire. Fields that do not fit their error leave it as it came.
  public init(remote error: RemoteError, place: String) {
    self =
      Sentence(error, calling: place).flatMap { sentence in
        AlbumError(authorization: error, sentence, place)
          ?? AlbumError(library: error, sentence, place)
          ?? AlbumError(owner: error, sentence, place)
      }
      ?? AlbumError(standard: error, place)
      ?? AlbumError(.unknown, Self.unknown(error), place: place, remote: error)
  }

  /// What the daemon says of an error that this program has no sentence for: it may be newer than this.
  private static func unknown(_ error: RemoteError) -> Sentence {
    guard case .string(let message)? = error.parameters["message"], !message.isEmpty else {
      return "albumd refused: \(error)."
    }
    return Sentence(text: Quoted(message, byteLimit: longestMessage).description)
  }

  /// Bytes of a sentence of the daemon: more than it makes of any.
  private static let longestMessage = 4096

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

  private init?(authorization error: RemoteError, _ sentence: Sentence, _ place: String) {
    typealias Interface = AuthorizationInterface
    if error.name == Interface.NoAgent.name {
      self.init(
        .noAgent, sentence,
        advice: [.init(.advStartAgent)] + (place == Interface.Request.name ? [.init(.advWaitForAgent)] : []),
        place: place, remote: error)
    } else if let missing = error.typed(Interface.UsageDescriptionMissing.self) {
      self.init(
        .usageDescriptionMissing, sentence,
        advice: [.init(.advWriteUsage, ["manifest": missing.manifest]), .init(.advReload)], place: place,
        remote: error)
    } else if let throttled = error.typed(Interface.Throttled.self) {
      self.init(
        .throttled, sentence, advice: [askAgain(inSeconds: throttled.retryAfterSeconds)], place: place,
        remote: error)
    } else if error.name == Interface.Busy.name {
      self.init(
        .busy, sentence, advice: [.init(.advAskWhenAnswered)], place: place, remote: error)
    } else if error.name == Interface.UnidentifiedPeer.name {
      self.init(
        .unidentifiedPeer, sentence, advice: [.init(.advWhoAmI)], place: place, remote: error)
    } else {
      return nil
    }
  }

  private init?(library error: RemoteError, _ sentence: Sentence, _ place: String) {
    typealias Interface = LibraryInterface
    if let refused = error.typed(Interface.NotAuthorized.self) {
      self.init(
        .notAuthorized, sentence, guide: refused.guide, place: place, remote: error)
    } else if error.name == Interface.NoSuchAsset.name {
      self.init(
        .noSuchAsset, sentence, advice: [.init(.advAssets)], place: place, remote: error)
    } else if error.name == Interface.NoSuchResource.name {
      self.init(
        .noSuchResource, sentence, advice: [.init(.advResources)], place: place, remote: error)
    } else if error.name == Interface.NoAdjustment.name {
      self.init(
        .noAdjustment, sentence, advice: [.init(.advResources)], place: place, remote: error)
    } else if let missing = error.typed(Interface.PreviewUnavailable.self) {
      self.init(
        .previewUnavailable, sentence, advice: missing.reason == .busy ? [.init(.advTryAgain)] : [],
        place: place, remote: error)
    } else if error.name == Interface.NoSuchAlbum.name {
      self.init(
        .noSuchAlbum, sentence, advice: [.init(.advAlbums)], place: place, remote: error)
    } else if error.name == Interface.LocationCannotBeRemoved.name {
      self.init(
        .locationCannotBeRemoved, sentence, advice: [.init(.advLocationKept)], place: place, remote: error)
    } else if error.name == Interface.TokenExpired.name {
      self.init(
        .tokenExpired, sentence, advice: [.init(.advFetchAnew)], place: place, remote: error)
    } else if error.name == Interface.Offline.name {
      self.init(
        .offline, sentence, advice: [.init(.advWhenMounted)], place: place, remote: error)
    } else if let refused = error.typed(Interface.NotMedia.self) {
      self.init(
        .notMedia, sentence, item: refused.item, place: place, remote: error)
    } else if let refused = error.typed(Interface.TooLarge.self) {
      self.init(
        .tooLarge, sentence, advice: [.init(.advAddBytes)], item: refused.item, place: place, remote: error)
    } else if error.name == Interface.NoSpace.name {
      self.init(
        .noSpace, sentence, advice: [.init(.advMakeRoom)], place: place, remote: error)
    } else if let refused = error.typed(Interface.InvalidFileDescriptor.self) {
      self.init(
        .invalidFileDescriptor, sentence, item: refused.item, place: place, remote: error)
    } else if error.name == Interface.TooManyAlbums.name {
      self.init(
        .tooManyAlbums, sentence, advice: [.init(.advUseAlbums), .init(.advAlbumsPerApp)], place: place,
        remote: error)
    } else if error.name == Interface.TooDeep.name {
      self.init(
        .tooDeep, sentence, advice: [.init(.advFurtherUp), .init(.advAlbumDepth)], place: place, remote: error
      )
    } else if error.name == Interface.LastAlbum.name {
      self.init(
        .lastAlbum, sentence, advice: [.init(.advDelete)], place: place, remote: error)
    } else if error.name == Interface.CannotLink.name {
      self.init(
        .cannotLink, sentence, place: place, remote: error)
    } else if error.name == Interface.NameTaken.name {
      self.init(
        .nameTaken, sentence, place: place, remote: error)
    } else if let refused = error.typed(Interface.CannotMove.self) {
      self.init(
        .cannotMove, sentence, advice: refused.reason == .shared ? [.init(.advMoveShared)] : [], place: place,
        remote: error)
    } else if error.name == Interface.AlbumNotEmpty.name {
      self.init(
        .albumNotEmpty, sentence, place: place, remote: error)
    } else if error.name == Interface.ReadOnly.name {
      self.init(
        .readOnly, sentence, place: place, remote: error)
    } else if error.name == Interface.FlagsNotSupported.name {
      self.init(
        .flagsNotSupported, sentence, place: place, remote: error)
    } else if error.name == Interface.UserRefused.name {
      self.init(
        .userRefused, sentence, place: place, remote: error)
    } else {
      return nil
    }
  }

  private init?(owner error: RemoteError, _ sentence: Sentence, _ place: String) {
    if error.name == ManagerInterface.NotAnOwner.name || error.name == AgentInterface.NotAnOwner.name {
      self.init(
        .notAnOwner, sentence,
        advice: [.init(.advOwnersGroup), .init(.advOwnersNamed), .init(.advNeverOwner)], place: place,
        remote: error)
    } else if error.name == AgentInterface.NoSuchPrompt.name {
      self.init(
        .noSuchPrompt, sentence, place: place, remote: error)
    } else if error.name == AgentInterface.InvalidAnswer.name {
      self.init(
        .invalidAnswer, sentence, place: place, remote: error)
    } else if error.name == ManagerInterface.NoSuchDeletedAsset.name {
      self.init(
        .noSuchDeletedAsset, sentence, advice: [.init(.advDeleted)], place: place, remote: error)
    } else if error.name == ManagerInterface.CannotRestore.name {
      self.init(
        .cannotRestore, sentence, place: place, remote: error)
    } else if error.name == ManagerInterface.NoSuchApp.name {
      self.init(
        .noSuchApp, sentence, advice: [.init(.seeWhichApps)], place: place, remote: error)
    } else if let missing = error.typed(ManagerInterface.NoLocationUsage.self) {
      self.init(
        .usageDescriptionMissing, sentence,
        advice: [.init(.advWriteUsage, ["manifest": missing.manifest]), .init(.advReload)], place: place,
        remote: error)
    } else if error.name == ManagerInterface.NotGranted.name {
      self.init(
        .noSuchApp, sentence, advice: [.init(.seeWhichApps)], place: place, remote: error)
    } else if error.name == ManagerInterface.LockedByPolicy.name {
      self.init(
        .lockedByPolicy, sentence, advice: [.init(.advOpenLevels), .init(.advPolicyThere)], place: place,
        remote: error)
    } else if let invalid = error.typed(ManagerInterface.InvalidConfiguration.self) {
      self.init(
        .invalidConfiguration, sentence, advice: invalid.errors.map(Sentence.init(text:)), place: place,
        remote: error)
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
