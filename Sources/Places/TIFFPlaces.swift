internal import PictureAPI

/// Places in a TIFF file (TIFF 6.0, Exif 2.32), in what is built like one (DNG, most makers' RAW), and in a block of Exif.
///
/// What points outside of the file points at nothing: what is there is read, as everybody does.
struct TIFFPlaces {
  let view: SourceView
  let isBig: Bool
  let depth: Int
  /// Who has made the camera, in small letters, and the coordinates that the file says: known once its first directory was looked at.
  private(set) var make = ""
  private(set) var coordinates: KnownCoordinates?
  private var seen: Set<Int> = []
  private var waiting: [Int] = []

  /// Directories that are looked at; a RAW file has a dozen.
  private static let mostDirectories = 256
  /// The tags of Exif's block about the place are 32.
  private static let mostPlaceEntries = 64

  /// TIFF's own, Olympus's and Panasonic's.
  static let headers: [[UInt8]] =
    [[0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A]] + ["IIRO", "IIRS", "MMOR", "IIU\0"].map { Array($0.utf8) }

  private enum Tag {
    static let xmp = 0x02BC, iptc = 0x83BB, photoshop = 0x8649, gps = 0x8825,
      credentials = 0xCD41
    /// Takes the place of ``gps``: assigned to nothing, and in order between its neighbours.
    static let nothing = 0x8826
    static let make = 0x010F, makerNote = 0x927C
    /// How high or how deep it was: the pressure of air or water, and how far below its surface (Exif 2.31).
    static let heights: Set = [0x9402, 0x9403]
    /// Photoshop's layers, with whole files in them (smart objects).
    static let layers = 0x935C
    /// From there on tags are anybody's; the longest value of one that is looked through, in bytes.
    static let own = 0x8000, longestOwn = 1 << 16
    /// Kodak's two among them, and what is a place there.
    static let directories: Set = [0x014A, 0x0190, 0x8769, 0xA005, 0x8290, 0xFE00]
    static let kodak = 0x0402
    /// Texts of people and programs: a description, a comment.
    static let texts: Set = [0x010E, 0x9286, 0x9C9B, 0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F]
    /// In DNG, a camera's own; and the whole file that was converted, packed.
    static let ownOfCamera = 0xC634, converted = 0xC68C
    /// GeoTIFF's, which say where on earth a picture lies.
    /// Intergraph's and GDAL's too, and how a satellite's picture lies (RPC).
    static let geographic: Set = [
      0x830E, 0x847E, 0x8480, 0x8482, 0x85D8, 0x87AF, 0x87B0, 0x87B1, 0xA480, 0xC69C,
    ]
    /// JPEGs inside: a strip, a thumbnail, Panasonic's preview.
    static let pictures: Set = [0x0111, 0x0201, 0x002E]
  }

  /// Looks through a view that begins with the header.
  ///
  /// - Parameter depth: how many files it is inside of.
  static func find(in view: SourceView, _ found: inout FoundPlaces, depth: Int = 0) throws(Untraceable) {
    guard depth < 4, view.count >= 8 else { throw Untraceable() }
    let start = try view.start(4)
    guard headers.contains(start) else { throw Untraceable() }
    var finder = TIFFPlaces(view: view, isBig: start[0] == 0x4D, depth: depth)
    finder.waiting = [try view.number(at: 4, 4, isBig: finder.isBig)]
    while let directory = finder.waiting.popLast() {
      guard finder.seen.insert(directory).inserted else { continue }
      guard finder.seen.count <= mostDirectories else { throw Untraceable() }
      try finder.look(at: directory, &found)
    }
  }

  /// Looks through a view that begins with a header for some tags of its first directory.
  static func values(of tags: Set<Int>, in view: SourceView) throws(Untraceable) -> [Range<Int>] {
    guard view.count >= 8, headers.contains(try view.start(4)) else { return [] }
    let reader = TIFFPlaces(view: view, isBig: try view.number(at: 0, 1) == 0x4D, depth: 0)
    let directory = try view.number(at: 4, 4, isBig: reader.isBig)
    return try reader.entries(of: directory).filter { tags.contains($0.tag) }.map(\.value)
  }

  init(view: SourceView, isBig: Bool, depth: Int) {
    self.view = view
    self.isBig = isBig
    self.depth = depth
  }

  struct Entry {
    let offset: Int
    let tag: Int
    /// Of the whole value, as far as it is in the file.
    let value: Range<Int>
    let count: Int
    let size: Int
  }

