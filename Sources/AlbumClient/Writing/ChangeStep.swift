/// What one part of a request does.
enum ChangeStep: Sendable {
  /// Adds items to one album; the first of them has this index in the request.
  case add([PhotoChangeRequest.Addition], album: String?, first: Int)

  /// The changes as steps: items that follow each other into one album go together.
  static func steps(of changes: [PhotoChangeRequest.Change]) -> [ChangeStep] {
    var steps: [ChangeStep] = []
    for (index, change) in changes.enumerated() {
      switch change {
      case .add(let addition, let album):
        if case .add(let before, album, let first) = steps.last {
          steps[steps.count - 1] = .add(before + [addition], album: album, first: first)
        } else {
          steps.append(.add([addition], album: album, first: index))
        }
      }
    }
    return steps
  }

  /// Does it, and says in the placeholders what became of it.
  ///
  /// - Throws: the first error, with the index of its change in `item`.
  func perform(on connection: AlbumConnection) throws(AlbumError) {
    switch self {
    case .add(let additions, let album, let first):
      let results = connection.save(additions.map(\.item), to: album)
      var failure: AlbumError?
      for (index, (addition, result)) in zip(additions, results).enumerated() {
        addition.placeholder.finish(result)
        if case .failure(let error) = result, failure == nil { failure = error.about(item: first + index) }
      }
      if let failure { throw failure }
    }
  }
}
