internal import CLinux
internal import EventLoop
internal import Glibc
internal import LibraryModel
internal import Linux
internal import PictureAPI
internal import Storage

/// Small pictures of what is in the library: those that are kept, and those that are made now.
///
/// Who may see which is no matter of this: it is handed files that are open, and identities that the index has.
@EventLoopActor
final class Previews {
  /// What is kept: sizes that are made of a file. Any other is made of the next larger.
  nonisolated static let sizes = [256, 512, 1024, 2048, 4096]
  /// What can be asked for.
  nonisolated static let pixels = 16...4096
  /// The same of pixmaps: one is as large as its pixels are many.
  nonisolated static let pixmapPixels = 16...512

  private let pool: PicturePool
  private let store: PreviewStore
  private let copies: HandedCopies
  /// Those that are being made.
  private var making: [Wanted: SharedMaking<Preview>] = [:]

  init(pool: PicturePool, store: PreviewStore, copies: HandedCopies) {
    self.pool = pool
    self.store = store
    self.copies = copies
  }

  /// Counts a preview for a user, before it is made.
  ///
  /// - Returns: nil where the user, or all, have too many that are not closed.
  func reserve(pixels: Int, isPixmap: Bool = false, for user: UInt32) -> HandedCopies.Reservation? {
    let side = Self.sizes.first { $0 >= pixels } ?? pixels
    // About what a picture takes that is hard to compress. When it is made, its bytes are counted.
    return copies.reserve(side * side * (isPixmap ? 3 : 1), mostInMemory: nil, for: user)
  }

  /// How many are made at a time at most.
  var lanes: Int { pool.processCount }

  /// A preview of an open file, with at most so many pixels on its longer side.
  ///
  /// - Parameters:
  ///   - file: holds the one descriptor; it is closed with the batch.
  ///   - pixels: of ``Previews/pixels``.
  ///   - demand: who wants it, and how urgently.
  func preview(
    of file: DescriptorBatch, _ identity: FileIdentity, pixels: Int, isSquare: Bool, _ demand: PictureDemand
  ) async throws(PictureFailure) -> Preview {
    let key = try Self.key(file, identity, pixels: pixels, isSquare: isSquare)
    let store = store
    let kept = try await store.thread.run(for: demand.user) { () throws(PictureFailure) in store.read(key) }
    return try await preview(kept, key, file, pixels: pixels, demand)
  }

  /// The same in a memory file for an app, which counts until that closes it.
  func handedOut(
    _ file: DescriptorBatch, _ identity: FileIdentity, pixels: Int, isSquare: Bool, _ demand: PictureDemand,
    _ reservation: HandedCopies.Reservation
  ) async throws(PictureFailure) -> (Preview, DescriptorBatch) {
    let key = try Self.key(file, identity, pixels: pixels, isSquare: isSquare)
    let store = store
    // One that is kept and fits is all that is asked for nearly always: in one step.
    let (kept, number) = try await store.thread.run(for: demand.user) {
      () throws(PictureFailure) -> (Preview?, CInt?) in
      guard let kept = store.read(key) else { return (nil, nil) }
      return (kept, kept.fits(pixels) ? try Self.sealed(kept) : nil)
    }
    if let kept, let number {
      return (kept, try count(DescriptorBatch(owning: [number]), of: kept, reservation))
    }
    let preview = try await preview(kept, key, file, pixels: pixels, demand)
    return (preview, try await handedOut(preview, demand, reservation))
  }

  /// - Parameter kept: what there is already.
  private func preview(
    _ kept: Preview?, _ key: PreviewKey, _ file: DescriptorBatch, pixels: Int, _ demand: PictureDemand
  ) async throws(PictureFailure) -> Preview {
    let whole: Preview
    if let kept { whole = kept } else { whole = try await make(key, file, demand) }
    guard !whole.fits(pixels) else { return whole }
    // The square is cut out already.
    let copy = try await memoryFile(whole, demand)
    return try await render(copy, pixels: pixels, isSquare: false, isPixmap: false, demand)
  }

  /// A preview of a file that is not of the library: nothing of it is kept.
  func passingPreview(
    of file: DescriptorBatch, pixels: Int, isPixmap: Bool, _ demand: PictureDemand
  ) async throws(PictureFailure) -> Preview {
    try await render(file, pixels: pixels, isSquare: false, isPixmap: isPixmap, demand)
  }

  /// The pixels of a preview in a memory file for an app, which counts until that closes it: made anew each time, for it
  /// is larger than a JPEG, and made as quickly as one is read from a disk.
  ///
  /// - Parameter pixels: of ``Previews/pixmapPixels``.
  func handedOutPixmap(
    _ file: DescriptorBatch, pixels: Int, isSquare: Bool, _ demand: PictureDemand,
    _ reservation: HandedCopies.Reservation
  ) async throws(PictureFailure) -> (Preview, DescriptorBatch) {
    let preview = try await render(file, pixels: pixels, isSquare: isSquare, isPixmap: true, demand)
    return (preview, try await handedOut(preview, demand, reservation))
  }

