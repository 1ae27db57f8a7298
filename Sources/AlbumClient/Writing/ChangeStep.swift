internal import AlbumAPI
internal import Linux

/// What one call to the daemon does.
enum ChangeStep: Sendable {
  /// Adds files to one album.
  case add([PhotoChangeRequest.Addition], first: Int)

  /// A message carries at most 253 descriptors (SCM_MAX_FD), and a live photo has two.
  static let limit = 126

  /// The changes as calls: files that follow each other into one album go together.
  static func steps(of changes: [PhotoChangeRequest.Change]) -> [ChangeStep] {
    var steps: [ChangeStep] = []
    for (index, change) in changes.enumerated() {
      switch change {
      case .add(let addition):
        if case .add(let before, let first) = steps.last, before.count < limit,
          before[0].album == addition.album
        {
          steps[steps.count - 1] = .add(before + [addition], first: first)
        } else {
          steps.append(.add([addition], first: index))
        }
      }
    }
    return steps
  }

  /// Makes the call, and says in the placeholders what became of it.
  func perform(on connection: AlbumConnection) throws(AlbumError) {
    switch self {
    case .add(let additions, let first):
      AddingStep(additions, connection).perform()
      for (index, addition) in additions.enumerated() {
        if let error = addition.placeholder.error { throw error.about(item: first + index) }
      }
    }
  }
}

/// Files on their way into one album.
private struct AddingStep {
  private let additions: [PhotoChangeRequest.Addition]
  private let connection: AlbumConnection
  private let place = LibraryInterface.AddAssets.name

  init(_ additions: [PhotoChangeRequest.Addition], _ connection: AlbumConnection) {
    self.additions = additions
    self.connection = connection
  }

  /// Adds them all; each placeholder says what became of its file.
  func perform() {
    let descriptors = DescriptorBatch()
    var items: [LibraryInterface.AddItem] = []
    var sent: [PhotoChangeRequest.Addition] = []
    for addition in additions {
      do throws(SystemError) {
        items.append(
          .init(
            fileDescriptor: descriptors.append(try addition.source.open()), filename: addition.filename,
            pairedVideoFileDescriptor: try addition.pairedVideo.map { source throws(SystemError) in
              descriptors.append(try source.open())
            }))
        sent.append(addition)
      } catch {
        addition.placeholder.finish(
          .failure(AlbumError(.invalidFileDescriptor, "It cannot be read: \(error).", place: place)))
      }
    }
    if !sent.isEmpty { add(items, descriptors, sent) }
  }

  private func add(
    _ items: [LibraryInterface.AddItem], _ descriptors: DescriptorBatch,
    _ sent: [PhotoChangeRequest.Addition]
  ) {
    do throws(AlbumError) {
      let replies = try connection.add(items, descriptors, to: additions[0].album)
      var last: LibraryInterface.AddAssets.Reply?
      while let reply = try replies.next() { last = reply }
      take(last?.ids ?? [], last?.failures ?? [], sent)
    } catch {
      // A call of which nothing could be added tells only of its first item: ask for each by itself.
      guard error.item != nil, sent.count > 1 else {
        for addition in sent { addition.placeholder.finish(.failure(error)) }
        return
      }
      for addition in sent { AddingStep([addition], connection).perform() }
    }
  }

  private func take(
    _ ids: [String], _ failures: [LibraryInterface.AddFailure], _ sent: [PhotoChangeRequest.Addition]
  ) {
    var ids = ids[...]
    let failures = Dictionary(failures.map { ($0.item, $0) }) { first, _ in first }
    for (index, addition) in sent.enumerated() {
      if let failure = failures[index] {
        addition.placeholder.finish(.failure(AlbumError(failure, place: place)))
      } else if let id = ids.popFirst() {
        addition.placeholder.finish(.success(id))
      } else {
        addition.placeholder.finish(
          .failure(AlbumError(.protocolViolation, "albumd sent too few ids.", place: place)))
      }
    }
  }
}
