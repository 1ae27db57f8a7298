/// Places in the items of a picture in boxes (ISO/IEC 23008-12): its Exif and its XMP, and JPEGs that are items.
struct HEIFPlaces {
  private let view: SourceView
  private let children: [ISOPlaces.Box]
  private let depth: Int

  /// Items of one file: a picture of tiles has a few hundred.
  private static let mostItems = 65_536
  /// Parts of all items: most are of one.
  private static let mostExtents = 131_072

  init(_ view: SourceView, _ children: [ISOPlaces.Box], _ depth: Int) {
    self.view = view
    self.children = children
    self.depth = depth
  }

  private enum Kind { case exif, xmp, jpeg, other }

  /// Items that are pictures, and none that is put together of files.
  private static let pictures: Set = [
    "hvc1", "hvt1", "av01", "avc1", "vvc1", "evc1", "grid", "iovl", "iden", "tmap", "j2k1", "unci", "mski",
    "tili",
  ]

  func find(_ found: inout FoundPlaces) throws(Untraceable) {
    let kinds = try kinds()
    if kinds.isEmpty { return }
    guard let locations = children.first(where: { $0.type == "iloc" }) else { throw Untraceable() }
    let contents = try contents(locations, of: kinds)
    for (item, kind) in kinds {
      guard let content = contents[item] else {
        // Of what nobody knows, some have no bytes.
        if kind == .other { continue }
        throw Untraceable()
      }
      switch kind {
      case .exif:
        // How far the header is from here.
        guard content.count >= 4 else { throw Untraceable() }
        let skipped = try content.number(at: 0, 4)
        guard skipped <= content.count - 4 else { throw Untraceable() }
        try TIFFPlaces.find(in: content.from(4 + skipped), &found, depth: depth + 1)
      case .xmp: try XMPPlaces.find(in: content, &found)
      case .jpeg:
        if try content.start(3) == [0xFF, 0xD8, 0xFF] {
          _ = try JPEGPlaces.find(inHeaderOf: content, &found, depth: depth + 1)
        }
      // Settings of phones, pictures of other kinds, what is measured: somebody's own.
      case .other: if ISOFreeSpace.isMarked(try content.bytes()) { try found.empty(content) }
      }
    }
  }

  /// Items that may say a place.
  private func kinds() throws(Untraceable) -> [Int: Kind] {
    guard let list = children.first(where: { $0.type == "iinf" }) else { return [:] }
    let version = try view.number(at: list.content.lowerBound, 1)
    var at = list.content.lowerBound + 4 + (version == 0 ? 2 : 4)
    var kinds: [Int: Kind] = [:]
    var count = 0
    while list.content.upperBound - at >= 8 {
      guard let entry = try ISOPlaces.box(view, at: at, end: list.content.upperBound) else {
        throw Untraceable()
      }
      count += 1
      guard count <= Self.mostItems else { throw Untraceable() }
      at = entry.whole.upperBound
      guard entry.type == "infe" else { continue }
      let version = try view.number(at: entry.content.lowerBound, 1)
      // Before there were types of items, there were no pictures of them.
      guard version >= 2 else { throw Untraceable() }
      let width = version == 2 ? 2 : 4
      let item = try view.number(at: entry.content.lowerBound + 4, width)
      let type = entry.content.lowerBound + 4 + width + 2
      guard entry.content.upperBound - type >= 4 else { throw Untraceable() }
      if let kind = try kind(view[type..<entry.content.upperBound]) { kinds[item] = kind }
    }
    return kinds
  }

  private func kind(_ entry: SourceView) throws(Untraceable) -> Kind? {
    if try entry.has("Exif") { return .exif }
    if try entry.has("jpeg") { return .jpeg }
    guard try entry.has("mime") else {
      let type = String(decoding: try entry.start(4), as: UTF8.self)
      return Self.pictures.contains(type) ? nil : .other
    }
    // Its name, what it is, and how it is packed.
    let texts = try entry.start(4096, at: 4).split(separator: 0, omittingEmptySubsequences: false)
    guard texts.count >= 2 else { throw Untraceable() }
    let type = String(decoding: texts[1], as: UTF8.self).lowercased()
    guard texts.count < 3 || texts[2].isEmpty else { throw Untraceable() }
    return type.contains("xml") ? .xmp : .other
  }

  /// Where these items are.
  private func contents(
    _ box: ISOPlaces.Box, of kinds: [Int: Kind]
  ) throws(Untraceable) -> [Int: SourceView] {
    var cursor = Cursor(view: view, at: box.content.lowerBound, end: box.content.upperBound)
    let version = try cursor.take(1)
    _ = try cursor.take(3)
    let sizes = try cursor.take(2)
    let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
    let indexSize = version == 0 ? 0 : sizes & 15
    let count = try cursor.take(version < 2 ? 2 : 4)
    guard count <= Self.mostItems else { throw Untraceable() }
    var contents: [Int: SourceView] = [:]
    // An extent may be of no bytes.
    var all = 0
    for _ in 0..<count {
      let item = try cursor.take(version < 2 ? 2 : 4)
      let method = version == 0 ? 0 : try cursor.take(2) & 15
      let reference = try cursor.take(2)
      let base = try cursor.take(baseSize)
      let extents = try cursor.take(2)
      all += extents
      guard all <= Self.mostExtents else { throw Untraceable() }
      var content = SourceView(view.source, 0..<0)
      for _ in 0..<extents {
        _ = try cursor.take(indexSize)
        let offset = try cursor.take(offsetSize)
        let length = try cursor.take(lengthSize)
        guard kinds[item] != nil else { continue }
        guard reference == 0, let part = part(method, base, offset, length) else { throw Untraceable() }
        for piece in part.pieces { content.append(piece) }
      }
      if kinds[item] != nil { contents[item] = content }
    }
    return contents
  }

  /// An extent in the file, or in the box for small items.
  private func part(_ method: Int, _ base: Int, _ offset: Int, _ length: Int) -> SourceView? {
    let (start, isOver) = base.addingReportingOverflow(offset)
    guard !isOver else { return nil }
    let container: Range<Int>
    switch method {
    case 0: container = 0..<view.count
    case 1:
      guard let data = children.first(where: { $0.type == "idat" }) else { return nil }
      container = data.content
    default: return nil
    }
    guard start <= container.count else { return nil }
    let length = length == 0 ? container.count - start : length
    guard length <= container.count - start else { return nil }
    return view[container.lowerBound + start..<container.lowerBound + start + length]
  }

  /// Numbers one after another.
  private struct Cursor {
    let view: SourceView
    var at: Int
    let end: Int

    mutating func take(_ length: Int) throws(Untraceable) -> Int {
      guard length <= 8, end - at >= length else { throw Untraceable() }
      if length == 0 { return 0 }
      defer { at += length }
      return try view.number(at: at, length)
    }
  }
}
