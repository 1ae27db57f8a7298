internal import PictureAPI

/// Places in files of boxes (ISO/IEC 14496-12): films (MP4, QuickTime) and pictures (HEIC, AVIF).
///
/// A box that says a place becomes `free` and its content zero: everything stays where it is.
struct ISOPlaces {
  let view: SourceView
  let depth: Int
  var boxes = 0
  /// How many boxes it is inside of.
  private var level = 0
  var freeSpace = ISOFreeSpace()
  private var samples = ISOSamples()

  /// Boxes that are looked at.
  static let most = 65_536
  /// Boxes that one is inside of: a film has some eight.
  static let deepest = 32
  /// The longest box of metadata.
  static let longest = 32 << 20

  /// Looks through a whole file.
  static func find(in view: SourceView, _ found: inout FoundPlaces, depth: Int = 0) throws(Untraceable) {
    var finder = try ISOPlaces(view, depth)
    // Canon's RAW has boxes of its own, of which not all are known.
    guard try !view.has("crx ", at: 8) else { throw Untraceable() }
    try finder.look(at: 0..<view.count, in: .file, &found, mustEnd: true)
    try finder.samples.refuseLogs(in: view)
  }

  /// Looks through boxes for as long as there are.
  ///
  /// - Returns: where they end.
  static func find(
    inFilmAtStartOf view: SourceView, _ found: inout FoundPlaces, depth: Int
  ) throws(Untraceable) -> Int {
    var finder = try ISOPlaces(view, depth)
    let end = try finder.look(at: 0..<view.count, in: .file, &found, mustEnd: false)
    try finder.samples.refuseLogs(in: view)
    return end
  }

  private init(_ view: SourceView, _ depth: Int) throws(Untraceable) {
    guard depth < 4 else { throw Untraceable() }
    self.view = view
    self.depth = depth
  }

  struct Box {
    let type: String
    /// With its header, and without.
    let whole, content: Range<Int>
  }

  /// What boxes are in.
  private enum Container {
    case file, film, userData, items, sampleTable
  }

  static func box(_ view: SourceView, at offset: Int, end: Int) throws(Untraceable) -> Box? {
    guard end - offset >= 8 else { return nil }
    let head = try view.start(8, at: offset)
    // Each byte a character: `©` is one.
    let type = String(String.UnicodeScalarView(head[4..<8].map { Unicode.Scalar($0) }))
    var header = 8
    var length = try view.number(at: offset, 4)
    if length == 1 {
      guard end - offset >= 16 else { return nil }
      header = 16
      length = try view.number(at: offset + 8, 8)
    } else if length == 0 {
      length = end - offset
    }
    guard length >= header, length <= end - offset else { return nil }
    return Box(type: type, whole: offset..<offset + length, content: offset + header..<offset + length)
  }

  /// - Parameter mustEnd: whether there must be nothing behind the last box.
  /// - Returns: where the boxes end.
  @discardableResult
  private mutating func look(
    at range: Range<Int>, in container: Container, _ found: inout FoundPlaces, mustEnd: Bool
  ) throws(Untraceable) -> Int {
    guard level < Self.deepest else { throw Untraceable() }
    level += 1
    defer { level -= 1 }
    var at = range.lowerBound
    while at < range.upperBound, let box = try Self.box(view, at: at, end: range.upperBound) {
      if !mustEnd,
        !box.type.unicodeScalars.allSatisfy({ (0x20...0x7E).contains($0.value) || $0.value == 0xA9 })
      {
        break
      }
      boxes += 1
      guard boxes <= Self.most else { throw Untraceable() }
      try look(at: box, in: container, &found)
      at = box.whole.upperBound
    }
    if mustEnd, at < range.upperBound {
      // Lists of QuickTime end with four zeros.
      guard try view.start(64, at: at).allSatisfy({ $0 == 0 }), range.upperBound - at <= 64 else {
        throw Untraceable()
      }
    }
    return at
  }

