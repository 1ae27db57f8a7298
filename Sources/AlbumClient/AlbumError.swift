public import AlbumAPI
internal import Glibc
internal import Linux
internal import Sentences
public import Varlink
internal import VarlinkTransport
package import Words

/// Why something did not happen, as a sentence for a person and what they can do about it.
///
/// It is long because the interfaces have so many errors: each is a code, a way out of it and a line where it is read.
public struct AlbumError: Error, Hashable, Sendable {
  /// What kind of failure it is.
  public enum Code: String, CaseIterable, Hashable, Sendable {
    /// The app may not do this (S15); there is a guide.
    case notAuthorized
    /// Only an owner may do this (S44).
    case notAnOwner
    /// Nobody is there to answer the prompt (S12).
    case noAgent
    /// The owner did not agree to this very call, or put it off (S33).
    case userRefused
    /// The owner put it off too often (S13).
    case throttled
    /// Too many prompts wait (S13).
    case busy
    /// The app does not say why it asks (S14).
    case usageDescriptionMissing
    /// The daemon cannot tell who calls (S36).
    case unidentifiedPeer
    /// No such asset, as far as the caller may see.
    case noSuchAsset
    /// The asset has no such file.
    case noSuchResource
    /// What was done to the asset is not known, or no original of it is kept (S94).
    case noAdjustment
    /// The app may not learn where the photo was taken, and its file cannot be had without that (S56).
    case locationCannotBeRemoved
    /// There is no preview of the asset, for now or as long as its file stays as it is (S54).
    case previewUnavailable
    /// No such album, as far as the caller may see.
    case noSuchAlbum
    /// The place in the changes is gone (S27).
    case tokenExpired
    /// A root cannot be reached (S41).
    case offline
    /// Neither a photo nor a video (S31).
    case notMedia
    /// Larger than the configuration allows.
    case tooLarge
    /// The library's file system is full.
    case noSpace
    /// The app has created as many albums as it may.
    case tooManyAlbums
    /// An album inside too many others.
    case tooDeep
    /// In no other album, and so not to be taken out of this one (S34).
    case lastAlbum
    /// Not to be had in that album as well (S34).
    case cannotLink
    /// Something else has that name there.
    case nameTaken
    /// Not to be had in that place (S75).
    case cannotMove
    /// What is in the album keeps it from being deleted (S76).
    case albumNotEmpty
    /// The library's file system cannot be written.
    case readOnly
    /// A file that cannot be marked as a favourite, or as hidden (S90).
    case flagsNotSupported
    /// No deleted asset of this id.
    case noSuchDeletedAsset
    /// A deleted asset that cannot be put back or removed.
    case cannotRestore
    /// A descriptor that is no use.
    case invalidFileDescriptor
    /// The prompt was answered or withdrawn.
    case noSuchPrompt
    /// The answer does not fit the prompt.
    case invalidAnswer
    /// No app of this id.
    case noSuchApp
    /// A policy decides (S37).
    case lockedByPolicy
    /// The configuration has errors (S38).
    case invalidConfiguration
    /// The daemon does not know this call: it is older or newer than this program.
    case notSupported
    /// A parameter is wrong.
    case invalidParameter
    /// The daemon allows this caller nothing.
    case permissionDenied
    /// Nobody listens at the socket.
    case notRunning
    /// The connection ended before the reply.
    case connectionLost
    /// This process may not have another descriptor or thread.
    case outOfResources
    /// What came back is not what the interface says.
    case protocolViolation
    /// An error that this program has no sentence for.
    case unknown
  }

  /// What kind of failure it is.
  public let code: Code
  /// What is the matter, in whole sentences, in the language of the process. May hold names that came from a peer:
  /// escape it for a terminal.
  public var message: String { sentence.text(in: Self.words) }
  /// What to do, one line each, in the same language; empty when there is nothing to say.
  public var advice: [String] { counsel.map { $0.text(in: Self.words) } }
  let sentence: Sentence
  let counsel: [Sentence]
  /// What the daemon wants to be shown to the person (S15).
  public let guide: AuthorizationInterface.Guide?
  /// The item of a batch that it is about.
  public let item: Int?
  /// The method that was called, or the socket's path.
  public let place: String
  /// The error as it came.
  public let remote: RemoteError?

  init(
    _ code: Code, _ message: Sentence, advice: [Sentence] = [], guide: AuthorizationInterface.Guide? = nil,
    item: Int? = nil, place: String, remote: RemoteError? = nil
  ) {
    self.code = code
    sentence = message
    counsel = advice
    self.guide = guide
    self.item = item
    self.place = place
    self.remote = remote
  }

  /// The caller's status, when it may not do this.
  public var status: AuthorizationStatus? { refusal?.status }

  /// The refusal as it came: of which level, and why.
  var refusal: LibraryInterface.NotAuthorized? { remote?.typed(LibraryInterface.NotAuthorized.self) }

