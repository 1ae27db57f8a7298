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

/// What was picked, on its way to the app: open files, in as many replies as they need and the caller takes.
///
/// A reply is made when the one before it was taken, so that what waits here is a list of ids and no open file.
@EventLoopActor
final class PickedFiles {
  private let pick: Pick
  private let refused: Set<AssetID>
  private let includesLocation: Bool
  private let count: Int
  private var rest: ArraySlice<Asset>
  private var inaccessible = 0

  private var service: PickerService { pick.service }

  /// - Parameters:
  ///   - picked: in the order of picking.
  ///   - refused: of which the app gets no file.
  ///   - includesLocation: whether it gets the very files (S55), or copies without the place (S56).
  init(pick: Pick, _ picked: [Asset], refused: Set<AssetID>, includesLocation: Bool) {
    self.includesLocation = includesLocation
    self.pick = pick
    self.refused = refused
    count = picked.count
    rest = picked[...]
  }

  /// Sends a reply, and then the others.
  func begin() {
    let task = Task.onLoopNow { [self] in
      while !pick.call.isOver {
        await send()
        if rest.isEmpty { return }
        try? await pick.call.waitUntilDrained()
      }
    }
    pick.call.onEnd { task.cancel() }
  }

  /// Sends the next. Time may have passed: files are opened as they are now.
  private func send() async {
    let batch = takeBatch()
    let descriptors = DescriptorBatch()
    let items = await open(batch, into: descriptors)
    if pick.call.isOver { return }
    inaccessible += items.count { !$0.accessible }
    let message =
      rest.isEmpty
      ? service.access.guides.inaccessible(inaccessible, of: pick.app, language: pick.language)?.message : nil
    if rest.isEmpty { note() }
    pick.call.reply(
      PickerInterface.Pick.Reply(items: items, inaccessibleCount: inaccessible, message: message),
      continues: !rest.isEmpty, descriptors: descriptors)
  }

  /// As many as one reply has room for, movies and sidecars included, and one at least; of a caller that takes one reply
  /// all, which are no more than it has room for without those.
  private func takeBatch() -> [Asset] {
    var room = PickerInterface.mostItems
    let fitting = rest.prefix { asset in
      room -= pick.call.call.wantsMore ? files(of: asset) : 1
      return room >= 0
    }
    let batch = rest.prefix(max(1, fitting.count))
    rest = rest.dropFirst(batch.count)
    return Array(batch)
  }

  private func files(of asset: Asset) -> Int {
    (asset.mediaType == .livePhoto ? 2 : 1) + (pick.asksForSidecars ? asset.sidecars : 0)
  }

  private func note() {
    let app = pick.app
    service.log.info(
      "\(app.appID): the owner picked \(count), it gets \(count - inaccessible)",
      metadata: ["appId": "\(app.appID)", "uid": "\(app.uid)"])
    // Nothing picked is what the owner answered, and not what an app got.
    service.access.accessLog.note(
      AccessEvent(.pick, outcome: count == 0 ? "userRefused" : nil), assets: count == 0 ? nil : count,
      app: app)
  }

  private func open(
    _ batch: [Asset], into descriptors: DescriptorBatch
  ) async -> [PickerInterface.PickedItem] {
    let allowed = batch.map { refused.contains($0.id) ? nil : now($0) }
    var files: [Int?] = []
    for asset in allowed {
      if let asset { files.append(await open(asset, into: descriptors)) } else { files.append(nil) }
    }
    // As it is now that they are open.
    let view = service.access.view(of: pick.app)
    var items = batch.indices.map { index in
      let (asset, file) = (allowed[index] ?? batch[index], files[index])
      let rendered = service.renderer.asset(asset, in: view ?? .everything, location: false)
      let sees = view?.sees(asset) ?? false
      return PickerInterface.PickedItem(
        id: sees ? rendered.id : nil, filename: rendered.filename,
        percentEncodedFilename: rendered.percentEncodedFilename, mediaType: rendered.mediaType,
        fileDescriptor: file, accessible: file != nil)
    }
    // As far as there is room: nobody goes without a photo for the movie of another.
    for case (let index, let asset?) in allowed.enumerated()
    where items[index].accessible && descriptors.count < PickerInterface.mostItems {
      await openMovie(of: asset, into: descriptors, of: &items[index])
    }
    guard pick.asksForSidecars else { return items }
    for case (let index, let asset?) in allowed.enumerated() where items[index].accessible {
      items[index].sidecars = await openSidecars(of: asset, into: descriptors)
    }
    return items
  }

