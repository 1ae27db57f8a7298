internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Linux
internal import Logging
internal import Storage

/// Has the files of the library read for what they say of themselves, behind everything else, and notes it (S50, S51).
///
/// What is read next says ``DescriptionPlan``; what is read at the same time is little, since each file is held open.
/// While there is nothing to read it does nothing, and no timer runs.
@EventLoopActor
final class Describer {
  private let library: LibraryMonitor
  private let store: any LibraryReading
  private let reader: any PictureReading
  private let log: Logger
  private let pause: Duration
  private let zone = LocalZone()
  private var plan = DescriptionPlan()
  /// Where the next page of the index begins.
  private var cursor: AssetCursor?
  private var described: [DescriptionWriter.Described] = []
  /// How often an asset was read that changed meanwhile.
  private var changedWhileRead: [AssetID: Int] = [:]
  private var isRunning = false
  private var isNoting = false
  /// Whether nothing can be read for now.
  private(set) var isPutOff = false
  private lazy var next = DeferredCall(priority: 20) { [unowned self] in work() }
  private lazy var writing = Timer { [unowned self] in write() }
  private lazy var retry = Timer { [unowned self] in tryAgain() }

  /// Assets that are read at the same time: some more than there are processes, so that none waits for the loop.
  private static let mostReading = 8
  /// Assets that are begun in one turn of the loop.
  private static let beginsTogether = 16
  /// Assets that are noted in one batch, which keeps the loop for as long.
  private static let notedTogether = 4
  private static let longestWait = Duration.milliseconds(250)
  private static let page = 256
  /// So often an asset is read that changes while it is.
  private static let mostTries = 3

  /// - Parameter pause: after that what could not be read for now is tried again.
  init(
    library: LibraryMonitor, store: any LibraryReading, reader: any PictureReading, log: Logger,
    pause: Duration = .seconds(60)
  ) {
    self.pause = pause
    self.library = library
    self.store = store
    self.reader = reader
    self.log = log
  }

  /// Begins, when the library is known.
  func start() {
    isRunning = true
    do { try library.edits.descriptions.tryAgain(with: PictureReader.version) } catch {
      log.error("What another version could not read is not tried again: \(error)")
    }
    next.arm()
  }

  /// Whether something is being read.
  var isReading: Bool { plan.readingCount > 0 }

  /// Ends: what was read and is not noted is read again after the next start.
  func stop() {
    isRunning = false
    next.cancel()
    writing.disarm()
    retry.disarm()
  }

  // MARK: What there is to read

  /// Batches were committed.
  func libraryChanged(_ entries: [PlacedChange]) {
    guard isRunning, !isNoting else { return }
    for entry in entries {
      switch entry.entry {
      case .change(let change): note(change)
      case .reset: readIndexAgain()
      case .view: break
      }
    }
    if !plan.isIdle { next.arm() }
  }

  private func note(_ change: Change) {
    guard case .asset(let id) = change.subject, change.operation != .removed, !change.isOfAlbumsAlone else {
      return
    }
    plan.changed(id)
  }

  /// A root may have come back, or a scan ended.
  func libraryStateChanged() {
    guard isRunning, store.described.undescribedCount > 0 else { return }
    readIndexAgain()
    next.arm()
  }

  /// Somebody looks at these.
  func ask(for assets: [AssetID]) {
    guard isRunning, !assets.isEmpty else { return }
    plan.ask(for: assets)
    next.arm()
  }

  private func readIndexAgain() {
    cursor = nil
    plan.readIndexAgain()
  }

  private func readPage() throws {
    let page = try store.described.undescribed(after: cursor, limit: Self.page)
    let isLast = page.count < Self.page
    plan.add(page: page.map(\.id), isLast: isLast)
    cursor = isLast ? nil : page.last?.cursor
  }

  // MARK: Reading

