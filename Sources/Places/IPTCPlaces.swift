internal import PictureAPI

/// Places in IPTC's Information Interchange Model 4.2, and in Photoshop's image resources, which hold it.
enum IPTCPlaces {
  /// Of record 2: content location's code and name, city, sublocation, province, country's code and name.
  private static let places: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]
  /// Resources that are numbers, and may be large: colours and paths.
  private static let pixels = Set([0x040F] + (0x07D0...0x0BB6))
  /// What record 2 has besides, with what cameras and Photo Mechanic add.
  private static let known: Set<UInt8> = [
    0, 3, 4, 5, 7, 8, 10, 12, 15, 20, 22, 25, 30, 35, 37, 38, 40, 42, 45, 47, 50, 55, 60, 62, 63, 65, 70,
    75, 80, 85, 103, 105, 110, 115, 116, 118, 120, 121, 122, 125, 130, 131, 135, 150, 151, 152, 153, 154,
    184, 185, 186, 187, 188, 200, 201, 202, 221, 225, 228, 230, 231, 232, 255,
  ]
  /// Texts of people: a title, keywords, instructions, a headline, a description.
  private static let texts: Set<UInt8> = [5, 25, 40, 80, 85, 105, 110, 115, 116, 118, 120, 121, 122]
  /// The other records: of the envelope, of press photos, and of what is sent.
  private static let records: Set<UInt8> = [1, 3, 7, 8, 9]
  /// Takes the place of their numbers: assigned to nothing.
  private static let nothing: UInt8 = 254

  /// Looks through data sets, one after another.
  static func find(in view: SourceView, _ found: inout FoundPlaces) throws(Untraceable) {
    var at = 0
    while view.count - at >= 5 {
      let head = try view.start(5, at: at)
      guard head[0] == 0x1C else {
        // Filled up with zeros; what else there is nobody reads as a data set.
        return try refuseSets(in: view.from(at))
      }
      var length = Int(head[3]) << 8 | Int(head[4])
      var start = at + 5
      if length >= 0x8000 {
        let count = length & 0x7FFF
        guard count <= 4 else { throw Untraceable() }
        length = try view.number(at: start, count)
        start += count
      }
      let end = min(view.count, start + length)
      var isPlace = head[1] == 2 && places.contains(head[2])
      // A whole picture, with metadata of its own: a preview, or what is sent.
      if head[1] == 8 || head[1] == 2 && head[2] == 202 {
        isPlace = Marks.isThere(in: try view.bytes(start..<end))
      }
      if isPlace {
        try found.add(at + 2..<at + 3, of: view, .bytes([nothing]))
        try found.add(start..<end, of: view, .zeros)
      } else if head[1] == 2 ? !known.contains(head[2]) : !records.contains(head[1]) {
        // Of a number that damage has made, some show what it was.
        try found.empty(view[start..<end])
      } else if head[1] == 2, texts.contains(head[2]), Marks.sayCoordinates(try view.bytes(start..<end)) {
        try found.add(start..<end, of: view, .blanks)
      }
      at = end
    }
  }

  /// Some readers look for the next one.
  private static func refuseSets(in view: SourceView) throws(Untraceable) {
    if areThere(in: try view.start(1 << 20)) { throw Untraceable() }
  }

  /// Whether bytes have a data set of a place somewhere.
  static func areThere(in bytes: [UInt8]) -> Bool {
    bytes.indices.dropLast(4).contains {
      bytes[$0] == 0x1C && bytes[$0 + 1] == 2 && places.contains(bytes[$0 + 2])
    }
  }

  /// What is no resource, such as data sets behind one that says that it has none: some readers look for those.
  private static func lookAtRest(_ view: SourceView, _ found: inout FoundPlaces) throws(Untraceable) {
    let bytes = try view.bytes()
    let hasSets = bytes.indices.dropLast(4).contains { bytes[$0] == 0x1C && [1, 2].contains(bytes[$0 + 1]) }
    if hasSets || Marks.isThere(in: bytes) { try found.empty(view) }
  }

  /// Looks through a thumbnail's metadata. Where that cannot be followed, or something stands behind it, it goes.
  private static func find(
    inThumbnail view: SourceView, _ found: inout FoundPlaces, depth: Int
  ) throws(Untraceable) {
    let before = found
    let picture = view.from(28)
    if let end = try? JPEGPlaces.find(inHeaderOf: picture, &found, depth: depth),
      !Marks.isThere(in: try picture.from(end.end).bytes())
    {
      return
    }
    found = before
    try found.empty(view)
  }

  private static func isPicture(_ thumbnail: SourceView) throws(Untraceable) -> Bool {
    thumbnail.count > 31 ? try thumbnail.start(3, at: 28) == [0xFF, 0xD8, 0xFF] : false
  }

  /// Looks through image resources (Adobe Photoshop File Formats Specification).
  static func find(
    inResources view: SourceView, _ found: inout FoundPlaces, depth: Int
  ) throws(Untraceable) {
    var at = 0
    while view.count - at >= 12 {
      let signature = try view.start(4, at: at)
      guard ["8BIM", "AgHg", "DCSR", "PHUT", "MeSa"].contains(where: { signature.elementsEqual($0.utf8) })
      else {
        return try lookAtRest(view.from(at), &found)
      }
      let id = try view.number(at: at + 4, 2)
      // A name, its length before it, together an even number of bytes.
      let name = try view.number(at: at + 6, 1) + 1
      let header = at + 6 + name + name % 2
      guard view.count - header >= 4 else { return }
      let length = try view.number(at: header, 4)
      let content = view[header + 4..<min(view.count, header + 4 + length)]
      switch id {
      case 0x0404: try find(in: content, &found)
      case 0x0422, 0x0423: try TIFFPlaces.find(in: content, &found, depth: depth)
      case 0x0424: try XMPPlaces.find(in: content, &found)
      // A thumbnail is a JPEG behind 28 bytes, with metadata of its own.
      case 0x0409 where try isPicture(content), 0x040C where try isPicture(content):
        try find(inThumbnail: content, &found, depth: depth)
      // Others are anybody's.
      case let id where !pixels.contains(id):
        if Marks.isThere(in: try content.bytes()) { try found.empty(content) }
      default: break
      }
      at = header + 4 + length + length % 2
    }
    if at < view.count { try lookAtRest(view.from(at), &found) }
  }
}
