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
    if let resource = parameters.resource, !asset.resources.contains(resource) {
      throw LibraryInterface.NoSuchResource(id: parameters.id, resource: resource)
    }
    if monitor.contents.mayWait(for: asset) {
      let task = Task.onLoopNow {
        do { try await self.waitToOpen(asset, parameters, call) } catch { call.fail(error) }
      }
      return call.onEnd { task.cancel() }
    }
    let opened = try openFile(of: asset, parameters)
    if reader.seesLocation, parameters.withoutLocation != true {
      let batch = DescriptorBatch()
      let index = batch.append(OwnedDescriptor(owning: opened.file))
      return reply(asset, batch, index, opened, reader, call)
    }
    Task.onLoop { [self] in
      let name = PlaceFindings.File(asset: asset.id, resource: parameters.link)
      do {
        try await openWithoutPlace(
          DescriptorBatch(owning: [opened.file]), name, opened, parameters, reader, call)
      } catch {
        call.fail(error)
      }
    }
  }

  /// A file that was opened.
  private struct Opened {
    /// Open; who has this has to close it.
    let file: CInt
    /// Which of the asset's files: nil of the photo or video itself.
    let resource: LibraryInterface.ResourceType?
    /// What its name has that the asset's has not.
    let ending: String?
  }

  /// - Parameter file: holds the one descriptor, and knows whether its file system may not answer.
  private func openWithoutPlace(
    _ file: DescriptorBatch, _ name: PlaceFindings.File, _ opened: Opened,
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
    reply(try asset(parameters.id, in: reader.view), batch, 0, opened, reader, call)
  }

  /// The same, of a root whose file system may take a while, or not answer.
  private func waitToOpen(
    _ asset: Asset, _ parameters: LibraryInterface.OpenAsset.Parameters, _ call: ServerCall
  ) async throws {
    let opened: Opened
    do {
      let contents = monitor.contents
      switch parameters.resource {
      case .pairedVideo:
        opened = try self.opened(try await contents.waitToOpenPairedVideo(of: asset), of: asset, parameters)
      case .sidecar:
        let number = parameters.sidecar ?? 0
        opened = try self.opened(
          try await contents.waitToOpenSidecar(number, of: asset), of: asset, parameters)
      case .photo, .video, nil:
        let file = try await contents.waitToOpen(asset)
        opened = Opened(file: file.take(), resource: nil, ending: nil)
      }
    } catch let error as LibraryFileError { throw wireError(error, for: asset) }
    // Meanwhile the caller may have lost access, or the sight of it.
    let held = DescriptorBatch()
    held.mayWait = true
    let reader: LibraryAccess.Reader
    do { reader = try access.reader(call) } catch {
      _ = held.append(OwnedDescriptor(owning: opened.file))
      throw error
    }
    guard reader.seesLocation, parameters.withoutLocation != true else {
      let name = PlaceFindings.File(asset: asset.id, resource: parameters.link)
      _ = held.append(OwnedDescriptor(owning: opened.file))
      return try await openWithoutPlace(held, name, opened, parameters, reader, call)
    }
    let index = held.append(OwnedDescriptor(owning: opened.file))
    reply(try self.asset(parameters.id, in: reader.view), held, index, opened, reader, call)
  }

  private func openFile(
    of asset: Asset, _ parameters: LibraryInterface.OpenAsset.Parameters
  ) throws -> Opened {
    let contents = monitor.contents
    do {
      switch parameters.resource {
      case .pairedVideo: return try opened(contents.openPairedVideo(of: asset), of: asset, parameters)
      case .sidecar:
        return try opened(contents.openSidecar(parameters.sidecar ?? 0, of: asset), of: asset, parameters)
      case .photo, .video, nil:
        return Opened(file: try contents.open(asset).take(), resource: nil, ending: nil)
      }
    } catch let error as LibraryFileError { throw wireError(error, for: asset) }
  }

  /// A movie or a sidecar, if there is one.
  private func opened(
    _ companion: consuming Companion?, of asset: Asset,
    _ parameters: LibraryInterface.OpenAsset.Parameters
  ) throws -> Opened {
    guard let companion, let resource = parameters.resource else {
      throw LibraryInterface.NoSuchResource(
        id: parameters.id, resource: parameters.resource ?? .photo)
    }
    let name = companion.name
    return Opened(
      file: companion.take().take(), resource: resource,
      ending: resource == .sidecar ? asset.ending(of: name) : name.ending)
  }

  private func reply(
    _ asset: Asset, _ batch: DescriptorBatch, _ index: Int, _ opened: Opened, _ reader: LibraryAccess.Reader,
    _ call: ServerCall
  ) {
    access.note(.open, by: reader)
    call.reply(descriptors: batch) { writer in
      writer.beginObject()
      writer.name("asset")
      renderer.write(asset, in: reader.view, location: reader.seesLocation, to: &writer)
      writer.name("fileDescriptor")
      writer.integer(index)
      if let ending = opened.ending {
        if opened.resource == .sidecar {
          writer.name("sidecarExtension")
        } else {
          writer.name("pairedVideoExtension")
        }
        writer.string(ending)
      }
      writer.end()
    }
  }
}

extension LibraryInterface.OpenAsset.Parameters {
  /// Which of its files, as the index has it.
  fileprivate var link: Link.Resource {
    switch resource {
    case .pairedVideo: .pairedVideo
    case .sidecar: .sidecar
    case .photo, .video, nil: .main
    }
  }
}
