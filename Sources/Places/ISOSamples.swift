/// Where the samples of a film lie in its media, so that what stands between them can be looked at: dash cameras log there where they
/// were, and players never come there.
struct ISOSamples {
  /// What boxes of media hold.
  var media: [Range<Int>] = []
  /// What tables point at.
  private var chunks: [Range<Int>] = []
  /// Where tracks of H.264 begin, whose pictures may carry what an AVCHD camera notes.
  private var starts: [Range<Int>] = []
  /// How many samples and chunks all tables have.
  private var count = 0

  /// Samples and chunks of one film: some ten hours of pictures and sound.
  private static let most = 4 << 20
  /// So much of what stands between samples is looked through, in bytes.
  private static let mostBetween = 64 << 20
  /// Of a track, so many chunks are looked at, and so much of each, in bytes.
  private static let firstChunks = 16, startOfChunk = 1 << 16
  /// What AVCHD cameras note with each picture (a message of somebody's own, H.264 D.1.7), the place among it.
  private static let avchd: [UInt8] =
    [0x17, 0xEE, 0x8C, 0x60, 0xF8, 0x4D, 0x11, 0xD9, 0x8C, 0xD6, 0x08, 0x00, 0x20, 0x0C, 0x9A, 0x66]
    + Array("MDPM".utf8)

  /// Notes where the samples of a track are.
  ///
  /// - Parameter box: its `stbl`.
  /// - Throws: ``Untraceable`` where there are more than any film has.
  mutating func note(table box: ISOPlaces.Box, in view: SourceView) throws(Untraceable) {
    var table = ISOSampleTable(view: view)
    var at = box.content.lowerBound
    while at < box.content.upperBound, let part = try ISOPlaces.box(view, at: at, end: box.content.upperBound)
    {
      try table.read(part)
      at = part.whole.upperBound
    }
    count += table.count
    guard count <= Self.most else { throw Untraceable() }
    let found = try table.chunks()
    chunks += found
    if table.isH264 { starts += found.prefix(Self.firstChunks).map { $0.prefix(Self.startOfChunk) } }
  }

  /// Refuses a film in which somebody has logged between the samples, or in its pictures.
  ///
  /// A film in fragments has no tables of them, and is not looked at between them.
  func refuseLogs(in view: SourceView) throws(Untraceable) {
    for start in starts {
      if try Marks.isThere([Self.avchd] + Marks.logged, in: view[start]) { throw Untraceable() }
    }
    guard !chunks.isEmpty else { return }
    let sorted = chunks.sorted { $0.lowerBound < $1.lowerBound }
    var rest = Self.mostBetween
    var next = sorted.startIndex
    for media in media.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      var end = media.lowerBound
      while end < media.upperBound {
        while next < sorted.endIndex, sorted[next].lowerBound <= end {
          end = max(end, sorted[next].upperBound)
          next += 1
        }
        let gap =
          end..<max(end, min(media.upperBound, next < sorted.endIndex ? sorted[next].lowerBound : .max))
        guard !gap.isEmpty else { break }
        rest -= gap.count
        guard rest >= 0 else { throw Untraceable() }
        if try Marks.isThere(Marks.logged, in: view[gap]) { throw Untraceable() }
        end = gap.upperBound
      }
    }
  }
}

/// The tables of one track (ISO/IEC 14496-12, 8.6 and 8.7): how long its samples are, how many are in each chunk, where those are.
struct ISOSampleTable {
  let view: SourceView
  /// Of H.264.
  private(set) var isH264 = false
  /// Entries that were read.
  private(set) var count = 0
  /// Of all samples, in bytes; zero where each has its own.
  private var size = 0
  private var sizes: [Int] = []
  private var offsets: [Int] = []
  /// From which chunk on, counted from 1, how many samples each has.
  private var runs: [(first: Int, samples: Int)] = []
  /// Bytes of sound, for so many samples of it.
  private var sound: (bytes: Int, samples: Int) = (1, 1)

  /// Entries of one table.
  private static let most = 4 << 20

  init(view: SourceView) { self.view = view }

