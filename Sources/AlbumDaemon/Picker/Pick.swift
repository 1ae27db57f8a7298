internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Linux
internal import Logging
internal import Storage
internal import Varlink
internal import VarlinkServer

/// One call of `Picker.Pick` (S23): the picker, the question about access if there is one, the answer.
@EventLoopActor
struct Pick {
  let service: PickerService
  let call: ServerCall
  let app: PeerIdentity
  let asksForAccess: Bool
  /// Of the message about what the app does not get.
  let language: String?
  /// Whether sidecars are handed over as well.
  let asksForSidecars: Bool

  /// Shows the picker.
  func begin(_ wish: PickerWish) {
    ask(.picker(wish)) { answer, _ in
      let names = answer.allows ? answer.order : []
      call.goOn {
        var picked: [Asset] = []
        try await call.inSlices(names) { names in
          picked += try names.compactMap(service.store.ids.asset).compactMap(service.store.files.asset)
        }
        try await askForAccess(to: picked, includesLocation: answer.includesLocation)
      }
    }
  }

  /// Asks whether the app may access what it does not see, all of it in one prompt. Not about what a yes could not give
  /// it: what is in a shared album never joins a selection (S19), a hidden photo is not seen in one (S91), and both come as what
  /// was picked, this once.
  private func askForAccess(to picked: [Asset], includesLocation: Bool) async throws {
    var outside: [Asset] = []
    if asksForAccess {
      try await call.inSlices(picked, of: LibraryService.readAtOnce) { picked in
        let view = service.access.view(of: app)
        let hidden = view?.hiddenAlbums ?? []
        outside += picked.filter { asset in
          !(view?.sees(asset) ?? false) && !asset.isHidden && asset.albums.allSatisfy { !hidden.contains($0) }
        }
      }
    }
    guard !outside.isEmpty else {
      return answer(picked, refused: [], includesLocation: includesLocation)
    }
    var ids: [String] = []
    try await call.inSlices(outside, of: LibraryService.readAtOnce) { assets in
      ids += assets.map { service.renderer.id($0.id) }
    }
    ask(.photoAccess(ids)) { [ids, outside] reply, author in
      call.goOn {
        let allowed = reply.allowed(among: ids)
        let refused = Set(zip(outside, ids).lazy.filter { !allowed.contains($1) }.map { $0.0.id })
        try await join(outside, ids, allowed, by: author) {
          answer(picked, refused: refused, includesLocation: includesLocation)
        }
      }
    }
  }

  /// What was allowed joins the app's selection, if it has one. What is in a shared album does not: a limited app never
  /// sees it (S19).
  ///
  /// - Parameter ids: of the assets, in their order.
  private func join(
    _ assets: [Asset], _ ids: [String], _ allowed: Set<String>, by author: AccessEvent.Author,
    then: @escaping @EventLoopActor () -> Void
  ) async throws {
    var joining: Set<String> = []
    try await call.inSlices(assets.indices, of: LibraryService.readAtOnce) { indices in
      let hidden = service.access.view(of: app)?.hiddenAlbums ?? []
      for index in indices where allowed.contains(ids[index]) {
        if assets[index].albums.allSatisfy({ !hidden.contains($0) }) { joining.insert(ids[index]) }
      }
    }
    service.center.join(joining, to: app, by: author) { reply in
      if case .failure(let error) = reply { return call.fail(error.onTheWire) }
      then()
    }
  }

  private func answer(_ picked: [Asset], refused: Set<AssetID>, includesLocation: Bool) {
    PickedFiles(pick: self, picked, refused: refused, includesLocation: includesLocation).begin()
  }

  private func ask(
    _ question: OwnerQuestion,
    then: @escaping @EventLoopActor (AuthorizationAnswer, AccessEvent.Author) throws -> Void
  ) {
    let access = service.access
    let requester = service.center.ask(
      question, app: app, asksItself: true, identity: { try? access.identity(of: call) }
    ) { reply in
      switch reply {
      case .answer(let answer, let author): do { try then(answer, author) } catch { call.fail(error) }
      case .failure(let error): service.refuse(error, app, call)
      case .status, .stored: call.fail(RequestError.noAgent.onTheWire)
      }
    }
    call.onEnd { [weak center = service.center] in center?.gone(requester) }
  }
}

extension AuthorizationAnswer {
  /// Whether the owner wanted to pick.
  fileprivate var allows: Bool {
    switch choice {
    case .allow, .limited: true
    case .deny, .notNow: false
    }
  }

  /// Of those that were asked about.
  fileprivate func allowed(among ids: [String]) -> Set<String> {
    switch choice {
    case .allow: Set(ids)
    case .limited: selection?.assets ?? []
    case .deny, .notNow: []
    }
  }
}
