internal import Glibc
internal import PictureAPI

/// What is to be overwritten, as it is found.
package struct FoundPlaces {
  private var found: [Overwriting] = []

  /// The most of them: a file that has more is none that a camera made.
  package static let most = 2048

  var isEmpty: Bool { found.isEmpty }

  /// Notes a range of a view.
  mutating func add(
    _ range: Range<Int>, of view: SourceView, _ filling: Overwriting.Filling
  ) throws(Untraceable) {
    var rest = range.lowerBound
    for place in view.places(range) {
      let part: Overwriting.Filling =
        if case .bytes(let bytes) = filling {
          .bytes(Array(bytes[rest - range.lowerBound..<rest - range.lowerBound + place.count]))
        } else { filling }
      rest += place.count
      // Twice as many: what is found twice is counted once.
      guard found.count < 2 * Self.most else { throw Untraceable() }
      found.append(Overwriting(place, part))
    }
  }

  /// Notes that nothing of a view stays, where it is not of zeros already.
  mutating func empty(_ view: SourceView) throws(Untraceable) {
    var at = 0
    while at < view.count {
      let piece = try view.start(1 << 20, at: at)
      if !piece.isZero { return try add(0..<view.count, of: view, .zeros) }
      at += piece.count
    }
  }

  /// In order, each byte once.
  ///
  /// - Throws: where the same bytes were to become two things, as no file asks that says the same to everybody.
  func inOrder() throws(Untraceable) -> [Overwriting] {
    var all: [Overwriting] = []
    let sorted = found.sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    for next in sorted {
      guard let last = all.last, next.range.lowerBound < last.range.upperBound else {
        all.append(next)
        continue
      }
      if next == last { continue }
      guard case .zeros = next.filling, next.filling == last.filling else { throw Untraceable() }
      let end = max(last.range.upperBound, next.range.upperBound)
      all[all.count - 1] = Overwriting(last.range.lowerBound..<end, .zeros)
    }
    guard all.count <= Self.most else { throw Untraceable() }
    return all
  }
}

extension [UInt8] {
  /// Whether each is zero: as fast as memory is.
  var isZero: Bool {
    withUnsafeBytes { bytes in
      guard bytes.count > 1, let base = bytes.baseAddress else { return bytes.allSatisfy { $0 == 0 } }
      return bytes[0] == 0 && memcmp(base, base + 1, bytes.count - 1) == 0
    }
  }
}
