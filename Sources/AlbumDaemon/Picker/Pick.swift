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

  /// Shows the picker.
  func begin(_ types: Set<MediaType>?, limit: Int) {
    ask(.picker(types, limit: limit)) { answer, _ in
      let picked = try answer.picked.compactMap(service.store.ids.asset).compactMap(service.store.files.asset)
        .sorted { ($0.created, $0.id) < ($1.created, $1.id) }
      try askForAccess(to: picked)
    }
  }

  /// Asks whether the app may access what it does not see, all of it in one prompt.
  private func askForAccess(to picked: [Asset]) throws {
    let view = service.access.view(of: app)
    let outside = picked.filter { asset in !(view?.sees(asset.id, in: asset.albums) ?? false) }
    guard asksForAccess, !outside.isEmpty else { return finish(picked, refused: []) }
    let ids = outside.map { service.renderer.id($0.id) }
    ask(.photoAccess(ids)) { answer, author in
      let allowed = answer.allowed(among: ids)
      let refused = Set(ids).subtracting(allowed).compactMap(service.store.ids.asset)
      join(outside, allowed, by: author) { finish(picked, refused: Set(refused)) }
    }
  }

  /// What was allowed joins the app's selection, if it has one. What is in a shared album does not: a limited app never
  /// sees it (S19).
  private func join(
    _ assets: [Asset], _ allowed: Set<String>, by author: AccessEvent.Author,
    then: @escaping @EventLoopActor () -> Void
  ) {
    let hidden = service.access.view(of: app)?.hiddenAlbums ?? []
    let joining = assets.filter { $0.albums.allSatisfy { !hidden.contains($0) } }.map {
      service.renderer.id($0.id)
    }
    service.center.join(allowed.intersection(joining), to: app, by: author) { reply in
      if case .failure(let error) = reply { return call.fail(error.onTheWire) }
      then()
    }
  }

  /// Opens what was picked and answers. Time may have passed: files are opened as they are now.
  private func finish(_ picked: [Asset], refused: Set<AssetID>) {
    let view = service.access.view(of: app)
    let descriptors = DescriptorBatch()
    let allowed = picked.map { refused.contains($0.id) ? nil : now($0) }
    var items = zip(picked, allowed).map { before, now in
      let asset = now ?? before
      let file = now.flatMap { open($0, into: descriptors) }
      let rendered = service.renderer.asset(asset, in: view ?? .everything)
      let sees = view?.sees(asset.id, in: asset.albums) ?? false
      return PickerInterface.PickedItem(
        id: sees ? rendered.id : nil, filename: rendered.filename,
        percentEncodedFilename: rendered.percentEncodedFilename, mediaType: rendered.mediaType,
        fileDescriptor: file, accessible: file != nil)
    }
    // As far as there is room: nobody goes without a photo for the movie of another.
    for case (let index, let asset?) in allowed.enumerated()
    where items[index].accessible && descriptors.count < PickerInterface.mostItems {
      openMovie(of: asset, into: descriptors, of: &items[index])
    }
    let inaccessible = items.count { !$0.accessible }
    service.log.info(
      "\(app.appID): the owner picked \(items.count), it gets \(items.count - inaccessible), for \(service.names.label(app.uid))",
      metadata: ["appId": "\(app.appID)", "uid": "\(app.uid)"])
    // Nothing picked is what the owner answered, and not what an app got.
    service.access.accessLog.note(
      AccessEvent(.pick, outcome: picked.isEmpty ? "userRefused" : nil),
      assets: picked.isEmpty ? nil : picked.count, app: app)
    call.reply(
      PickerInterface.Pick.Reply(
        items: items, inaccessibleCount: inaccessible,
        message: service.access.guides.inaccessible(inaccessible, of: app, language: language)?.message),
      descriptors: descriptors)
  }

  /// As it is now; nil when it has gone.
  private func now(_ asset: Asset) -> Asset? {
    do { return try service.store.files.asset(asset.id) } catch {
      service.log.notice("A picked photo cannot be looked up: \(error)")
      return nil
    }
  }

  /// The file itself (S43); nil when it is out of reach.
  private func open(_ asset: Asset, into descriptors: DescriptorBatch) -> Int? {
    do { return descriptors.append(try service.contents.open(asset)) } catch {
      service.log.notice("A picked photo cannot be opened: \(error)")
      return nil
    }
  }

  /// The movie of a live photo.
  private func openMovie(
    of asset: Asset, into descriptors: DescriptorBatch, of item: inout PickerInterface.PickedItem
  ) {
    do {
      guard let movie = try service.contents.openPairedVideo(of: asset) else { return }
      item.pairedVideoExtension = movie.name.ending
      item.pairedVideoFileDescriptor = descriptors.append(movie.take())
    } catch { service.log.notice("A picked photo's movie cannot be opened: \(error)") }
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
      case .failure(let error):
        access.accessLog.note(AccessEvent(.pick, outcome: error.outcome), app: app)
        call.fail(error.onTheWire)
      case .status, .stored: call.fail(RequestError.noAgent.onTheWire)
      }
    }
    call.onEnd { [weak center = service.center] in center?.gone(requester) }
  }
}

extension AuthorizationAnswer {
  /// What was picked; nothing when the owner did not want to.
  fileprivate var picked: Set<String> {
    switch choice {
    case .allow, .limited: selection?.assets ?? []
    case .deny, .notNow: []
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
