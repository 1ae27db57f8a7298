internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Linux
internal import Storage
internal import Varlink
internal import VarlinkServer

extension LibraryService {
  /// So many previews one user waits for at a time.
  private static var mostPreviews: Int { 64 }
  /// So many calls of one user prepare previews at a time.
  private static var mostPreparing: Int { 4 }

  /// A small picture of an asset (S54).
  func openPreview(_ parameters: LibraryInterface.OpenPreview.Parameters, _ call: ServerCall) async throws {
    let reader = try access.reader(call)
    let isPixmap = parameters.encoding == .pixmap
    let allowed = isPixmap ? Previews.pixmapPixels : Previews.pixels
    guard allowed ~= parameters.pixels else { throw InvalidParameter(parameter: "pixels") }
    let asset = try asset(parameters.id, in: reader.view)
    // Who reads it would wait with it where a file system does not answer.
    if monitor.contents.mayWait(for: asset) {
      throw LibraryInterface.PreviewUnavailable(id: parameters.id, reason: .unavailable)
    }
    let user = additions.accountable(reader.caller.uid)
    let file: DescriptorBatch
    do {
      file = try await monitor.contents.recognizing(asset, for: user) { try opened($0) }
    } catch let error as LibraryFileError { throw wireError(error, for: asset) }
    guard waitingPreviews[user, default: 0] < Self.mostPreviews else {
      throw LibraryInterface.PreviewUnavailable(id: parameters.id, reason: .busy)
    }
    // Before it takes its time: what is asked for meanwhile counts as well.
    guard let reservation = previews.reserve(pixels: parameters.pixels, isPixmap: isPixmap, for: user)
    else { throw LibraryInterface.PreviewUnavailable(id: parameters.id, reason: .busy) }
    waitingPreviews[user, default: 0] += 1
    defer { waitingPreviews[user] = waitingPreviews[user].flatMap { $0 > 1 ? $0 - 1 : nil } }
    let preview: Preview
    let memory: DescriptorBatch
    do throws(PictureFailure) {
      let (pixels, isSquare) = (parameters.pixels, parameters.crop ?? false)
      let demand = PictureDemand.common(.shown, for: .user(user))
      (preview, memory) =
        if isPixmap {
          try await previews.handedOutPixmap(
            file, pixels: pixels, isSquare: isSquare, demand, reservation)
        } else {
          try await previews.handedOut(
            file, asset.pictured, pixels: pixels, isSquare: isSquare, demand, reservation)
        }
    } catch { throw LibraryInterface.PreviewUnavailable(id: parameters.id, reason: .init(error)) }
    // It took its time: what is decided by now counts (S29).
    let now = try access.reader(call)
    let seen = try self.asset(parameters.id, in: now.view)
    access.note(.open, by: now)
    call.reply(
      LibraryInterface.OpenPreview.Reply(
        fileDescriptor: 0, mediaType: preview.encoding.mediaType, pixelWidth: preview.width,
        pixelHeight: preview.height),
      descriptors: memory, while: stillDue(seen.id, of: now.caller, call, isWhole: false))
  }

  /// The very file of an asset, open (S43).
  private func opened(_ asset: Asset) throws -> DescriptorBatch {
    let batch = DescriptorBatch()
    _ = batch.append(try monitor.contents.open(asset))
    return batch
  }

  /// Makes previews before they are asked for, in the order of the ids, until the caller hangs up.
  func preparePreviews(
    _ parameters: LibraryInterface.PreparePreviews.Parameters, _ call: ServerCall
  ) async throws -> LibraryInterface.PreparePreviews.Reply {
    let user = additions.accountable(try access.reader(call).caller.uid)
    guard Previews.pixels ~= parameters.pixels else { throw InvalidParameter(parameter: "pixels") }
    guard 1...Self.mostNamed ~= parameters.ids.count else { throw InvalidParameter(parameter: "ids") }
    guard preparingPreviews[user, default: 0] < Self.mostPreparing else {
      throw LibraryInterface.PreviewUnavailable(id: parameters.ids[0], reason: .busy)
    }
    preparingPreviews[user, default: 0] += 1
    defer { preparingPreviews[user] = preparingPreviews[user].flatMap { $0 > 1 ? $0 - 1 : nil } }
    let state = PreparedPreviews(rest: parameters.ids[...])
    let isSquare = parameters.crop ?? false
    let lanes = min(previews.lanes, parameters.ids.count)
    await withCheckedContinuation { continuation in
      state.lanes = lanes
      for _ in 0..<lanes {
        let task = Task.onLoop { [self] in
          await prepare(
            state, pixels: parameters.pixels, isSquare: isSquare, .common(.soon, for: .user(user)), call)
          state.lanes -= 1
          if state.lanes == 0 { continuation.resume() }
        }
        call.onEnd { task.cancel() }
      }
    }
    if let failure = state.failure { throw failure }
    return .init(completed: state.completed)
  }

  private func prepare(
    _ state: PreparedPreviews, pixels: Int, isSquare: Bool, _ demand: PictureDemand, _ call: ServerCall
  ) async {
    while !state.rest.isEmpty {
      // Of all that its user has prepared, one is looked for in a turn: there may be thousands, and they may be there already.
      await call.giveWay()
      guard let id = state.rest.popFirst() else { return }
      guard !call.isOver, state.failure == nil else { return }
      do {
        // What may be seen is asked for each: it takes long (S29).
        let reader = try access.reader(call)
        if let asset = try seenAsset(id, in: reader.view), !monitor.contents.mayWait(for: asset),
          let file = try? opened(asset)
        {
          call.endSlice()
          _ = try? await previews.preview(
            of: file, asset.pictured, pixels: pixels, isSquare: isSquare, demand)
        }
      } catch {
        state.failure = error
        return
      }
      state.completed += 1
      let isLast = state.completed == state.count
      guard call.call.wantsMore, !isLast, state.completed % PreparedPreviews.together == 0 else { continue }
      call.reply(LibraryInterface.PreparePreviews.Reply(completed: state.completed), continues: true)
      // Who does not read waits, and nobody for it.
      call.endSlice()
      try? await call.waitUntilDrained()
    }
  }
}

/// How far a call has come that prepares previews.
@EventLoopActor
private final class PreparedPreviews {
  /// After so many it is told.
  static let together = 8

  var rest: ArraySlice<String>
  let count: Int
  var completed = 0
  var lanes = 0
  var failure: (any Error)?

  init(rest: ArraySlice<String>) {
    self.rest = rest
    count = rest.count
  }
}

extension LibraryInterface.PreviewProblem {
  init(_ failure: PictureFailure) {
    switch failure {
    case .unreadable: self = .unreadable
    case .broke: self = .broke
    case .unavailable: self = .unavailable
    case .busy: self = .busy
    }
  }
}