  /// Reads a box of `stbl`.
  mutating func read(_ box: ISOPlaces.Box) throws(Untraceable) {
    guard box.content.count >= 8 else { return }
    switch box.type {
    case "stsd": try readDescription(box)
    case "stsz":
      guard box.content.count >= 12 else { return }
      size = try view.number(at: box.content.lowerBound + 4, 4)
      if size == 0 { sizes = try numbers(box, from: 12, 4, count: number(box, 8)) }
    case "stz2":
      guard box.content.count >= 12 else { return }
      // Fields of four bits are two in a byte: as long as the longest each.
      let bits = try view.number(at: box.content.lowerBound + 7, 1)
      let count = try number(box, 8)
      guard count <= Self.most else { throw Untraceable() }
      switch bits {
      case 4: sizes = [Int](repeating: 15, count: min(count, 2 * (box.content.count - 12)))
      case 8, 16: sizes = try numbers(box, from: 12, bits / 8, count: count)
      default: throw Untraceable()
      }
    case "stco": offsets = try numbers(box, from: 8, 4, count: number(box, 4))
    case "co64": offsets = try numbers(box, from: 8, 8, count: number(box, 4))
    case "stsc":
      let all = try numbers(box, from: 8, 4, count: 3 * number(box, 4))
      runs = stride(from: 0, to: all.count - 2, by: 3).map { (all[$0], all[$0 + 1]) }
    default: return
    }
    count = sizes.count + offsets.count + runs.count
  }

  private func number(_ box: ISOPlaces.Box, _ offset: Int) throws(Untraceable) -> Int {
    try view.number(at: box.content.lowerBound + offset, 4)
  }

  private func numbers(
    _ box: ISOPlaces.Box, from start: Int, _ length: Int, count: Int
  ) throws(Untraceable) -> [Int] {
    let count = min(count, (box.content.count - start) / length)
    guard count > 0 else { return [] }
    guard count <= Self.most else { throw Untraceable() }
    let first = box.content.lowerBound + start
    let bytes = try view.bytes(first..<first + count * length)
    return bytes.withUnsafeBytes { bytes in
      (0..<count).map { index in
        let number = bytes[index * length..<(index + 1) * length].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(clamping: number)
      }
    }
  }

  /// How it is coded; of sound, how many bytes a sample has, which the table of sizes need not say.
  private mutating func readDescription(_ box: ISOPlaces.Box) throws(Untraceable) {
    guard let entry = try ISOPlaces.box(view, at: box.content.lowerBound + 8, end: box.content.upperBound)
    else {
      return
    }
    if entry.type.hasPrefix("avc") { isH264 = true }
    guard entry.content.count >= 28 else { return }
    func short(_ offset: Int) throws(Untraceable) -> Int {
      try view.number(at: entry.content.lowerBound + offset, 2)
    }
    sound = (max(1, try short(16) * short(18) / 8), 1)
    guard try short(8) == 1, entry.content.count >= 44 else { return }
    let (samples, bytes) = (try number(entry, 28), try number(entry, 36))
    if samples > 0, (1...1 << 20).contains(bytes) { sound = (bytes, samples) }
  }

  /// Where each chunk is. What is said of sound in a word or two may be less than there is, and never ends before it.
  func chunks() throws(Untraceable) -> [Range<Int>] {
    var chunks: [Range<Int>] = []
    chunks.reserveCapacity(offsets.count)
    var (run, sample) = (0, 0)
    for (index, offset) in offsets.enumerated() {
      while run + 1 < runs.count, runs[run + 1].first <= index + 1 { run += 1 }
      guard run < runs.count, offset <= view.count else { continue }
      let samples = min(runs[run].samples, 1 << 31)
      var length = 0
      if size == 0 {
        let end = min(sizes.count, sample + samples)
        if sample < end { length = sizes[sample..<end].reduce(0) { min($0 + $1, 1 << 48) } }
        sample = end
      } else if size == 1 {
        length = samples / sound.samples * sound.bytes
      } else {
        length = samples * min(size, 1 << 24)
      }
      if length > 0 { chunks.append(offset..<min(view.count, offset + length)) }
    }
    return chunks
  }
}
