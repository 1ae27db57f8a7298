internal import PictureAPI

/// Places in files of boxes (ISO/IEC 14496-12): films (MP4, QuickTime) and pictures (HEIC, AVIF).
///
/// A box that says a place becomes `free` and its content zero: everything stays where it is.
struct ISOPlaces {
  private let view: SourceView
  private let depth: Int
  private var boxes = 0
  /// How many boxes it is inside of.
  private var level = 0
  private var freeSpace = ISOFreeSpace()
  private var samples = ISOSamples()

  /// Boxes that are looked at.
  private static let most = 65_536
  /// Boxes that one is inside of: a film has some eight.
  static let deepest = 32
  /// The longest box of metadata.
  private static let longest = 32 << 20

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

  private func free(_ box: Box, _ found: inout FoundPlaces) throws(Untraceable) {
    let type = box.whole.lowerBound + 4..<box.whole.lowerBound + 8
    try found.add(type, of: view, .bytes(Array("free".utf8)))
    if !box.content.isEmpty { try found.add(box.content, of: view, .zeros) }
  }

  private static let places: Set = ["\u{A9}xyz", "loci", "GPS ", "gps ", "@xyz", "\u{A9}gps", "GPMF", "gpmf"]

  private func lookAtUserData(_ box: Box, _ found: inout FoundPlaces) throws(Untraceable) {
    guard box.content.count <= Self.longest else { throw Untraceable() }
    let isPlace = Self.places.contains(box.type)
    let content = isPlace ? [] : try view.bytes(box.content)
    let isOwn = !isPlace && !Self.isKnownUserData(box.type) && !content.isZero
    if isPlace || isOwn || Marks.isThere(in: content) || ISO6709.isThere(in: content) {
      try free(box, &found)
    }
  }

  /// Metadata as items with keys, as QuickTime's (`mdta`) and iTunes' (`mdir`) are; or the items of a picture.
  private mutating func lookAtMetadata(_ box: Box, _ found: inout FoundPlaces) throws(Untraceable) {
    // QuickTime's has no version before its boxes.
    let isBare = try view.has("hdlr", at: box.content.lowerBound + 4)
    let start = box.content.lowerBound + (isBare ? 0 : 4)
    guard start <= box.content.upperBound else { return }
    let content = start..<box.content.upperBound
    var children: [Box] = []
    var at = content.lowerBound
    while at < content.upperBound, let child = try Self.box(view, at: at, end: content.upperBound) {
      guard children.count < 256 else { throw Untraceable() }
      children.append(child)
      at = child.whole.upperBound
    }
    guard content.upperBound - at < 8 else { throw Untraceable() }
    if children.contains(where: { $0.type == "iloc" || $0.type == "iinf" }) {
      try HEIFPlaces(view, children, depth).find(&found)
    }
    let keys: [String] =
      if let box = children.first(where: { $0.type == "keys" }) { try names(box) } else { [] }
    for child in children where child.type == "ilst" { try lookAtItems(child, keys, &found) }
    for child in children {
      switch child.type {
      case "uuid": try lookAtOwn(child, isOfFile: true, &found)
      case "iprp": try lookAtProperties(child, &found)
      case "free", "skip": try freeSpace.empty(child, in: view, &found)
      // A document, as text and packed: what Sony's cameras were set to, and measured.
      case "xml ", "bxml":
        guard child.content.count <= Self.longest else { throw Untraceable() }
        if ISOFreeSpace.isMarked(try view.bytes(child.content)) { try free(child, &found) }
      default: break
      }
    }
  }

  private func names(_ keys: Box) throws(Untraceable) -> [String] {
    var names: [String] = []
    var at = keys.content.lowerBound + 8
    while keys.content.upperBound - at >= 8 {
      let length = try view.number(at: at, 4)
      guard length >= 8, length <= keys.content.upperBound - at, names.count < 4096 else {
        throw Untraceable()
      }
      names.append(
        String(decoding: try view.start(min(length - 8, 512), at: at + 8), as: UTF8.self).lowercased())
      at += length
    }
    return names
  }

  private mutating func lookAtItems(
    _ list: Box, _ keys: [String], _ found: inout FoundPlaces
  ) throws(Untraceable) {
    var at = list.content.lowerBound
    while list.content.upperBound - at >= 8 {
      guard let item = try Self.box(view, at: at, end: list.content.upperBound) else { throw Untraceable() }
      boxes += 1
      guard boxes <= Self.most else { throw Untraceable() }
      let index = try view.number(at: at + 4, 4)
      let key = (1...max(1, keys.count)).contains(index) && !keys.isEmpty ? keys[index - 1] : ""
      if ["location", "gps", "latitude", "longitude", "altitude"].contains(where: key.contains) {
        try free(item, &found)
      } else {
        try lookAtItem(item, &found)
      }
      at = item.whole.upperBound
    }
  }

  private func lookAtItem(_ box: Box, _ found: inout FoundPlaces) throws(Untraceable) {
    if Self.places.contains(box.type) { return try free(box, &found) }
    // A cover is a picture with metadata of its own; what else is long says nothing of this.
    let isCover = box.type == "covr"
    if isCover, box.content.count > Self.longest { throw Untraceable() }
    guard isCover || box.content.count <= 1 << 16 else { return }
    let content = try view.bytes(box.content)
    let isMarked = isCover ? Marks.isThere(in: content) : ISOFreeSpace.isMarked(content)
    if isMarked || ISO6709.isThere(in: content) { try free(box, &found) }
  }

  /// What items have of the same: where a picture lies on earth (OGC's), what people and programs say of it.
  private func lookAtProperties(_ properties: Box, _ found: inout FoundPlaces) throws(Untraceable) {
    var boxes = 0
    for container in try children(of: properties, &boxes) where container.type == "ipco" {
      for property in try children(of: container, &boxes) {
        if Self.geographic.contains(property.type) {
          try free(property, &found)
        } else if property.type != "colr" {
          guard property.content.count <= Self.longest else { throw Untraceable() }
          if Marks.isThere(in: try view.bytes(property.content)) { try free(property, &found) }
        }
      }
    }
  }

  private static let geographic: Set = ["mcrs", "mtxf", "tiep"]

  private func children(of box: Box, _ count: inout Int) throws(Untraceable) -> [Box] {
    var children: [Box] = []
    var at = box.content.lowerBound
    while at < box.content.upperBound, let child = try Self.box(view, at: at, end: box.content.upperBound) {
      count += 1
      guard count <= Self.most else { throw Untraceable() }
      children.append(child)
      at = child.whole.upperBound
    }
    return children
  }

  /// - Parameter isOfFile: it does not stand in a film, in which makers write numbers that nobody knows.
  private func lookAtOwn(_ box: Box, isOfFile: Bool, _ found: inout FoundPlaces) throws(Untraceable) {
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