  /// As it is now; nil when it has gone.
  private func now(_ asset: Asset) -> Asset? {
    do { return try service.store.files.asset(asset.id) } catch {
      service.log.notice("A picked photo cannot be looked up: \(error)")
      return nil
    }
  }

  /// The file itself (S43), or a copy without the place; nil when it is out of reach, or the place cannot be removed.
  private func open(_ asset: Asset, into descriptors: DescriptorBatch) async -> Int? {
    do {
      let name = PlaceFindings.File(asset: asset.id, resource: .main)
      let (contents, user) = (service.contents, pick.app.accountable)
      let file = try await contents.recognizing(asset, for: user) {
        try await contents.waitToOpen($0, for: user)
      }
      return try await handOut(file, name, of: asset, into: descriptors)
    } catch {
      tell("A picked photo cannot be opened: \(error)")
      return nil
    }
  }

  private func handOut(
    _ file: HeldFile, _ name: PlaceFindings.File, of asset: Asset, into descriptors: DescriptorBatch
  ) async throws -> Int {
    // What the owner lets it learn of these, and what it learns anyway: by now, since it takes them as slowly as it likes.
    if includesLocation || service.access.includesLocation(pick.app) {
      return try file.move(to: descriptors)
    }
    let (placeless, user) = (service.placeless, pick.app.accountable)
    let original = DescriptorBatch()
    _ = try file.move(to: original)
    guard let index = try await placeless.file(for: original, name, of: user).move(0, to: descriptors) else {
      throw PlacelessFiles.Failure.cannotBeRemoved
    }
    return index
  }

  /// The sidecars of an asset, for which there is room.
  private func openSidecars(
    of asset: Asset, into descriptors: DescriptorBatch
  ) async -> [PickerInterface.PickedSidecar]? {
    var found: [PickerInterface.PickedSidecar] = []
    for number in 0..<asset.sidecars where descriptors.count < PickerInterface.mostItems {
      do {
        guard
          let sidecar = try await service.contents.waitToOpenSidecar(
            number, of: asset, for: pick.app.accountable)
        else { continue }
        let index = try await handOut(
          sidecar.file, .init(asset: asset.id, resource: .sidecar), of: asset, into: descriptors)
        found.append(.init(fileDescriptor: index, sidecarExtension: asset.ending(of: sidecar.name)))
      } catch { tell("A picked photo's sidecar cannot be opened: \(error)") }
    }
    return found.isEmpty ? nil : found
  }

  /// What is opened for who has gone fails.
  private func tell(_ problem: String) {
    if !pick.call.isOver { service.log.notice("\(problem)") }
  }

  /// The movie of a live photo.
  private func openMovie(
    of asset: Asset, into descriptors: DescriptorBatch, of item: inout PickerInterface.PickedItem
  ) async {
    do {
      guard
        let movie = try await service.contents.waitToOpen(
          .pairedVideo, of: asset, for: pick.app.accountable)
      else { return }
      item.pairedVideoFileDescriptor = try await handOut(
        movie.file, .init(asset: asset.id, resource: .pairedVideo), of: asset, into: descriptors)
      item.pairedVideoExtension = movie.name.ending
    } catch { tell("A picked photo's movie cannot be opened: \(error)") }
  }
}
