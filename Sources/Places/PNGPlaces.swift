internal import PictureAPI

/// Places in a PNG file (PNG specification, 3rd edition): its Exif, its XMP, and texts in which others keep those.
///
/// What is overwritten is part of a checksum, which is made anew. A packed text that says a place cannot be overwritten in
/// part: its chunk becomes one of a type of nobody's, all zeros.
enum PNGPlaces {
  /// Chunks of one file: of an animation, several for each frame.
  private static let mostChunks = 1 << 20
  /// The longest chunk of metadata.
  private static let longest = 32 << 20
  /// Private, not needed, safe to copy: by its letters.
  private static let nothing = Array("frEe".utf8)

  private struct Chunk {
    let type: String
    /// In the file, with its length before it and its checksum after it.
    let offset: Int
    let content: SourceView
    var checksum: Int { offset + 8 + content.count }
  }

  static func find(in view: SourceView, _ found: inout FoundPlaces) throws(Untraceable) {
    guard try view.start(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] else { throw Untraceable() }
    var at = 8
    for _ in 0..<mostChunks {
      guard view.count - at >= 12 else { return try Marks.refuse(view.from(at)) }
      let length = try view.number(at: at, 4)
      let type = String(decoding: try view.start(4, at: at + 4), as: UTF8.self)
      // What is cut off has not said everything.
      guard length <= view.count - at - 12 else { return try Marks.refuse(view.from(at)) }
      let chunk = Chunk(type: type, offset: at, content: view[at + 8..<at + 8 + length])
      try look(at: chunk, of: view, &found)
      at += 12 + length
      // What is behind the picture nobody shows.
      if type == "IEND" { return try found.empty(view.from(at)) }
    }
    throw Untraceable()
  }

  private static func look(
    at chunk: Chunk, of view: SourceView, _ found: inout FoundPlaces
  ) throws(Untraceable) {
    switch chunk.type {
    case "eXIf":
      try rewrite(chunk, view, &found) { content, part throws(Untraceable) in
        let isMarked = try content.has("Exif\0\0")
        try TIFFPlaces.find(in: content.from(isMarked ? 6 : 0), &part)
      }
    case "iTXt": try lookAtInternational(chunk, view, &found)
    case "tEXt", "zTXt": try lookAtText(chunk, view, &found)
    // Exif as it was packed before it was settled how.
    case "zxIf", "zXIf": try remove(chunk, view, &found)
    // What content credentials say of a picture (C2PA): signed, so that nothing of it can be overwritten.
    case "caBX": if try saysPlace(chunk.content) { try remove(chunk, view, &found) }
    case let type where known.contains(type): break
    // Somebody's own.
    default: if try !isEmpty(chunk.content) { try remove(chunk, view, &found) }
    }
  }

  /// Looks through a chunk, and makes its checksum that of what it becomes.
  private static func rewrite(
    _ chunk: Chunk, _ view: SourceView, _ found: inout FoundPlaces,
    _ look: (SourceView, inout FoundPlaces) throws(Untraceable) -> Void
  ) throws(Untraceable) {
    guard chunk.content.count <= longest else { throw Untraceable() }
    var part = FoundPlaces()
    try look(chunk.content, &part)
    if part.isEmpty { return }
    let overwritings = try part.inOrder()
    var bytes = try view.bytes(chunk.offset + 4..<chunk.checksum)
    // As the file has them: a PNG is a whole file, never a part of one.
    for overwriting in overwritings {
      for place in overwriting.range { bytes[place - chunk.offset - 4] = overwriting.byte(at: place) }
      try found.add(overwriting.range, of: view, overwriting.filling)
    }
    try found.add(chunk.checksum..<chunk.checksum + 4, of: view, .bytes(CRC32.bytes(of: bytes)))
  }

  private static func remove(
    _ chunk: Chunk, _ view: SourceView, _ found: inout FoundPlaces
  ) throws(Untraceable) {
    guard chunk.content.count <= longest else { throw Untraceable() }
    try found.add(chunk.offset + 4..<chunk.offset + 8, of: view, .bytes(nothing))
    if chunk.content.count > 0 { try found.add(chunk.offset + 8..<chunk.checksum, of: view, .zeros) }
    let bytes = nothing + [UInt8](repeating: 0, count: chunk.content.count)
    try found.add(chunk.checksum..<chunk.checksum + 4, of: view, .bytes(CRC32.bytes(of: bytes)))
  }

  private static func saysPlace(_ content: SourceView) throws(Untraceable) -> Bool {
    guard content.count <= longest else { throw Untraceable() }
    return Credentials.sayPlace(try content.bytes())
  }

  /// The standard's, animations', the registered extensions', and what phones and ImageMagick have for how a picture is shown.
  private static let known: Set = [
    "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI",
    "mDCv",
    "cLLi", "bKGD", "hIST", "pHYs", "sPLT", "tIME", "acTL", "fcTL", "fdAT", "oFFs", "sCAL", "pCAL", "sTER",
    "gIFg",
    "vpAg", "caNv", "orNT", "iDOT", "CgBI", "npTc", "npLb", "npOl",
  ]

