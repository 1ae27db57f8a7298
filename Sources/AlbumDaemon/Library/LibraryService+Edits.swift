internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Linux
internal import Storage
internal import Varlink
internal import VarlinkServer

// Edits that can be undone (S94, S95): what was done to an asset, and back to what it was.
extension LibraryService {
  /// What was done to an asset that the caller sees.
  func adjustment(
    _ parameters: LibraryInterface.GetAdjustment.Parameters, _ call: ServerCall
  ) async throws -> LibraryInterface.GetAdjustment.Reply {
    let asset = try asset(parameters.id, in: try access.reader(call).view)
    guard asset.edit == .adjusted else { throw LibraryInterface.NoAdjustment(id: parameters.id) }
    let id = asset.id
    // It is long: read, and made a text of, where nobody else waits for it.
    let found = try await search(call) { _ in
      { library in try library.adjustment(of: id).map(EncodedAdjustment.init) }
    }
    // It took its time: what the caller may see may be less by now (S29), and what was done another.
    let present = found.reader
    guard try self.asset(parameters.id, in: present.view).edit == .adjusted, let adjustment = found.value
    else {
      throw LibraryInterface.NoAdjustment(id: parameters.id)
    }
    guard present.seesLocation || !adjustment.mayTellPlace else {
      throw LibraryInterface.LocationCannotBeRemoved(id: parameters.id)
    }
    access.note(.open, by: present)
    return .init(adjustment: adjustment.told)
  }

  /// Puts an original back of what the caller sees, if the owner agrees (S33).
  func revertAsset(
    _ parameters: LibraryInterface.RevertAsset.Parameters, _ call: ServerCall
  ) async throws -> LibraryInterface.RevertAsset.Reply {
    let reader = try access.reader(call)
    // What can be refused without the owner is.
    guard try asset(parameters.id, in: reader.view).edit.hasOriginal else {
      throw LibraryInterface.NoAdjustment(id: parameters.id)
    }
    if let app = reader.app { try await confirm(.reversion(parameters.id), app, call) }
    // Asked again: the answer took its time, and much may be otherwise by now (S29).
    let present = try asset(parameters.id, in: try access.reader(call).view)
    do {
      let reverted = try await remover.revert(
        present, by: reader.app?.appID,
        mayBegin: mayBegin(call) { [self] in try mayChange(present.id, reader, call) })
      guard let reverted else { throw LibraryInterface.NoAdjustment(id: parameters.id) }
      access.note(.revert, assets: 1, by: reader)
      let reader = try access.reader(call)
      return .init(asset: renderer.asset(reverted, in: reader.view, location: reader.seesLocation))
    } catch let error as LibraryFileError {
      if await isOriginalLost(of: present, for: accountable(call)) {
        throw LibraryInterface.NoAdjustment(id: parameters.id)
      }
      throw wireError(error, for: present)
    } catch  where error.isNoSpace {
      throw LibraryInterface.NoSpace()
    }
  }

  /// Opens an asset's original.
  ///
  /// - Parameter user: who asks for it, and takes turns with others.
  /// - Throws: `NoSuchResource` where none is kept, or somebody has removed it; ``LibraryFileError``.
  func openOriginal(of asset: Asset, for user: UInt32) async throws -> HeldFile {
    do {
      if let file = try await monitor.edits.originals.open(asset.id, for: user) { return file }
    } catch let error as LibraryFileError where error.isOfAnotherFile {}
    throw LibraryInterface.NoSuchResource(id: renderer.id(asset.id), resource: .original)
  }

  /// Whether an original that ought to be there is not.
  private func isOriginalLost(of asset: Asset, for user: UInt32) async -> Bool {
    do {
      _ = try await openOriginal(of: asset, for: user)
      return false
    } catch { return error is LibraryInterface.NoSuchResource }
  }

  /// What an app says that it has done, looked at before anybody is asked about it.
  ///
  /// - Throws: `InvalidParameter`.
  func decoded(
    _ adjustment: LibraryInterface.Adjustment?, of reader: LibraryAccess.Reader
  ) async throws -> Adjustment? {
    guard let adjustment else { return nil }
    guard Adjustment.isIdentifier(adjustment.formatIdentifier) else {
      throw InvalidParameter(parameter: "adjustment.formatIdentifier")
    }
    guard Adjustment.isVersion(adjustment.formatVersion) else {
      throw InvalidParameter(parameter: "adjustment.formatVersion")
    }
    let text = adjustment.data
    guard text.utf8.count <= Base64.length(of: Adjustment.mostBytes),
      let data = await codec.run(
        for: reader.caller.accountable, { () throws(Never) -> [UInt8]? in Base64.decode(text) }),
      data.count <= Adjustment.mostBytes
    else { throw InvalidParameter(parameter: "adjustment.data") }
    return Adjustment(
      formatIdentifier: adjustment.formatIdentifier, formatVersion: adjustment.formatVersion, data: data,
      mayTellPlace: reader.seesLocation)
  }
}

/// What was done to an asset, as apps are told of it.
private struct EncodedAdjustment: Sendable {
  let told: LibraryInterface.Adjustment
  let mayTellPlace: Bool

  init(_ adjustment: Adjustment) {
    mayTellPlace = adjustment.mayTellPlace
    told = .init(
      formatIdentifier: adjustment.formatIdentifier, formatVersion: adjustment.formatVersion,
      data: Base64.encode(adjustment.data))
  }
}

extension LibraryFileError {
  /// Whether it is about a file that is not, or not any more, where it was put.
  fileprivate var isOfAnotherFile: Bool { [.gone, .replaced, .notRegular].contains(code) }
}
