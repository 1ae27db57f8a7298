internal import AlbumAPI
package import Varlink
internal import Words

// The one place that turns errors of the interfaces into sentences, for the daemon and for its clients.
extension Sentence {
  /// What an error says; nil for one that is none of the interfaces', or whose fields do not fit it.
  ///
  /// - Parameter method: the full name of what was called.
  package init?(_ error: RemoteError, calling method: String) {
    guard let sentence = Self.ofErrors[error.name]?(error, method) else { return nil }
    self = sentence
  }

  private typealias Reading = @Sendable (RemoteError, _ method: String) -> Sentence?

  private static let ofErrors = Dictionary(
    uniqueKeysWithValues: ofAuthorization + ofLibrary + ofAlbums + ofOwners)

  private static func of<Known: VarlinkError>(
    _ type: Known.Type, _ sentence: @escaping @Sendable (Known, _ method: String) -> Sentence
  ) -> (String, Reading) {
    (Known.name, { error, method in error.typed(type).map { sentence($0, method) } })
  }

  /// What says the same of all its fields.
  private static func of<Known: VarlinkError>(_ type: Known.Type, _ phrase: Phrase) -> (String, Reading) {
    of(type) { _, _ in Sentence(phrase) }
  }

  private static var ofAuthorization: [(String, Reading)] {
    typealias Interface = AuthorizationInterface
    return [
      of(Interface.NoAgent.self, .errNoAgent),
      of(Interface.UsageDescriptionMissing.self) { error, _ in
        .init(.errUsageMissing, ["app": error.appId, "level": error.accessLevel.rawValue])
      },
      of(Interface.Throttled.self) { _, method in
        .init(method == LibraryInterface.AddAssets.name ? .errThrottledAdding : .errThrottled)
      },
      of(Interface.Busy.self, .errBusy),
      of(Interface.UnidentifiedPeer.self) { error, _ in .init(.errUnidentified, ["reason": error.reason]) },
    ]
  }

  private static var ofLibrary: [(String, Reading)] {
    typealias Interface = LibraryInterface
    return [
      of(Interface.NotAuthorized.self) { error, _ in
        .init(
          .errNotAuthorized, ["level": error.accessLevel.rawValue, "status": error.status.rawValue])
      },
      of(Interface.NoSuchAsset.self) { error, _ in .init(.errNoSuchAsset, ["id": error.id]) },
      of(Interface.NoSuchResource.self) { error, _ in
        .init(.errNoSuchResource, ["id": error.id, "kind": error.resource.rawValue])
      },
      of(Interface.PreviewUnavailable.self) { error, _ in .init(error.reason.phrase, ["id": error.id]) },
      of(Interface.LocationCannotBeRemoved.self) { error, _ in .init(.errLocationKept, ["id": error.id]) },
      of(Interface.TokenExpired.self, .errTokenExpired),
      of(Interface.Offline.self) { error, _ in .init(.errOffline, ["root": error.root]) },
      of(Interface.NotMedia.self, .errNotMedia),
      of(Interface.TooLarge.self) { error, _ in .init(.errTooLarge, ["limit": "\(error.limit)"]) },
      of(Interface.NoAdjustment.self) { error, _ in .init(.errNoAdjustment, ["id": error.id]) },
      of(Interface.NoSpace.self, .errNoSpace),
      of(Interface.UserRefused.self, .errUserRefused),
      of(Interface.FlagsNotSupported.self) { error, _ in .init(.errFlagsNotSupported, ["id": error.id]) },
      of(Interface.ReadOnly.self) { error, _ in .init(.errReadOnly, ["root": error.root]) },
      of(Interface.InvalidFileDescriptor.self) { error, _ in .init(.errInvalidFile, ["reason": error.reason])
      },
    ]
  }

  private static var ofAlbums: [(String, Reading)] {
    typealias Interface = LibraryInterface
    return [
      of(Interface.NoSuchAlbum.self) { error, _ in .init(.errNoSuchAlbum, ["id": error.id]) },
      of(Interface.TooManyAlbums.self) { error, _ in .init(.errTooManyAlbums, ["limit": "\(error.limit)"]) },
      of(Interface.TooDeep.self) { error, _ in .init(.errTooDeep, ["limit": "\(error.limit)"]) },
      of(Interface.LastAlbum.self, .errLastAlbum),
      of(Interface.CannotLink.self) { error, _ in .init(.errCannotLink, ["reason": error.reason]) },
      of(Interface.NameTaken.self) { error, _ in .init(.errNameTaken, ["name": error.name]) },
      of(Interface.CannotMove.self) { error, _ in .init(error.reason.phrase) },
      of(Interface.AlbumNotEmpty.self) { error, _ in .init(error.reason.phrase) },
    ]
  }

  private static var ofOwners: [(String, Reading)] {
    typealias Interface = ManagerInterface
    return [
      of(Interface.NotAnOwner.self, .errNotAnOwner),
      of(AgentInterface.NotAnOwner.self, .errNotAnOwner),
      of(AgentInterface.NoSuchPrompt.self, .errNoSuchPrompt),
      of(AgentInterface.InvalidAnswer.self) { error, _ in .init(.errInvalidAnswer, ["reason": error.reason])
      },
      of(Interface.NoSuchDeletedAsset.self) { error, _ in .init(.errNoSuchDeleted, ["id": error.id]) },
      of(Interface.CannotRestore.self) { error, _ in
        .init(.errCannotRestore, ["id": error.id, "reason": error.reason])
      },
      of(Interface.NoSuchApp.self) { error, _ in .init(.errNoSuchApp, ["id": error.id]) },
      of(Interface.NotGranted.self) { error, _ in .init(.errNotGranted, ["app": error.appId]) },
      of(Interface.NoLocationUsage.self) { error, _ in .init(.errLocationUsageMissing, ["app": error.appId])
      },
      of(Interface.LockedByPolicy.self) { error, _ in .init(.errLocked, ["policy": error.policy]) },
      of(Interface.InvalidConfiguration.self, .errConfiguration),
    ]
  }
}

extension LibraryInterface.PreviewProblem {
  fileprivate var phrase: Phrase {
    switch self {
    case .unreadable: .errPreviewUnreadable
    case .broke: .errPreviewBroke
    case .unavailable: .errPreviewUnavailable
    case .busy: .errPreviewBusy
    }
  }
}

extension LibraryInterface.AlbumRemainder {
  fileprivate var phrase: Phrase {
    switch self {
    case .otherFiles: .errAlbumOtherFiles
    case .tooMany: .errAlbumTooMany
    case .notSeen: .errAlbumNotSeen
    }
  }
}

extension LibraryInterface.MoveProblem {
  fileprivate var phrase: Phrase {
    switch self {
    case .otherRoot: .errMoveOtherRoot
    case .insideItself: .errMoveInsideItself
    case .mounted: .errMoveMounted
    case .shared: .errMoveShared
    }
  }
}
