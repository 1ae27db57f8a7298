package import AlbumAPI
package import AlbumClient

/// What albumctl ends with (`albumctl --help`).
package enum CommandStatus: Int32, CaseIterable, Hashable, Sendable {
  /// Done.
  case done = 0
  /// It did not work.
  case failed = 1
  /// The command line makes no sense.
  case usage = 2
  /// The app, or the user, may not do this. The guide was printed.
  case notAuthorized = 3
  /// Nobody is there to answer a prompt.
  case noAgent = 4
  /// The owner was asked and did not agree.
  case refused = 5

  /// What a failure ends with.
  package init(_ error: AlbumError) {
    self =
      switch error.code {
      case .notAuthorized, .notAnOwner: .notAuthorized
      case .noAgent: .noAgent
      case .userRefused: .refused
      case .throttled: Self.askingOwner.contains(error.place) ? .refused : .failed
      case .busy, .locationCannotBeRemoved, .usageDescriptionMissing, .unidentifiedPeer, .noSuchAsset,
        .noSuchResource, .noAdjustment, .previewUnavailable, .noSuchAlbum,
        .tokenExpired, .offline, .notMedia, .tooLarge, .noSpace, .tooManyAlbums, .tooDeep, .lastAlbum,
        .cannotLink, .nameTaken, .cannotMove, .albumNotEmpty, .readOnly, .flagsNotSupported,
        .noSuchDeletedAsset, .cannotRestore, .invalidFileDescriptor, .noSuchPrompt, .invalidAnswer,
        .noSuchApp, .lockedByPolicy, .invalidConfiguration, .notSupported, .invalidParameter,
        .permissionDenied, .notRunning, .connectionLost, .outOfResources, .protocolViolation, .unknown:
        .failed
      }
  }

  /// Methods for which an owner is asked: where one of them is throttled, the owner has refused or put off what it asks for
  /// several times (S13), or, where the owner had agreed, the app has used up what a day allows: the two are told in the same
  /// words. Elsewhere it is always the latter, and nobody was asked.
  private static let askingOwner: Set<String> = [
    AuthorizationInterface.Request.name, AuthorizationInterface.PresentLimitedPicker.name,
    LibraryInterface.DeleteAssets.name, LibraryInterface.DeleteAlbum.name, LibraryInterface.ReplaceAsset.name,
    LibraryInterface.RevertAsset.name, PickerInterface.Pick.name,
  ]

  /// What a request for access ends with: a refusal that stays is 3, "not now" (S11) is 5.
  package init(requestAnsweredWith status: AuthorizationInterface.AuthorizationStatus) {
    self =
      switch status {
      case .authorized, .limited: .done
      case .denied, .restricted: .notAuthorized
      case .notDetermined: .refused
      }
  }
}
