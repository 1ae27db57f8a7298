internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Linux
internal import Varlink
internal import VarlinkServer

// `OpenAsset`: the very file, or what is left of it without the place where it was taken.
extension LibraryService {
  func open(_ parameters: LibraryInterface.OpenAsset.Parameters, _ call: ServerCall) throws {
    let reader = try access.reader(call)
    let asset = try asset(parameters.id, in: reader.view)
    if let resource = parameters.resource, !asset.mediaType.resources.contains(resource) {
      throw LibraryInterface.NoSuchResource(id: parameters.id, resource: resource)
    }
    if monitor.contents.mayWait(for: asset) {
      let task = Task.onLoopNow {
        do { try await self.waitToOpen(asset, parameters, call) } catch { call.fail(error) }
      }
      return call.onEnd { task.cancel() }
    }
    let (file, ending) = try openFile(of: asset, parameters)
    if reader.seesLocation, parameters.withoutLocation != true {
      let batch = DescriptorBatch()
      let index = batch.append(OwnedDescriptor(owning: file))
      return reply(asset, batch, index, ending, reader, call)
    }
    Task.onLoop { [self] in
      let name = PlaceFindings.File(
        asset: asset.id, resource: parameters.resource == .pairedVideo ? .pairedVideo : .main)
      do {
        try await openWithoutPlace(
          DescriptorBatch(owning: [file]), name, ending, parameters, reader, call)
      } catch {
        call.fail(error)
      }
    }
  }

  /// - Parameter file: holds the one descriptor, and knows whether its file system may not answer.
  private func openWithoutPlace(
    _ file: DescriptorBatch, _ name: PlaceFindings.File, _ ending: String?,
    _ parameters: LibraryInterface.OpenAsset.Parameters, _ reader: LibraryAccess.Reader, _ call: ServerCall
  ) async throws {
    let batch: DescriptorBatch
    do {
      batch = try await placeless.file(for: file, name, of: reader.caller.accountable)
    } catch let error as PlacelessFiles.Failure {
      switch error {
      case .cannotBeRemoved: throw LibraryInterface.LocationCannotBeRemoved(id: parameters.id)
      case .busy: throw AuthorizationInterface.Busy()
      }
    } catch let error where error.isNoSpace {
      throw LibraryInterface.NoSpace()
    }
    if call.isOver { return }
    // What the caller may see may be less by now.
    let reader = try access.reader(call)
    reply(try asset(parameters.id, in: reader.view), batch, 0, ending, reader, call)
  }

  /// The same, of a root whose file system may take a while, or not answer.
  private func waitToOpen(
    _ asset: Asset, _ parameters: LibraryInterface.OpenAsset.Parameters, _ call: ServerCall
  ) async throws {
    let file: OwnedDescriptor
    var ending: String?
    do {
      if parameters.resource == .pairedVideo {
        guard let video = try await monitor.contents.waitToOpenPairedVideo(of: asset) else {
          throw LibraryInterface.NoSuchResource(id: parameters.id, resource: .pairedVideo)
        }
        ending = video.name.ending
        file = video.take()
      } else {
        file = try await monitor.contents.waitToOpen(asset)
      }
    } catch let error as LibraryFileError { throw wireError(error, for: asset) }
    // Meanwhile the caller may have lost access, or the sight of it.
    let held = DescriptorBatch()
    held.mayWait = true
    let reader: LibraryAccess.Reader
    do { reader = try access.reader(call) } catch {
      _ = held.append(file)
      throw error
    }
    guard reader.seesLocation, parameters.withoutLocation != true else {
      let name = PlaceFindings.File(
        asset: asset.id, resource: parameters.resource == .pairedVideo ? .pairedVideo : .main)
      _ = held.append(file)
      return try await openWithoutPlace(held, name, ending, parameters, reader, call)
    }
    let index = held.append(file)
    reply(try self.asset(parameters.id, in: reader.view), held, index, ending, reader, call)
  }

  /// - Returns: an open file, which the caller has to close; of a movie the ending of its name.
  private func openFile(
    of asset: Asset, _ parameters: LibraryInterface.OpenAsset.Parameters
  ) throws -> (file: CInt, ending: String?) {
    do {
      guard parameters.resource == .pairedVideo else { return (try monitor.contents.open(asset).take(), nil) }
      guard let video = try monitor.contents.openPairedVideo(of: asset) else {
        throw LibraryInterface.NoSuchResource(id: parameters.id, resource: .pairedVideo)
      }
      let ending = video.name.ending
      return (video.take().take(), ending)
    } catch let error as LibraryFileError { throw wireError(error, for: asset) }
  }

  private func reply(
    _ asset: Asset, _ batch: DescriptorBatch, _ index: Int, _ ending: String?, _ reader: LibraryAccess.Reader,
    _ call: ServerCall
  ) {
    access.note(.open, by: reader)
    call.reply(descriptors: batch) { writer in
      writer.beginObject()
      writer.name("asset")
      renderer.write(asset, in: reader.view, location: reader.seesLocation, to: &writer)
      writer.name("fileDescriptor")
      writer.integer(index)
      if let ending {
        writer.name("pairedVideoExtension")
        writer.string(ending)
      }
      writer.end()
    }
  }
}
