/// What is told of an asset beside what its file system says (S48, S49): what its photo or video says of itself, and how long its
/// movie is.
package struct AssetDescription: Hashable, Sendable {
  /// What its photo or video says; of a live photo with the length of its movie.
  package private(set) var file: FileDescription
  /// When it was taken, nanoseconds since 1970; never without `takenLocal`.
  package let captured: Int64?

  /// A description; nil where there is nothing to tell.
  ///
  /// - Parameters:
  ///   - file: what the photo or video says.
  ///   - movie: what the movie of a live photo says.
  ///   - offset: how many seconds the host's clock was ahead of UTC when it showed a time, in seconds from 1970-01-01
  ///     00:00: for a camera whose file does not say where it was.
  package init?(_ file: FileDescription, movie: FileDescription?, offset: (_ local: Int64) -> Int64) {
    var file = file
    if let duration = movie?.duration { file = file.lasting(duration) }
    guard file != .nothing else { return nil }
    self.file = file
    captured = file.takenLocal.map { local in
      let seconds = local.dividedDown(by: 1_000_000)
      let ahead = file.takenOffset.map { Int64($0) * 60 } ?? offset(seconds)
      return (local - ahead * 1_000_000) * 1000
    }
  }

  init(file: FileDescription, captured: Int64?) {
    self.file = file
    self.captured = captured
  }

  /// The same without the length of a movie that has gone; nil where there is nothing else.
  package var withoutMovie: AssetDescription? {
    var still = self
    still.file = file.lasting(nil)
    return still.file == .nothing ? nil : still
  }
}

extension FileDescription {
  fileprivate func lasting(_ duration: Int64?) -> FileDescription {
    FileDescription(
      takenLocal: takenLocal, takenOffset: takenOffset, pixelWidth: pixelWidth, pixelHeight: pixelHeight,
      duration: duration, subtypes: subtypes, place: place)
  }
}

extension Int64 {
  /// The quotient, rounded down.
  package func dividedDown(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