  private static let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8]

  func entries(of directory: Int, most: Int = 65_535) throws(Untraceable) -> [Entry] {
    guard directory >= 0, view.count - directory >= 2 else { return [] }
    let count = try view.number(at: directory, 2, isBig: isBig)
    var entries: [Entry] = []
    for index in 0..<min(count, most) {
      let offset = directory + 2 + 12 * index
      guard view.count - offset >= 12 else { break }
      let type = try view.number(at: offset + 2, 2, isBig: isBig)
      let count = try view.number(at: offset + 4, 4, isBig: isBig)
      let size = type < Self.sizes.count ? Self.sizes[type] : 0
      let length = size * count
      let start = length <= 4 ? offset + 8 : try view.number(at: offset + 8, 4, isBig: isBig)
      let value = (start..<start + max(0, length)).clamped(to: 0..<view.count)
      entries.append(
        Entry(
          offset: offset, tag: try view.number(at: offset, 2, isBig: isBig), value: value, count: count,
          size: size))
    }
    return entries
  }

  private mutating func look(at directory: Int, _ found: inout FoundPlaces) throws(Untraceable) {
    let entries = try entries(of: directory)
    for entry in entries {
      if entry.tag == Tag.make, make.isEmpty {
        make = String(decoding: try view[entry.value].start(64), as: UTF8.self).lowercased()
      } else if entry.tag == Tag.gps, coordinates == nil {
        for place in try numbers(of: entry) { coordinates = try coordinates(in: place) ?? coordinates }
      }
    }
    for entry in entries {
      switch entry.tag {
      case Tag.gps:
        for place in try numbers(of: entry) { try erase(place, &found) }
        try found.add(entry.offset..<entry.offset + 12, of: view, .bytes(nothing))
      case Tag.xmp: try XMPPlaces.find(in: view[entry.value], &found)
      case Tag.iptc: try IPTCPlaces.find(in: view[entry.value], &found)
      case Tag.photoshop: try IPTCPlaces.find(inResources: view[entry.value], &found, depth: depth + 1)
      case Tag.makerNote: try lookAtNote(entry, &found)
      case Tag.layers: try Marks.empty(view[entry.value], and: Marks.linkedFiles, &found)
      case let tag where Tag.heights.contains(tag): try found.empty(view[entry.value])
      // Content credentials (C2PA), which are signed: nothing of them can be overwritten.
      case Tag.credentials:
        if Credentials.sayPlace(try view[entry.value].bytes()) { throw Untraceable() }
      case let tag where Tag.geographic.contains(tag): try found.empty(view[entry.value])
      case Tag.kodak, Tag.converted: try found.empty(view[entry.value])
      case Tag.ownOfCamera: try lookAtOwn(entry, &found)
      case let tag where Tag.texts.contains(tag):
        if Marks.sayCoordinates(try view[entry.value].bytes()) { try found.empty(view[entry.value]) }
      case let tag where Tag.directories.contains(tag) || entry.size == 4 && isDirectory(entry):
        waiting += try numbers(of: entry)
      case let tag where Tag.pictures.contains(tag): try lookAtPictures(entry, &found)
      case let tag where tag >= Tag.own && entry.value.count >= 8 && entry.value.count <= Tag.longestOwn:
        let bytes = try view[entry.value].bytes()
        if coordinates?.areThere(in: bytes) ?? false { try found.empty(view[entry.value]) }
      default: break
      }
    }
    let next = directory + 2 + 12 * entries.count
    if view.count - next >= 4 { waiting.append(try view.number(at: next, 4, isBig: isBig)) }
    waiting.removeAll { $0 == 0 }
  }

  /// Whether it says itself that it is one (TIFF's supplement 1).
  private func isDirectory(_ entry: Entry) -> Bool {
    (try? view.number(at: entry.offset + 2, 2, isBig: isBig)) == 13
  }

  private func numbers(of entry: Entry) throws(Untraceable) -> [Int] {
    guard entry.size == 4 || entry.size == 2 else { return [] }
    var numbers: [Int] = []
    for index in 0..<min(entry.value.count / entry.size, Self.mostDirectories) {
      numbers.append(
        try view.number(at: entry.value.lowerBound + index * entry.size, entry.size, isBig: isBig))
    }
    return numbers
  }

  /// What a directory of the place says.
  private func coordinates(in directory: Int) throws(Untraceable) -> KnownCoordinates? {
    func degrees(_ tag: Int, _ entries: [Entry]) throws(Untraceable) -> Double? {
      guard let entry = entries.first(where: { $0.tag == tag }), entry.value.count == 24 else { return nil }
      let bytes = try view[entry.value].bytes()
      return bytes.withUnsafeBytes { KnownCoordinates.fractions($0, 0, 3, isBig) }
    }
    let entries = try entries(of: directory, most: Self.mostPlaceEntries)
    guard let latitude = try degrees(2, entries), let longitude = try degrees(4, entries) else { return nil }
    return KnownCoordinates(latitude: latitude, longitude: longitude)
  }

  /// The table and its values: nothing of it is left, as if it had no entry.
  private func erase(_ directory: Int, _ found: inout FoundPlaces) throws(Untraceable) {
    guard directory >= 8, view.count - directory >= 2 else { return }
    let count = try view.number(at: directory, 2, isBig: isBig)
    guard (1...Self.mostPlaceEntries).contains(count) else { return }
    for entry in try entries(of: directory) where entry.size * entry.count > 4 {
      try found.add(entry.value, of: view, .zeros)
    }
    try found.add(directory..<min(view.count, directory + 2 + 12 * count + 4), of: view, .zeros)
  }

  /// An entry of which nobody knows anything: four bytes, all zero.
  var nothing: [UInt8] {
    func two(_ number: Int) -> [UInt8] {
      let bytes = [UInt8(number >> 8), UInt8(number & 0xFF)]
      return isBig ? bytes : bytes.reversed()
    }
    let four: [UInt8] = isBig ? [0, 0, 0, 4] : [4, 0, 0, 0]
    return two(Tag.nothing) + two(7) + four + [0, 0, 0, 0]
  }

  /// JPEGs inside may have metadata of their own.
  private func lookAtPictures(_ entry: Entry, _ found: inout FoundPlaces) throws(Untraceable) {
    // Panasonic's is the value itself.
    let starts = entry.tag == 0x002E ? [entry.value.lowerBound] : try numbers(of: entry)
    for start in starts where start > 0 {
      guard view.count - start >= 4, try view.start(3, at: start) == [0xFF, 0xD8, 0xFF] else { continue }
      _ = try JPEGPlaces.find(inHeaderOf: view.from(start), &found, depth: depth + 1)
    }
  }
}
