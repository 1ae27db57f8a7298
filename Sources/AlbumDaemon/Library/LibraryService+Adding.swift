internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Varlink
internal import VarlinkServer
internal import VarlinkTransport

extension LibraryService {
  /// Adds files; with `more`, says after each how far it has come, and what was added until then.
  func addAssets(
    _ parameters: LibraryInterface.AddAssets.Parameters, _ call: ServerCall
  ) async throws -> LibraryInterface.AddAssets.Reply {
    let state = AddingState(try access.adding(call, language: parameters.language))
    let album = try parameters.album.map { try targetAlbum($0, call, state.adding) }
    guard !parameters.items.isEmpty else { throw InvalidParameter(parameter: "items") }
    let outcome = await adder.add(
      parameters.items, call.files, for: additions.accountable(call.connection.peer.uid), to: album,
      share: try share(state.adding, call),
      allow: mayBegin(call) { [self] in
        // Copying takes as long as the peer likes: what was decided meanwhile counts (S29).
        state.adding = try access.adding(call, language: parameters.language)
        if let album = parameters.album { _ = try targetAlbum(album, call, state.adding) }
      }
    ) { outcome in
      if let new = outcome.assets.dropFirst(state.ids.count).first { state.note(renderer.id(new.id)) }
      state.note(outcome.failures, call)
      if state.unselected.count >= AddingState.selectedTogether { await select(state) }
      let done = outcome.assets.count + outcome.failures.count
      guard call.call.wantsMore, done < parameters.items.count else { return }
      call.reply(
        LibraryInterface.AddAssets.Reply(
          // What joins a selection is told when all of it has (S18).
          ids: state.limited != nil ? [] : state.ids,
          failures: state.failures,
          completed: done), continues: true)
    }
    // Neither: its peer has gone.
    if outcome.assets.isEmpty { throw outcome.failures.first?.error ?? CancellationError() }
    access.noteAdding(outcome.assets.count, call, state.adding)
    await select(state)
    state.note(outcome.failures, call)
    return LibraryInterface.AddAssets.Reply(
      ids: state.ids, failures: state.failures,
      completed: parameters.items.count, guide: try guide(to: outcome.assets, parameters, call))
  }

  /// What a caller may add today; an owner, whatever they like.
  private func share(_ adding: LibraryAccess.Adding, _ call: ServerCall) throws -> DailyAdditions.Share? {
    if case .owner = adding { return nil }
    return additions.share(of: try access.identity(of: call))
  }

  /// What to do with what was saved, for who says what it is for.
  private func guide(
    to assets: [Asset], _ parameters: LibraryInterface.AddAssets.Parameters, _ call: ServerCall
  ) throws -> AuthorizationInterface.Guide? {
    guard let purpose = parameters.purpose, let first = assets.first else { return nil }
    let app = try access.identity(of: call)
    // Its own album is called as it is for it (S16).
    let view = access.view(of: app) ?? .everything
    let album = monitor.contents.album(first.primary.directory).map { renderer.album($0, in: view).title }
    return access.guides.saved(
      assets.count, to: album ?? "", for: purpose, of: app,
      language: call.language(named: parameters.language),
      desktop: parameters.desktop)
  }

  /// An album to add to: one that the caller sees. An app that never reads sees none.
  private func targetAlbum(_ id: String, _ call: ServerCall, _ adding: LibraryAccess.Adding) throws -> AlbumID
  {
    guard !adding.isReceiptOnly else { throw LibraryInterface.NoSuchAlbum(id: id) }
    return try album(id, in: try access.reader(call).view)
  }

  /// What a limited app adds joins its own selection (S18), before it is told the ids.
  private func select(_ state: AddingState) async {
    guard let app = state.limited else { return }
    let ids = state.unselected
    state.unselected = []
    await center.extendSelection(of: app.record(.readWrite), by: Set(ids))
  }
}

/// How far a call that adds has come.
@EventLoopActor
private final class AddingState {
  /// So many join a selection at once: each time is a transaction, and what has not joined is lost to the app when the
  /// daemon is killed.
  static let selectedTogether = 16

  /// How the caller may add now.
  var adding: LibraryAccess.Adding { didSet { noteLimit() } }
  /// The caller, once it was limited: what it adds is its own, however often that changes meanwhile.
  private(set) var limited: PeerIdentity?
  /// What was added, as the caller is told.
  private(set) var ids: [String] = []
  /// Those of them that have yet to join its selection, if it is limited.
  var unselected: [String] = []
  /// What was refused, as the caller is told.
  private(set) var failures: [LibraryInterface.AddFailure] = []

  init(_ adding: LibraryAccess.Adding) {
    self.adding = adding
    noteLimit()
  }

  private func noteLimit() {
    if case .reader(let app, isLimited: true) = adding { limited = app }
  }

  /// So much was refused by now. Each is told of in every reply, and its sentence is made once.
  func note(_ refused: [(item: Int, error: any Error)], _ call: ServerCall) {
    failures += refused.dropFirst(failures.count).map { .init(item: $0.item, $0.error, call) }
  }

  /// Something was added.
  func note(_ id: String) {
    ids.append(adding.isReceiptOnly ? Receipt.random() : id)
    if case .reader = adding { unselected.append(id) }
  }
}

extension LibraryAccess.Adding {
  /// Whether the app is told receipts instead of ids (S32).
  fileprivate var isReceiptOnly: Bool {
    switch self {
    case .owner, .reader: false
    case .receiptsOnly: true
    }
  }
}

extension LibraryInterface.AddFailure {
  /// A failure with a sentence for a person, in the language that the caller has named (S89).
  @EventLoopActor
  fileprivate init(item: Int, _ error: any Error, _ call: ServerCall) {
    let known = error as? any VarlinkError
    let name = known.map { type(of: $0).name } ?? SystemFailure.name
    if let told = known.flatMap(call.reworded), case .string(let message)? = told.parameters["message"] {
      self.init(item: item, error: name, message: message)
      return
    }
    let message =
      switch error {
      case is LibraryInterface.NotMedia: "it is neither a photo nor a video"
      case let error as LibraryInterface.TooLarge:
        "it is larger than \(error.limit) bytes, which is the most that can be added"
      case is LibraryInterface.NoSpace: "the library's disk is full"
      case let error as AuthorizationInterface.Throttled:
        "as much was added as may be within a day; go on in \(error.retryAfterSeconds) seconds"
      case let error as LibraryInterface.InvalidFileDescriptor: error.reason
      case let error as LibraryInterface.Offline: "the directory \(error.root) cannot be reached"
      case let error as InvalidParameter: "\(error.parameter) cannot be used"
      case let error as LibraryFileError: "\(error)"
      // What else there is, such as the database's word, is for the log: it names paths.
      default: "albumd could not add it"
      }
    self.init(item: item, error: name, message: message)
  }
}

/// What an app that may only add is told: a number that names nothing (S32).
enum Receipt {
  static func random() -> String { "receipt-\(RandomDigits.make())" }
}
