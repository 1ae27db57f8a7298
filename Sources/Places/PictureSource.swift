internal import PictureAPI

/// A file cannot be followed to its end, or is of a format in which places are not looked for: nothing is known of what it
/// says about where it was taken.
package struct Untraceable: Error, Hashable, Sendable {}

/// The bytes of a file as they are looked at for places: in pieces, and no more of them than a file of its size can need.
package final class PictureSource {
  /// Reads bytes at an offset into memory, as pread(2) does; how many, 0 at the end, less on failure.
  package typealias Read = (_ offset: Int, _ into: UnsafeMutableRawBufferPointer) -> Int

  /// How many bytes the file has.
  let count: Int
  private let read: Read
  /// What the file is to be overwritten with, for a second look.
  private let overlay: [Overwriting]
  /// Bytes that may still be read: whoever leads in circles comes to an end.
  private var budget: Int
  private var page: [UInt8] = []
  private var pageStart = 0

  /// What may be read of any file, and how much more of a long one than twice its bytes.
  private static let (least, most) = (4 << 20, 256 << 20)
  /// Bytes of a page: most of what is read is a few bytes beside the last ones.
  private static let pageLength = 1 << 16
  /// The most that is read in one piece.
  static let longestPiece = 64 << 20

  /// - Parameter count: how many bytes it has.
  package convenience init(count: Int, read: @escaping Read) {
    self.init(count: count, overlay: [], read: read)
  }

  private init(count: Int, overlay: [Overwriting], read: @escaping Read) {
    self.count = count
    self.overlay = overlay
    self.read = read
    // A small file has little to say, and a large one is read twice at most but for what is beside its pictures.
    let length = min(max(0, count), .max / 128)
    budget = Self.least + min(64 * length, 2 * length + Self.most)
  }

  /// The same file, as it is after overwriting.
  func overwritten(by overlay: [Overwriting]) -> PictureSource {
    PictureSource(count: count, overlay: overlay, read: read)
  }

  /// The bytes of a range, all of them.
  func bytes(_ range: Range<Int>) throws(Untraceable) -> [UInt8] {
    guard range.lowerBound >= 0, range.upperBound <= count, range.count <= Self.longestPiece else {
      throw Untraceable()
    }
    if range.count > Self.pageLength / 2 { return try load(range) }
    try spend(range.count + 16)
    if range.lowerBound < pageStart || range.upperBound > pageStart + page.count {
      page = try load(range.lowerBound..<min(count, range.lowerBound + Self.pageLength))
      pageStart = range.lowerBound
    }
    return Array(page[range.lowerBound - pageStart..<range.upperBound - pageStart])
  }

  /// Counts what somebody does for this file's sake, as if so many bytes were read.
  func spend(_ bytes: Int) throws(Untraceable) {
    budget -= bytes
    guard budget >= 0 else { throw Untraceable() }
  }

  private func load(_ range: Range<Int>) throws(Untraceable) -> [UInt8] {
    try spend(range.count + 64)
    var bytes = [UInt8](repeating: 0, count: range.count)
    var done = 0
    while done < range.count {
      let got = bytes.withUnsafeMutableBytes { memory in
        read(range.lowerBound + done, UnsafeMutableRawBufferPointer(rebasing: memory[done...]))
      }
      guard got > 0 else { throw Untraceable() }
      done += got
    }
    for overwriting in overlay where overwriting.range.overlaps(range) {
      for place in overwriting.range.clamped(to: range) {
        bytes[place - range.lowerBound] = overwriting.byte(at: place)
      }
    }
    return bytes
  }
}
