public import AlbumAPI
internal import Linux
internal import Sentences

extension AlbumConnection {
  /// Adds any number of items, each kept or refused by itself (S31).
  ///
  /// - Parameters:
  ///   - album: where to; the directory that the configuration names when nil.
  ///   - purpose: what for; there is a guide then, in that language, once something was saved.
  ///   - desktop: of the person, as XDG_CURRENT_DESKTOP names it: the guide to a wallpaper may depend on it.
  ///   - progress: is told how far it has come.
  ///   - show: takes that guide.
  /// - Returns: for each item its id, or why it was not added. An error that is about the item names it in
  ///   `item`; one that is about all, such as `notAuthorized`, does not, and is that of every item which was
  ///   not added before. Where that is `connectionLost`, the item may have been added all the same.
  public func save(
    _ items: [MediaItem], to album: String? = nil, for purpose: LibraryInterface.SavePurpose? = nil,
    language: String? = nil, desktop: String? = nil, progress: (SaveProgress) -> Void = { _ in },
    guide show: (AuthorizationInterface.Guide) -> Void = { _ in }
  ) -> [Result<String, AlbumError>] {
    let wish = LibraryInterface.AddAssets.Parameters(
      items: [], album: album, purpose: purpose, language: language, desktop: desktop)
    let (results, guide) = withoutActuallyEscaping(progress) { progress in
      var saving = Saving(connection: self, items: items, wish: wish, progress: progress)
      return (saving.saveAll(), saving.guide)
    }
    if let guide { show(guide) }
    return results
  }
}

/// Items on their way into the library, in batches that fit a message.
private struct Saving {
  private let connection: AlbumConnection
  private let items: [MediaItem]
  /// What all batches have in common.
  private let wish: LibraryInterface.AddAssets.Parameters
  private let tell: (SaveProgress) -> Void
  private(set) var guide: AuthorizationInterface.Guide?
  private var results: [Result<String, AlbumError>?]
  /// How many are done of the batches before, and their bytes.
  private var completed = 0
  private var completedBytes: Int64 = 0
  private let byteCounts: [Int64]

  /// Items of a message, and their files: it carries at most 253 descriptors (SCM_MAX_FD), and a process has 1024 by
  /// default.
  private static let batch = (items: 126, files: 252)
  private static let place = LibraryInterface.AddAssets.name

  init(
    connection: AlbumConnection, items: [MediaItem], wish: LibraryInterface.AddAssets.Parameters,
    progress: @escaping (SaveProgress) -> Void
  ) {
    self.connection = connection
    self.items = items
    self.wish = wish
    tell = progress
    results = items.map { _ in nil }
    byteCounts = items.map(\.byteCount)
  }

  /// Tells how far it has come.
  ///
  /// - Parameter numbers: those of this batch that are done.
  private func tellProgress(_ numbers: some Collection<Int>) {
    tell(
      SaveProgress(
        completed: completed + numbers.count, total: items.count,
        completedBytes: numbers.reduce(completedBytes) { $0 + byteCounts[$1] },
        totalBytes: byteCounts.reduce(0, +)))
  }

  mutating func saveAll() -> [Result<String, AlbumError>] {
    var end = AlbumError(.protocolViolation, "albumd sent too few ids.", place: Self.place)
    do throws(AlbumError) {
      var start = 0
      while start < items.count {
        let numbers = batch(from: start)
        start += numbers.count
        try save(numbers)
        completed += numbers.count
        completedBytes = numbers.reduce(completedBytes) { $0 + byteCounts[$1] }
        tellProgress([])
      }
    } catch { end = error }
    return results.map { $0 ?? .failure(end) }
  }

  /// As many as fit a message, and one at least.
  private func batch(from start: Int) -> [Int] {
    var files = 0
    let fitting = items[start...].prefix(Self.batch.items).prefix { item in
      files += item.sources.count
      return files <= Self.batch.files
    }
    return Array(start..<start + max(1, fitting.count))
  }

  private mutating func save(_ numbers: [Int]) throws(AlbumError) {
    let descriptors = DescriptorBatch()
    var sent: [Int] = []
    var wire: [LibraryInterface.AddItem] = []
    for number in numbers {
      guard items[number].sources.count <= Self.batch.files else {
        fail(number, LibraryInterface.InvalidFileDescriptor.name, "It has too many sidecars.")
        continue
      }
      do throws(SystemError) {
        wire.append(try items[number].opened(into: descriptors))
        sent.append(number)
      } catch {
        guard error.isExhaustion else {
          fail(number, LibraryInterface.InvalidFileDescriptor.name, "\(error.reason).")
          continue
        }
        results[number] = .failure(AlbumError(outOfResources: error, place: "open"))
      }
    }
    guard !wire.isEmpty else { return }
    do throws(AlbumError) {
      var wish = wish
      wish.items = wire
      let replies = try connection.stream(LibraryInterface.AddAssets.self, wish, descriptors: descriptors)
      // Each tells what was added so far: it is there, whatever becomes of the connection.
      while let reply = try replies.next() {
        take(reply, sent)
        tellProgress(sent.prefix(max(0, reply.completed)))
      }
    } catch {
      // A call of which nothing could be added tells only of its first item: ask for each by itself.
      guard error.item != nil else { throw error }
      if sent.count > 1 { for number in sent { try save([number]) } }
      if sent.count == 1 { results[sent[0]] = .failure(error.about(item: sent[0])) }
    }
  }

  private mutating func take(_ reply: LibraryInterface.AddAssets.Reply, _ sent: [Int]) {
    guide = reply.guide ?? guide
    let failed = Set(reply.failures.map(\.item))
    let kept = sent.indices.filter { !failed.contains($0) }.map { sent[$0] }
    for (number, id) in zip(kept, reply.ids) { results[number] = .success(id) }
    for failure in reply.failures where sent.indices.contains(failure.item) {
      fail(sent[failure.item], failure.error, failure.message)
    }
  }

  private mutating func fail(_ number: Int, _ error: String, _ message: String) {
    results[number] = .failure(
      AlbumError(.init(item: number, error: error, message: message), place: Self.place))
  }
}

extension MediaItem {
  /// As it is sent: its files open, and added to the batch.
  fileprivate func opened(into batch: DescriptorBatch) throws(SystemError) -> LibraryInterface.AddItem {
    // All before one is sent: a descriptor that no item names is an error.
    let own = DescriptorBatch()
    for source in sources { _ = own.append(try source.open()) }
    let indexes = (0..<own.count).compactMap { own.move($0, to: batch) }
    return .init(
      fileDescriptor: indexes[0], filename: filename,
      pairedVideoFileDescriptor: pairedVideo == nil ? nil : indexes[1],
      pairedVideoExtension: pairedVideo?.fileExtension, created: created, modified: modified,
      sidecars: sidecars.isEmpty
        ? nil
        : zip(indexes[media.count...], sidecars).map {
          .init(fileDescriptor: $0, sidecarExtension: $1.fileExtension)
        },
      alternatePhotoFileDescriptor: alternatePhoto == nil ? nil : indexes[media.count - 1],
      alternatePhotoExtension: alternatePhoto?.fileExtension,
      percentEncodedFilename: percentEncodedFilename)
  }
}
