extension PickResult {
  /// Loads what was picked, one after the other, each when it is asked for: what was not asked for yet takes no memory. PhotoKit:
  /// a loop over `loadTransferable(type:)`.
  ///
  /// ```swift
  /// for try await item in picked.loaded(to: .directory(path), progress: { bar.value = $0.fractionCompleted }) {
  ///   switch item.result {
  ///   case .success(let content): show(content)
  ///   case .failure(let error): tell(error.message)   // the others come all the same
  ///   }
  /// }
  /// ```
  ///
  /// - Parameter progress: told of each part that is there, on no particular thread.
  public func loaded(
    to destination: PickDestination = .memory, progress: (@Sendable (PickProgress) -> Void)? = nil
  ) -> LoadedPicks {
    LoadedPicks(self, destination, progress)
  }
}

/// How far what was picked is loaded. PhotoKit: `Progress`.
public struct PickProgress: Hashable, Sendable {
  /// The place of the one that is being loaded, in what was picked.
  public let index: Int
  /// Its bytes that are there.
  public let itemCompleted: Int
  /// How many it has.
  public let itemTotal: Int
  /// The bytes that are there of all. Those of one that failed count as if they were.
  public let completed: Int
  /// How many all have.
  public let total: Int

  /// The same of all, from 0 to 1.
  public var fractionCompleted: Double { total == 0 ? 1 : Swift.min(1, Double(completed) / Double(total)) }
}

/// One that was picked, and what came of loading it.
public struct LoadedPick: Sendable {
  /// Its place in what was picked.
  public let index: Int
  /// What was picked.
  public let asset: PickedAsset
  /// What was loaded, or why it was not: see ``PickedAsset/load(to:progress:)``.
  public let result: Result<PickContent, AlbumError>
}

/// What was picked, as it is loaded: ``PickResult/loaded(to:progress:)``.
public struct LoadedPicks: AsyncSequence, Sendable {
  /// One of them.
  public typealias Element = LoadedPick
  private let picked: PickResult
  private let destination: PickDestination
  private let progress: (@Sendable (PickProgress) -> Void)?

  init(
    _ picked: PickResult, _ destination: PickDestination, _ progress: (@Sendable (PickProgress) -> Void)?
  ) {
    self.picked = picked
    self.destination = destination
    self.progress = progress
  }

  /// Begins with the first.
  public func makeAsyncIterator() -> Iterator { Iterator(picked, destination, progress) }

  /// Loads one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private let picked: PickResult
    private let destination: PickDestination
    private let progress: (@Sendable (PickProgress) -> Void)?
    private let sizes: [Int]
    private var next = 0

    init(
      _ picked: PickResult, _ destination: PickDestination, _ progress: (@Sendable (PickProgress) -> Void)?
    ) {
      self.picked = picked
      self.destination = destination
      self.progress = progress
      sizes = picked.map { $0.byteCount(to: destination) }
    }

    /// Loads the next; nil after the last.
    ///
    /// - Throws: `CancellationError`. What concerns one of them is in its result.
    public mutating func next() async throws -> LoadedPick? {
      guard next < picked.count else { return nil }
      try Task.checkCancellation()
      let (index, asset, progress) = (next, picked[next], progress)
      let (before, total, size) = (sizes[..<index].reduce(0, +), sizes.reduce(0, +), sizes[index])
      let tell = { @Sendable (done: Int, of: Int) in
        progress?(
          PickProgress(
            index: index, itemCompleted: done, itemTotal: of, completed: before + Swift.min(done, size),
            total: total)) ?? ()
      }
      let result: Result<PickContent, AlbumError>
      do { result = .success(try await asset.load(to: destination, progress: tell)) } catch let error
        as AlbumError
      { result = .failure(error) }
      next += 1
      if case .failure = result { tell(size, size) }
      return LoadedPick(index: index, asset: asset, result: result)
    }
  }
}