  /// Of the file as it is now.
  private static func key(
    _ file: DescriptorBatch, _ identity: FileIdentity, pixels: Int, isSquare: Bool
  ) throws(PictureFailure) -> PreviewKey {
    var status = stat()
    guard let number = file.number(0), fstat(number, &status) == 0 else { throw .unreadable }
    func nanoseconds(_ time: timespec) -> Int64 {
      Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
    return PreviewKey(
      identity: identity, byteCount: Int64(status.st_size), modified: nanoseconds(status.st_mtim),
      changed: nanoseconds(status.st_ctim), pixels: sizes.first { $0 >= pixels } ?? pixels, isSquare: isSquare
    )
  }

  /// What is being made: of each client's once. Who joined another's would wait for all that this one wants before it.
  private struct Wanted: Hashable {
    let key: PreviewKey
    let client: PictureDemand.Client
  }

  /// Makes it, and keeps it; once for all of a client's who want it now, and not where all of them have gone.
  private func make(
    _ key: PreviewKey, _ file: DescriptorBatch, _ demand: PictureDemand
  ) async throws(PictureFailure) -> Preview {
    let wanted = Wanted(key: key, client: demand.client)
    let making =
      self.making[wanted]
      ?? SharedMaking { [self] in
        do throws(PictureFailure) { return .success(try await makeAlone(key, file, demand)) } catch {
          return .failure(error)
        }
      }
    self.making[wanted] = making
    making.enter()
    let result = await making.result()
    let isLast = making.leave()
    if result != nil || isLast, self.making[wanted] === making { self.making[wanted] = nil }
    // Nobody is told who has gone.
    return try (result ?? .failure(.unavailable)).get()
  }

  private func makeAlone(
    _ key: PreviewKey, _ file: DescriptorBatch, _ demand: PictureDemand
  ) async throws(PictureFailure) -> Preview {
    let made = try await render(
      file, pixels: key.pixels, isSquare: key.isSquare, isPixmap: false, demand)
    let store = store
    store.thread.async(for: demand.user) { store.write(made, key) }
    return made
  }

  private func render(
    _ file: DescriptorBatch, pixels: Int, isSquare: Bool, isPixmap: Bool, _ demand: PictureDemand
  ) async throws(PictureFailure) -> Preview {
    guard let original = file.number(0) else { throw .unreadable }
    defer { withExtendedLifetime(file) {} }
    let outcome = await pool.answer(
      to: PicturesInterface.Render.self,
      .init(fileDescriptor: 0, pixels: pixels, square: isSquare, pixmap: isPixmap), about: original, demand
    ) { $0.flatMap(Rendered.read) }
    let rendered = try outcome.get()
    let made = OwnedDescriptor(owning: rendered.file)
    let (reply, number) = (rendered.reply, made.number)
    let copied = try await store.thread.run(for: demand.user) { () throws(PictureFailure) in
      Preview(checking: reply, number)
    }
    _ = consume made
    guard let copied, copied.fits(pixels), (copied.encoding == .pixmap) == isPixmap else { throw .broke }
    return copied
  }

  /// A memory file with a preview for an app, which counts until that closes it.
  func handedOut(
    _ preview: Preview, _ demand: PictureDemand, _ reservation: HandedCopies.Reservation
  ) async throws(PictureFailure) -> DescriptorBatch {
    try count(try await memoryFile(preview, demand), of: preview, reservation)
  }

  private func count(
    _ file: DescriptorBatch, of preview: Preview, _ reservation: HandedCopies.Reservation
  ) throws(PictureFailure) -> DescriptorBatch {
    guard copies.resize(reservation, to: preview.bytes.count), let number = file.number(0) else {
      throw .busy
    }
    do throws(SystemError) { try copies.note(number, reservation) } catch { throw .busy }
    return file
  }

  /// A memory file with a preview, sealed: nobody who gets it changes what another has.
  private func memoryFile(
    _ preview: Preview, _ demand: PictureDemand
  ) async throws(PictureFailure) -> DescriptorBatch {
    // A few megabytes to copy.
    let number = try await store.thread.run(for: demand.user) { () throws(PictureFailure) in
      try Self.sealed(preview)
    }
    return DescriptorBatch(owning: [number])
  }

  /// - Returns: a descriptor that is the caller's to close.
  private nonisolated static func sealed(_ preview: Preview) throws(PictureFailure) -> CInt {
    let number = preview.bytes.withUnsafeBytes { linux_sealed_file($0.baseAddress, $0.count) }
    guard number >= 0 else { throw .busy }
    return number
  }
}

/// What a process has answered, and the descriptor that came with it, which is the receiver's to close.
private struct Rendered: Sendable {
  let reply: PicturesInterface.Render.Reply
  let file: CInt

  static func read(
    _ answer: PictureAnswer<PicturesInterface.Render.Reply>
  ) -> Result<Rendered, PictureFailure> {
    guard let file = answer.descriptors.take(answer.reply.fileDescriptor) else { return .failure(.broke) }
    return .success(Rendered(reply: answer.reply, file: file.take()))
  }
}

extension PictureDemand {
  /// In whose turn the store is used.
  fileprivate var user: UInt32 {
    switch client {
    case .user(let id): id
    // (uid_t)-1, which is nobody's.
    case .daemon: .max
    }
  }
}