  private static func isEmpty(_ content: SourceView) throws(Untraceable) -> Bool {
    var part = FoundPlaces()
    try part.empty(content)
    return part.isEmpty
  }

  private static func lookAtInternational(
    _ chunk: Chunk, _ view: SourceView, _ found: inout FoundPlaces
  ) throws(Untraceable) {
    let start = try chunk.content.start(1024)
    guard let end = start.prefix(80).firstIndex(of: 0), start.count >= end + 3 else {
      return try Marks.refuse(chunk.content)
    }
    let keyword = String(decoding: start[..<end], as: UTF8.self)
    if isPlace(keyword) { return try remove(chunk, view, &found) }
    // The language, and the keyword in it.
    let texts = start[(end + 3)...].split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    guard texts.count == 3, chunk.content.count <= longest else { throw Untraceable() }
    let text = chunk.content.from(texts[2].startIndex)
    guard keyword == "XML:com.adobe.xmp" || keyword.hasPrefix("Raw profile type") else {
      let bytes = start[end + 1] == 0 ? try text.bytes() : try Inflating.zlib(text.bytes())
      if Marks.sayCoordinates(bytes) { try remove(chunk, view, &found) }
      return
    }
    if keyword != "XML:com.adobe.xmp" || start[end + 1] != 0 {
      let bytes = start[end + 1] == 0 ? try text.bytes() : try Inflating.zlib(text.bytes())
      if try ProfileText.saysPlace(bytes, keyword) { try remove(chunk, view, &found) }
      return
    }
    let before = texts[2].startIndex
    try rewrite(chunk, view, &found) { content, part throws(Untraceable) in
      try XMPPlaces.find(in: content.from(before), &part)
    }
  }

  private static func lookAtText(
    _ chunk: Chunk, _ view: SourceView, _ found: inout FoundPlaces
  ) throws(Untraceable) {
    let start = try chunk.content.start(80)
    guard let end = start.firstIndex(of: 0) else { return try Marks.refuse(chunk.content) }
    let keyword = String(decoding: start[..<end], as: UTF8.self)
    if isPlace(keyword) { return try remove(chunk, view, &found) }
    guard chunk.content.count <= longest else { throw Untraceable() }
    let isPacked = chunk.type == "zTXt"
    let text = try chunk.content.from(end + (isPacked ? 2 : 1)).bytes()
    let bytes = isPacked ? try Inflating.zlib(text) : text
    guard keyword == "XML:com.adobe.xmp" || keyword.hasPrefix("Raw profile type") else {
      if Marks.sayCoordinates(bytes) { try remove(chunk, view, &found) }
      return
    }
    if try ProfileText.saysPlace(bytes, keyword) { try remove(chunk, view, &found) }
  }

  /// ImageMagick writes a text for each value: `exif:GPSLatitude`.
  private static func isPlace(_ keyword: String) -> Bool {
    let name = keyword.split(separator: ":").last.map(String.init) ?? keyword
    return XMPPlaces.isPlace(Array(name.utf8)[...])
  }
}

/// Metadata as text, as ImageMagick keeps it: a line feed, its kind, its length, and its bytes in hexadecimal.
enum ProfileText {
  /// Whether there is a place in it; also where it is not what it should be, and nobody can tell.
  static func saysPlace(_ text: [UInt8], _ keyword: String) throws(Untraceable) -> Bool {
    var found = FoundPlaces()
    if keyword == "XML:com.adobe.xmp" {
      try XMPPlaces.find(in: view(text), &found)
      return !found.isEmpty
    }
    guard let bytes = decoded(text) else { return true }
    let view = view(bytes)
    do throws(Untraceable) {
      if try view.has("Exif\0\0") {
        try TIFFPlaces.find(in: view.from(6), &found)
      } else if try view.has("http://ns.adobe.com/xap/1.0/\0") {
        try XMPPlaces.find(in: view.from(29), &found)
      } else if try view.has("8BIM") {
        try IPTCPlaces.find(inResources: view, &found, depth: 1)
      } else if bytes.first == 0x1C {
        try IPTCPlaces.find(in: view, &found)
      } else if bytes.first == UInt8(ascii: "<") {
        try XMPPlaces.find(in: view, &found)
      } else if keyword.hasSuffix("icc") || keyword.hasSuffix("icm") {
        return false
      } else {
        return Marks.isThere(in: bytes)
      }
    } catch { return true }
    return !found.isEmpty
  }

  private static func view(_ bytes: [UInt8]) -> SourceView {
    SourceView(
      PictureSource(count: bytes.count) { offset, memory in
        let count = min(memory.count, bytes.count - offset)
        guard count > 0 else { return 0 }
        bytes.withUnsafeBytes {
          memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count]))
        }
        return count
      })
  }

  private static func decoded(_ text: [UInt8]) -> [UInt8]? {
    // The first line is empty, then come the kind and the length.
    let lines = text.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
    guard lines.count == 4, lines[0].isEmpty else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in lines[3] where character != 0x0A {
      guard let digit = Character(Unicode.Scalar(character)).hexDigitValue else { return nil }
      if let first = high {
        bytes.append(first << 4 | UInt8(digit))
        high = nil
      } else {
        high = UInt8(digit)
      }
    }
    return bytes
  }
}
