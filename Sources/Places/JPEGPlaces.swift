/// Places in a JPEG file (ITU-T T.81, Exif 2.32, XMP part 3): in the segments of its pictures, and in what comes after them.
struct JPEGPlaces {
  private let view: SourceView
  private let depth: Int
  /// Whether its pixels were come to.
  private var hasScan = false
  private var at = 0
  /// Segments that are one block: of Exif, of Photoshop's resources.
  private var exif: [SourceView] = []
  private var resources: SourceView?
  /// Parts of extended XMP, by the name that they share, with where they belong.
  private var extended: [[UInt8]: [(offset: Int, part: SourceView)]] = [:]
  /// What is known by its name, and not looked through by others.
  private var known: KnownSegments

  /// Looks through a whole file: pictures one after another, and what phones append.
  static func find(in view: SourceView, _ found: inout FoundPlaces, depth: Int = 0) throws(Untraceable) {
    guard depth < 4 else { throw Untraceable() }
    var rest = view
    var pictures = 0
    while try rest.start(3) == [0xFF, 0xD8, 0xFF] {
      pictures += 1
      guard pictures <= 64 else { throw Untraceable() }
      var reader = JPEGPlaces(view: rest, depth: depth)
      let end = try reader.readPicture(&found, isWhole: true)
      rest = try JPEGTrailer.afterFiller(rest.from(end))
    }
    if rest.count > 0 { try JPEGTrailer.find(in: rest, &found, depth: depth) }
  }

  /// Looks through what comes before the picture itself, of a JPEG that is inside another file.
  ///
  /// - Returns: where that ends, and where its pixels begin, if it has any.
  static func find(
    inHeaderOf view: SourceView, _ found: inout FoundPlaces, depth: Int
  ) throws(Untraceable) -> (end: Int, scan: Int?) {
    guard depth < 4 else { throw Untraceable() }
    var reader = JPEGPlaces(view: view, depth: depth)
    let end = try reader.readPicture(&found, isWhole: false)
    return (end, reader.hasScan ? end : nil)
  }

  private init(view: SourceView, depth: Int) {
    self.view = view
    self.depth = depth
    known = KnownSegments(view.source)
  }

  private enum Marker {
    static let scan: UInt8 = 0xDA, end: UInt8 = 0xD9, app1: UInt8 = 0xE1, app13: UInt8 = 0xED,
      comment: UInt8 = 0xFE
    static let apps: ClosedRange<UInt8> = 0xE0...0xEF
    /// They stand alone.
    static let single: Set<UInt8> = Set([0x01] + (0xD0...0xD8))
  }

  /// - Returns: where it ends.
  private mutating func readPicture(_ found: inout FoundPlaces, isWhole: Bool) throws(Untraceable) -> Int {
    at = 2
    var segments = 0
    reading: while let marker = try nextMarker() {
      segments += 1
      guard segments <= 65_536 else { throw Untraceable() }
      switch marker {
      case Marker.end: break reading
      case let single where Marker.single.contains(single): continue
      default: break
      }
      guard view.count - at >= 2 else { break }
      let length = max(2, try view.number(at: at, 2))
      let content = view[at + 2..<min(view.count, at + length)]
      // What is cut off in the middle of its metadata has not said everything, and others may read what is there.
      if at + length > view.count { try Marks.refuse(content) }
      switch marker {
      case let app where Marker.apps.contains(app): try note(marker, content, &found)
      case Marker.comment: try KnownSegments.blank(comment: content, &found)
      default: try KnownSegments.refuse(other: marker, content)
      }
      at = min(view.count, at + length)
      if marker == Marker.scan { hasScan = true }
      if marker == Marker.scan, !isWhole { break }
      if marker == Marker.scan { try skipScan() }
    }
    try findInBlocks(&found)
    return at
  }

  /// The next marker, and past it; nil at the end. What stands before it is skipped, as everybody does, but for what may be a segment
  /// whose own marker is lost.
  private mutating func nextMarker() throws(Untraceable) -> UInt8? {
    let start = at
    while view.count - at >= 2 {
      let two = try view.start(2, at: at)
      if two[0] == 0xFF, two[1] != 0xFF, two[1] != 0 {
        if at > start { try Marks.refuse(view[start..<at]) }
        at += 2
        return two[1]
      }
      at += 1
    }
    at = view.count
    if at > start { try Marks.refuse(view[start..<at]) }
    return nil
  }

  /// Past coded data, to the next marker that is none of its own.
  private mutating func skipScan() throws(Untraceable) {
    while at < view.count {
      let block = try view.start(1 << 20, at: at)
      var offset = 0
      while let range = block.firstRange(of: [0xFF], from: offset) {
        offset = range.upperBound
        guard offset < block.count else { break }
        let next = block[offset]
        if next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) {
          at += offset - 1
          return
        }
      }
      // The last byte may be the first of a marker.
      at += at + block.count < view.count ? block.count - 1 : block.count
    }
  }

  private mutating func note(
    _ marker: UInt8, _ content: SourceView, _ found: inout FoundPlaces
  ) throws(Untraceable) {
    let start = try content.start(80)
    func has(_ text: String) -> Bool { start.starts(with: text.utf8) }
    switch marker {
    case Marker.app1 where has("http://ns.adobe.com/xap/1.0/\0"):
      try XMPPlaces.find(in: content.from(29), &found)
    case Marker.app1 where has("http://ns.adobe.com/xmp/extension/\0"):
      guard content.count >= 75 else { throw Untraceable() }
      let offset = try content.number(at: 71, 4)
      extended[Array(start[35..<67]), default: []].append((offset, content.from(75)))
    case Marker.app13 where has("Photoshop 3.0\0"): append(content.from(14))
    case Marker.app13 where has("Adobe_Photoshop2.5:"): append(content.from(19))
    case Marker.app1 where Self.exif(in: start) != nil:
      let end = Self.exif(in: start) ?? 0
      try note(exif: content.from(end + 1), &found)
    default: try known.note(marker, content, start, &found)
    }
  }

  /// Where the name of Exif ends. Some writers put a few bytes before it.
  private static func exif(in start: [UInt8]) -> Int? {
    Array(start.prefix(12)).firstRange(of: Array("Exif\0".utf8))?.upperBound
  }

  private mutating func append(_ part: SourceView) {
    var block = resources ?? SourceView(view.source, 0..<0)
    for piece in part.pieces { block.append(piece) }
    resources = block
  }

  /// A block that does not begin like one goes on with the one before it.
  private mutating func note(exif part: SourceView, _ found: inout FoundPlaces) throws(Untraceable) {
    let start = try part.start(4)
    if start == [0x49, 0x49, 0x2A, 0] || start == [0x4D, 0x4D, 0, 0x2A] {
      exif.append(part)
    } else if var block = exif.popLast() {
      for piece in part.pieces { block.append(piece) }
      exif.append(block)
    } else {
      try found.empty(part)
    }
  }

  private mutating func findInBlocks(_ found: inout FoundPlaces) throws(Untraceable) {
    for block in exif { try TIFFPlaces.find(in: block, &found, depth: depth + 1) }
    try known.finish(&found)
    if let resources { try IPTCPlaces.find(inResources: resources, &found, depth: depth + 1) }
    for parts in extended.values {
      var packet = SourceView(view.source, 0..<0)
      for (offset, part) in parts.sorted(by: { $0.offset < $1.offset }) {
        guard offset == packet.count else { throw Untraceable() }
        for piece in part.pieces { packet.append(piece) }
      }
      try XMPPlaces.find(in: packet, &found)
    }
  }
}