  /// Begins what there is room for.
  private func work() {
    // While an empty library is scanned, reading would only slow that.
    guard isRunning, !isPutOff, library.state.summary != .scanning else { return }
    var begun = 0
    do {
      while !isPutOff, plan.readingCount < Self.mostReading, begun < Self.beginsTogether {
        if plan.needsPage { try readPage() }
        guard let job = plan.next() else { break }
        begun += 1
        do { try begin(job) } catch {
          plan.putOff(job)
          throw error
        }
      }
    } catch {
      // The index cannot be read; the library's state says so, and when that is over.
      return
    }
    if begun == Self.beginsTogether || (begun == 0 && plan.needsPage) { next.arm() }
    writeIfDue()
  }

  private func begin(_ job: DescriptionPlan.Job) throws {
    guard let asset = try store.files.asset(job.asset), !asset.isDescribed else { return plan.finished(job) }
    // Who reads it would wait with it where a file system does not answer.
    guard !library.contents.mayWait(for: asset) else { return plan.finished(job) }
    let files: AssetFiles
    do {
      files = AssetFiles(
        main: try library.contents.openForReading(asset),
        movie: try library.contents.openPairedVideoForReading(of: asset))
    } catch let error where error.isShortage {
      // That says nothing about the file.
      plan.putOff(job)
      return putOff()
    } catch {
      // It is away, or not the daemon's to read: when that changes, the library does.
      return plan.finished(job)
    }
    // All that may fail comes before any of it is read.
    let noted = try files.all.map { (resource, _) in try store.described.file(of: asset.id, resource) }
    let reading = AssetReading(job, asset, files)
    for ((resource, file), known) in zip(files.all, noted) {
      if let known, known.version == file.version {
        reading.note(known, resource)
        continue
      }
      reading.pending += 1
      let demand = PictureDemand.common(job.isAwaited ? .soon : .idle, for: .daemon)
      _ = reader.describe(file.descriptor, demand) { [weak self] result in
        reading.pending -= 1
        reading.note(result, file, resource)
        if reading.pending == 0 { self?.finish(reading) }
      }
    }
    if reading.pending == 0 { finish(reading) }
  }

  private func finish(_ reading: AssetReading) {
    guard isRunning else { return }
    if reading.isPutOff {
      plan.putOff(reading.job)
      putOff()
    } else if reading.files.areUnchanged, let main = reading.main {
      plan.finished(reading.job)
      changedWhileRead[reading.asset.id] = nil
      described.append(
        .init(
          asset: reading.asset, main: main, movie: reading.movie,
          description: AssetDescription(
            main.description ?? .nothing, movie: reading.movie?.description,
            offset: zone.offset(showing:))))
    } else {
      plan.finished(reading.job)
      readAgain(reading.asset.id)
    }
    next.arm()
  }

  /// What was read was changed while it was.
  private func readAgain(_ asset: AssetID) {
    let count = changedWhileRead.removeValue(forKey: asset) ?? 0
    // Who keeps writing will be heard of when that ends.
    guard count + 1 < Self.mostTries else { return }
    changedWhileRead[asset] = count + 1
    plan.changed(asset)
  }

  // MARK: Noting

  private func writeIfDue() {
    if described.count >= Self.notedTogether || plan.readingCount == 0 { return write() }
    if !described.isEmpty { writing.arm(after: Self.longestWait) }
  }

  private func write() {
    writing.disarm()
    guard !described.isEmpty else { return }
    // What is offline by now would be told as such, and not that it is back: it is read again then.
    let batch = described.filter { !library.contents.isOffline($0.asset) }
    if batch.count < described.count { readIndexAgain() }
    described = []
    guard !batch.isEmpty else { return }
    isNoting = true
    defer { isNoting = false }
    // What cannot be written is still to be described, and is when the index can be written.
    do { try library.edits.descriptions.note(batch, reader: PictureReader.version) } catch {
      readIndexAgain()
    }
  }

  // MARK: Waiting

  /// No process can be had, and the log says why; or no file can be opened. What was to be read is, later.
  private func putOff() {
    guard !isPutOff else { return }
    isPutOff = true
    retry.arm(after: pause, accuracy: pause / 2)
  }

  private func tryAgain() {
    isPutOff = false
    next.arm()
  }
}