  /// The code of Apple's `PHPhotosError` that means the same, for a program that knows those.
  public var photosErrorCode: Int? {
    switch code {
    // PHPhotosError.Code: persistentChangeTokenExpired, libraryVolumeOffline, userCancelled, notEnoughSpace,
    // identifierNotFound
    case .tokenExpired: 3105
    case .offline: 3114
    case .userRefused: 3072
    case .noSpace: 3305
    case .noSuchAsset, .noSuchAlbum, .noSuchResource: 3201
    // accessRestricted, accessUserDenied
    case .notAuthorized: status == .restricted ? 3310 : 3311
    // invalidResource
    case .notMedia, .tooLarge, .invalidFileDescriptor, .locationCannotBeRemoved: 3302
    case .previewUnavailable, .noAdjustment, .notAnOwner, .tooManyAlbums, .tooDeep, .lastAlbum, .cannotLink,
      .nameTaken, .cannotMove, .albumNotEmpty, .readOnly, .flagsNotSupported,
      .noSuchDeletedAsset,
      .cannotRestore, .noAgent, .throttled, .busy, .usageDescriptionMissing, .unidentifiedPeer, .noSuchPrompt,
      .invalidAnswer, .noSuchApp, .lockedByPolicy, .invalidConfiguration, .notSupported, .invalidParameter,
      .permissionDenied, .notRunning, .connectionLost, .outOfResources, .protocolViolation, .unknown:
      nil
    }
  }

  /// The same error, about an item of a larger batch.
  func about(item: Int) -> AlbumError {
    AlbumError(
      code, sentence, advice: counsel, guide: guide, item: item, place: place, remote: remote)
  }

  /// Whatever a call on a connection threw.
  init(_ error: any Error, place: String) {
    switch error {
    case let error as AlbumError: self = error
    case let error as RemoteError: self.init(remote: error, place: place)
    case let error as ConnectionError: self.init(error, place: place)
    case let error as DecodingError: self.init(error, place: place)
    default: self.init(.protocolViolation, "\(error).", place: place)
    }
  }

  private init(_ error: ConnectionError, place: String) {
    switch error {
    case .closed:
      self.init(
        .connectionLost, .init(.errClosed), advice: [.init(.advJournal)], place: place)
    case .violation(let violation):
      self.init(.protocolViolation, "What answers is not albumd: \(violation).", place: place)
    case .descriptorsLost: self.init(outOfResources: SystemError("recvmsg", code: EMFILE), place: place)
    }
  }

  private init(_ error: DecodingError, place: String) {
    let context: DecodingError.Context? =
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
        .dataCorrupted(let context):
        context
      @unknown default: nil
      }
    let field = context?.codingPath.map(\.stringValue).joined(separator: ".") ?? ""
    self.init(
      .protocolViolation,
      """
      The reply is not what the interface says\(field.isEmpty ? "" : " (\(field))"): \
      \(context?.debugDescription ?? "\(error)").
      """,
      advice: ["albumd and this program may be of different versions."], place: place)
  }
}

extension AlbumError {
  /// The words of the process's language (locale(7)).
  private static let words = Words.matching(PreferredLanguages.ofProcess)

  /// The message in another language than the process's, such as `zh-Hans`; English where there is none.
  public func message(in language: String) -> String { message(in: Words.matching([language])) }

  /// The message in these words, such as those of an installed translation.
  package func message(in words: Words) -> String { sentence.text(in: words) }

  /// The advice in these words.
  package func advice(in words: Words) -> [String] { counsel.map { $0.text(in: words) } }
}

extension AlbumError: CustomStringConvertible {
  /// The message alone.
  public var description: String { message }
}

extension AlbumError {
  /// This process has no descriptor or thread left.
  init(outOfResources error: SystemError, place: String) {
    self.init(
      .outOfResources, .init(.errResources, ["reason": "\(error)"]), advice: [.init(.advUlimit)], place: place
    )
  }

  /// A file that is to be sent could not be opened: open(2).
  init(opening error: SystemError) {
    if error.isExhaustion {
      self.init(outOfResources: error, place: "open")
    } else {
      self.init(.invalidFileDescriptor, .init(.errInvalidFile, ["reason": error.reason]), place: "open")
    }
  }

  /// A reply names an open file that did not come.
  init(noFileWith place: String) {
    self.init(.protocolViolation, "The daemon sent no open file with its reply.", place: place)
  }

  /// Nobody could be reached: connect(2), unix(7).
  init(connecting error: SystemError, to path: String) {
    let other = Sentence(.advOtherSocket, ["variable": SocketPath.variable])
    let values = ["path": path, "reason": error.reason]
    if error.isExhaustion {
      self.init(outOfResources: error, place: path)
      return
    }
    let (code, message, advice): (Code, Phrase, [Sentence]) =
      switch error.code {
      case ENOENT, ENOTDIR: (.notRunning, .errNotRunningNoSocket, [.init(.advStart), other])
      case ECONNREFUSED: (.notRunning, .errNotRunningLeft, [.init(.advStart), other])
      case EACCES, EPERM: (.permissionDenied, .errMayNotConnect, [.init(.advSocketMode), other])
      case EAGAIN: (.busy, .errConnectBusy, [.init(.advTryAgain)])
      case ENAMETOOLONG: (.notRunning, .errPathTooLong, [other])
      default: (.notRunning, .errCannotConnect, [other])
      }
    self.init(code, .init(message, values), advice: advice, place: path)
  }
}

extension SystemError {
  /// Whether this process, or the system, has no descriptor or memory left for one more.
  var isExhaustion: Bool { [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(code) }
}
