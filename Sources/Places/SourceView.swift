/// A part of a file, or several that are read as one: a block of metadata that is spread over segments.
struct SourceView {
  let source: PictureSource
  private(set) var pieces: [Range<Int>] = []
  private(set) var count = 0

  /// The whole file.
  init(_ source: PictureSource) { self.init(source, 0..<source.count) }

  /// A part of it, as far as that is in the file.
  init(_ source: PictureSource, _ range: Range<Int>) {
    self.source = source
    append(range)
  }

  /// Goes on with another part of the file.
  mutating func append(_ range: Range<Int>) {
    let range = range.clamped(to: 0..<source.count)
    pieces.append(range)
    count += range.count
  }

  /// Where a range of the view is in the file: in as many parts as it is spread over.
  func places(_ range: Range<Int>) -> [Range<Int>] {
    var start = 0
    return pieces.compactMap { piece in
      defer { start += piece.count }
      let part = range.clamped(to: start..<start + piece.count)
      guard !part.isEmpty else { return nil }
      return piece.lowerBound + part.lowerBound - start..<piece.lowerBound + part.upperBound - start
    }
  }

  /// A part of the view, as far as it is in it.
  subscript(range: Range<Int>) -> SourceView {
    var part = SourceView(source, 0..<0)
    for place in places(range) { part.append(place) }
    return part
  }

  /// Everything from there on.
  func from(_ start: Int) -> SourceView { self[min(max(0, start), count)..<count] }

  /// The bytes of a range, all of them.
  func bytes(_ range: Range<Int>) throws(Untraceable) -> [UInt8] {
    guard range.lowerBound >= 0, range.upperBound <= count, range.count <= PictureSource.longestPiece else {
      throw Untraceable()
    }
    // Each of them is looked at.
    if pieces.count > 1 { try source.spend(pieces.count) }
    var bytes: [UInt8] = []
    for place in places(range) { bytes += try source.bytes(place) }
    return bytes
  }

  /// All of it.
  func bytes() throws(Untraceable) -> [UInt8] { try bytes(0..<count) }

  /// As many of the first bytes as there are.
  func start(_ most: Int, at offset: Int = 0) throws(Untraceable) -> [UInt8] {
    guard offset >= 0, offset <= count else { throw Untraceable() }
    return try bytes(offset..<min(count, offset + most))
  }

  /// Whether this text is there.
  func has(_ text: String, at offset: Int = 0) throws(Untraceable) -> Bool {
    let length = text.utf8.count
    guard offset >= 0, count - offset >= length else { return false }
    return try bytes(offset..<offset + length).elementsEqual(text.utf8)
  }

  /// A number of up to eight bytes.
  func number(at offset: Int, _ length: Int, isBig: Bool = true) throws(Untraceable) -> Int {
    guard offset >= 0, count - offset >= length else { throw Untraceable() }
    let bytes = try bytes(offset..<offset + length)
    let number = (isBig ? bytes : bytes.reversed()).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard let number = Int(exactly: number) else { throw Untraceable() }
    return number
  }
}