  private mutating func look(
    at box: Box, in container: Container, _ found: inout FoundPlaces
  ) throws(Untraceable) {
    switch (box.type, container) {
    case ("mdat", .file): samples.media.append(box.content)
    // Pictures that are items, each of which is looked at.
    case ("ftyp", .file), ("imda", .file): break
    case ("free", _), ("skip", _), ("wide", _): try freeSpace.empty(box, in: view, &found)
    case ("moov", .file), ("moof", .file), ("trak", .film), ("minf", .film), ("traf", .film):
      try look(at: box.content, in: .film, &found, mustEnd: true)
    case ("mdia", .film):
      try look(at: box.content, in: .film, &found, mustEnd: true)
      try ISOTracks.refuseOthers(box, in: view)
    // What is packed says more than is looked at.
    case ("cmov", _): throw Untraceable()
    case ("stbl", .film):
      try look(at: box.content, in: .sampleTable, &found, mustEnd: true)
      try samples.note(table: box, in: view)
    // More metadata, and how it is related.
    case ("meco", _): try look(at: box.content, in: .film, &found, mustEnd: true)
    case ("mere", _): break
    case ("udta", _): try look(at: box.content, in: .userData, &found, mustEnd: true)
    case ("meta", _): try lookAtMetadata(box, &found)
    case ("uuid", _): try lookAtOwn(box, isOfFile: container == .file, &found)
    case ("XMP_", _): try XMPPlaces.find(in: view[box.content], &found)
    case ("mpvd", .file):
      _ = try Self.find(inFilmAtStartOf: view[box.content], &found, depth: depth + 1)
    // Samsung's blocks, as behind their JPEGs.
    case ("sefd", .file):
      try ISOFreeSpace.refuse(box, in: view, isOfFilm: false)
      try JPEGTrailer.forgetCountry(in: view[box.content], &found)
    case (_, .userData): try lookAtUserData(box, &found)
    case (_, .items): try lookAtItem(box, &found)
    case (let type, .film) where Self.known.contains(type): break
    case (let type, .sampleTable) where Self.knownInSampleTable.contains(type): break
    case (_, .file): try ISOFreeSpace.refuse(box, in: view, isOfFilm: false)
    case (_, .film), (_, .sampleTable): try ISOFreeSpace.refuse(box, in: view, isOfFilm: true)
    }
  }

  func free(_ box: Box, _ found: inout FoundPlaces) throws(Untraceable) {
    let type = box.whole.lowerBound + 4..<box.whole.lowerBound + 8
    try found.add(type, of: view, .bytes(Array("free".utf8)))
    if !box.content.isEmpty { try found.add(box.content, of: view, .zeros) }
  }

  static let places: Set = ["\u{A9}xyz", "loci", "GPS ", "gps ", "@xyz", "\u{A9}gps", "GPMF", "gpmf"]

  private func lookAtUserData(_ box: Box, _ found: inout FoundPlaces) throws(Untraceable) {
    guard box.content.count <= Self.longest else { throw Untraceable() }
    let isPlace = Self.places.contains(box.type)
    let content = isPlace ? [] : try view.bytes(box.content)
    let isOwn = !isPlace && !Self.isKnownUserData(box.type) && !content.isZero
    if isPlace || isOwn || Marks.isThere(in: content) || ISO6709.isThere(in: content) {
      try free(box, &found)
    }
  }

  /// - Parameter isOfFile: it does not stand in a film, in which makers write numbers that nobody knows.
  func lookAtOwn(_ box: Box, isOfFile: Bool, _ found: inout FoundPlaces) throws(Untraceable) {
    guard box.content.count >= 16 else { return }
    let id = try view.start(16, at: box.content.lowerBound)
    let content = view[box.content.lowerBound + 16..<box.content.upperBound]
    switch id {
    case Self.xmp: try XMPPlaces.find(in: content, &found)
    case Self.iptc: try IPTCPlaces.find(in: content, &found)
    default:
      guard isOfFile || Self.others.contains(id) else { throw Untraceable() }
      guard content.count <= Self.longest else { throw Untraceable() }
      let saysPlace = Credentials.sayPlace(try content.bytes())
      if id == Self.garmin || saysPlace { throw Untraceable() }
    }
  }
}
