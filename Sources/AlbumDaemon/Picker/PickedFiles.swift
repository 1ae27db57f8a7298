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
  private let count: Int
  private var rest: ArraySlice<Asset>
  private var inaccessible = 0

  private var service: PickerService { pick.service }

  /// - Parameters:
  ///   - picked: in the order of picking.
  ///   - refused: of which the app gets no file.
  init(pick: Pick, _ picked: [Asset], refused: Set<AssetID>) {
    self.pick = pick
    self.refused = refused
    count = picked.count
    rest = picked[...]
  }

  /// Sends a reply, and then the others. Time may have passed: files are opened as they are now.
  func send() {
    let batch = takeBatch()
    let descriptors = DescriptorBatch()
    let items = open(batch, into: descriptors)
    inaccessible += items.count { !$0.accessible }
    let message =
      rest.isEmpty
      ? service.access.guides.inaccessible(inaccessible, of: pick.app, language: pick.language)?.message : nil
    if rest.isEmpty { note() }
    pick.call.reply(
      PickerInterface.Pick.Reply(items: items, inaccessibleCount: inaccessible, message: message),
      continues: !rest.isEmpty, descriptors: descriptors)
    if rest.isEmpty { return }
    Task.onLoop { [self] in
      try? await pick.call.waitUntilDrained()
      if !pick.call.isOver { send() }
    }
  }

  /// As many as one reply has room for, movies included; of a caller that takes one reply all, which are no more than
  /// it has room for without those.
  private func takeBatch() -> [Asset] {
    var room = PickerInterface.mostItems
    let batch = rest.prefix { asset in
      room -= pick.call.call.wantsMore && asset.mediaType == .livePhoto ? 2 : 1
      return room >= 0
    }
    rest = rest.dropFirst(batch.count)
    return Array(batch)
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

  private func open(_ batch: [Asset], into descriptors: DescriptorBatch) -> [PickerInterface.PickedItem] {
    let view = service.access.view(of: pick.app)
    let allowed = batch.map { refused.contains($0.id) ? nil : now($0) }
    var items = zip(batch, allowed).map { before, now in
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
    return items
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
    if service.contents.mayWait(for: asset) { descriptors.mayWait = true }
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
}
