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
    // Where an original is, only another thread may ask of some file systems.
    if parameters.resource == .original || mayWait(for: asset) {
      return waitToOpen(asset, parameters, call)
    }
    let opened: Opened
    do { opened = try openFile(of: asset, parameters) } catch let error as LibraryFileError {
      // It may have another number by now: then it is opened when that is known.
      guard monitor.contents.mayBeRecognized(asset, error) else { throw wireError(error, for: asset) }
      return waitToOpen(asset, parameters, call)
    }
    if reader.seesLocation, parameters.withoutLocation != true {
      return reply(asset, opened.batch, opened, reader, call, isWhole: true)
    }
    call.goOn { [self] in try await openWithoutPlace(opened, of: asset, parameters, reader, call) }
  }

  /// Whether opening one of its files may take a while. The directory of nearly every asset is the only one to be looked at,
  /// without a list of them.
  private func mayWait(for asset: Asset) -> Bool {
    if monitor.contents.rootApart(of: asset.primary.directory) != nil { return true }
    return !asset.otherLinks.isEmpty && monitor.contents.mayWait(for: asset)
  }

  /// A file that was opened.
  private struct Opened {
    /// Holds it alone, and who closes it.
    let batch: DescriptorBatch
    /// Which of the asset's files: nil of the photo or video itself.
    var resource: LibraryInterface.ResourceType?
    /// What its name has that the asset's has not.
    var ending: String?

    init(_ file: consuming OwnedDescriptor) { batch = DescriptorBatch(owning: [file.take()]) }

    init(_ file: HeldFile) throws(LibraryFileError) {
      batch = DescriptorBatch()
      _ = try file.move(to: batch)
    }
  }

  private func openWithoutPlace(
    _ opened: Opened, of asset: Asset, _ parameters: LibraryInterface.OpenAsset.Parameters,
    _ reader: LibraryAccess.Reader, _ call: ServerCall
  ) async throws {
    let name = PlaceFindings.File(asset: asset.id, resource: parameters.link)
    let batch: DescriptorBatch
    do {
      batch = try await placeless.file(for: opened.batch, name, of: reader.caller.accountable)
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
    // The copy says no place, but the text does where the caller sees it.
    let now = try self.asset(parameters.id, in: reader.view)
    reply(now, batch, opened, reader, call, isWhole: reader.seesLocation)
  }

  /// The same, of a root whose file system may take a while, or not answer; and of what is to be looked for.
  private func waitToOpen(
    _ asset: Asset, _ parameters: LibraryInterface.OpenAsset.Parameters, _ call: ServerCall
  ) {
    let task = Task.onLoopNow {
      do { try await self.openInTime(asset, parameters, call) } catch { call.fail(error) }
    }
    call.onEnd { task.cancel() }
  }

  private func openInTime(
    _ asset: Asset, _ parameters: LibraryInterface.OpenAsset.Parameters, _ call: ServerCall
  ) async throws {
    let user = accountable(call)
    let opened: Opened
    do {
      opened = try await monitor.contents.recognizing(asset, for: user) {
        try await waitToOpen($0, parameters, for: user)
      }
    } catch let error as LibraryFileError { throw wireError(error, for: asset) }
    // Meanwhile the caller may have lost access, or the sight of it.
    let reader = try access.reader(call)
    guard reader.seesLocation, parameters.withoutLocation != true else {
      return try await openWithoutPlace(opened, of: asset, parameters, reader, call)
    }
    reply(try self.asset(parameters.id, in: reader.view), opened.batch, opened, reader, call, isWhole: true)
  }

  private func waitToOpen(
    _ asset: Asset, _ parameters: LibraryInterface.OpenAsset.Parameters, for user: UInt32
  ) async throws -> Opened {
    let contents = monitor.contents
    switch parameters.resource {
    case .pairedVideo, .alternatePhoto:
      let part = try await contents.waitToOpen(parameters.link, of: asset, for: user)
      return try self.opened(part?.name, try part.map { try Opened($0.file) }, of: asset, parameters)
    case .sidecar:
      let sidecar = try await contents.waitToOpenSidecar(parameters.sidecar ?? 0, of: asset, for: user)
      return try self.opened(sidecar?.name, try sidecar.map { try Opened($0.file) }, of: asset, parameters)
    case .original: return try Opened(try await openOriginal(of: asset, for: user))
    case .photo, .video, nil: return try Opened(try await contents.waitToOpen(asset, for: user))
    }
  }

  private func openFile(
    of asset: Asset, _ parameters: LibraryInterface.OpenAsset.Parameters
  ) throws -> Opened {
    let contents = monitor.contents
    switch parameters.resource {
    case .pairedVideo, .alternatePhoto:
      return try opened(contents.open(parameters.link, of: asset), of: asset, parameters)
    case .sidecar:
      return try opened(contents.openSidecar(parameters.sidecar ?? 0, of: asset), of: asset, parameters)
    // It is waited for.
    case .original: throw LibraryInterface.NoSuchResource(id: parameters.id, resource: .original)
    case .photo, .video, nil: return Opened(try contents.open(asset))
    }
  }

  private func opened(
    _ companion: consuming Companion?, of asset: Asset, _ parameters: LibraryInterface.OpenAsset.Parameters
  ) throws -> Opened {
    guard let companion else { return try opened(nil, nil, of: asset, parameters) }
    let name = companion.name
    return try opened(name, Opened(companion.take()), of: asset, parameters)
  }

  /// A movie, RAW or a sidecar, if there is one.
  private func opened(
    _ name: FileName?, _ file: Opened?, of asset: Asset,
    _ parameters: LibraryInterface.OpenAsset.Parameters
  ) throws -> Opened {
    guard let name, var opened = file, let resource = parameters.resource else {
      throw LibraryInterface.NoSuchResource(
        id: parameters.id, resource: parameters.resource ?? .photo)
    }
    opened.resource = resource
    opened.ending = resource == .sidecar ? asset.ending(of: name) : name.ending
    return opened
  }

  /// Whether a reply that waits may still be sent (S29).
  ///
  /// - Parameters:
  ///   - caller: what is decided about whose user, besides all that a new configuration changes: which app it is may be
  ///     another by then (S35).
  ///   - isWhole: whether the file or the text may say where it was taken.
  func stillDue(_ id: AssetID, of caller: PeerIdentity, _ call: ServerCall, isWhole: Bool) -> StillDue {
    StillDue(about: [caller.uid, id]) { [self] in
      if try access.actsAsOwner(call) { return }
      let app = try access.identity(of: call)
      guard let view = access.view(of: app) else { throw try access.refusal(call) }
      // As it is by now: it may have been moved out of sight, or hidden.
      _ = try asset(renderer.id(id), in: view)
      guard !isWhole || access.includesLocation(app) else {
        throw LibraryInterface.LocationCannotBeRemoved(id: renderer.id(id))
      }
    }
  }

  private func reply(
    _ asset: Asset, _ batch: DescriptorBatch, _ opened: Opened, _ reader: LibraryAccess.Reader,
    _ call: ServerCall, isWhole: Bool
  ) {
    access.note(.open, by: reader)
    call.reply(descriptors: batch, while: stillDue(asset.id, of: reader.caller, call, isWhole: isWhole)) {
      writer in
      writer.beginObject()
      writer.name("asset")
      renderer.write(asset, in: reader.view, location: reader.seesLocation, to: &writer)
      writer.name("fileDescriptor")
      writer.integer(0)
      if let ending = opened.ending {
        switch opened.resource {
        case .sidecar: writer.name("sidecarExtension")
        case .alternatePhoto: writer.name("alternatePhotoExtension")
        case .photo, .pairedVideo, .video, .original, nil: writer.name("pairedVideoExtension")
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
    case .alternatePhoto: .alternatePhoto
    // What is known of where it says a place is known by its stamp.
    case .photo, .video, .original, nil: .main
    }
  }
}
