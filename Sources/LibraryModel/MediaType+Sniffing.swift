extension MediaType {
  /// How many bytes from the start of a file are enough for ``sniff(_:)``.
  public static let sniffLength = 64

  /// What a file holds by its first bytes (S31); `nil` if they are not those of a known media format.
  ///
  /// Only magic numbers are read: whether the rest of the file is sound is not decided here.
  public static func sniff(_ bytes: some Collection<UInt8>) -> MediaType? {
    let start = Array(bytes.prefix(sniffLength))
    if stillMagic.contains(where: { start.starts(with: $0) }) { return .image }
    // RIFF....WEBP and RIFF....AVI
    if start.starts(with: "RIFF".utf8) {
      if start.dropFirst(8).starts(with: "WEBP".utf8) { return .image }
      return start.dropFirst(8).starts(with: "AVI ".utf8) ? .video : nil
    }
    // Matroska and WebM
    if start.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return .video }
    // Before MP4, QuickTime had no `ftyp`: a file began with one of these boxes.
    let box = start.dropFirst(4).prefix(4)
    if ["moov", "mdat", "wide", "free", "skip", "pnot"].contains(where: { box.elementsEqual($0.utf8) }) {
      return .video
    }
    return box.elementsEqual("ftyp".utf8) ? sniffBrands(start) : nil
  }

  /// The extension of a movie by its first bytes, if it is one that can belong to a photo: QuickTime or MP4.
  public static func movieEnding(_ bytes: some Collection<UInt8>) -> String? {
    let start = Array(bytes.prefix(sniffLength))
    guard sniff(start) == .video else { return nil }
    let box = start.dropFirst(4)
    if box.starts(with: "ftyp".utf8) { return box.dropFirst(4).starts(with: "qt  ".utf8) ? "mov" : "mp4" }
    let others: [[UInt8]] = [Array("RIFF".utf8), [0x1A, 0x45, 0xDF, 0xA3]]
    return others.contains { start.starts(with: $0) } ? nil : "mov"
  }

  /// ISO/IEC 14496-12: the major brand, then the compatible ones, tell a still from a film.
  private static func sniffBrands(_ start: [UInt8]) -> MediaType? {
    guard start.count >= 12 else { return nil }
    let length = start.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let end = min(length, start.count)
    var brands = [Array(start[8..<12])]
    var index = 16
    while index + 4 <= end {
      brands.append(Array(start[index..<index + 4]))
      index += 4
    }
    func names(_ list: String) -> Bool {
      let known = list.split(separator: " ").map { Array($0.utf8) }
      return brands.contains { brand in known.contains { brand.starts(with: $0) } }
    }
    let major = brands[0]
    if ["M4A ", "M4B ", "M4P ", "F4A "].contains(where: { major.elementsEqual($0.utf8) }) { return nil }
    if names("heic heix heim heis hevc hevx mif1 msf1 avif avis crx") { return .image }
    if names("isom iso mp41 mp42 mp71 avc1 dash M4V qt 3gp 3g2 mmp4 f4v F4V MSNV XAVC ndsc") { return .video }
    return nil
  }
}

/// How files of still formats begin.
private let stillMagic: [[UInt8]] = [
  [0xFF, 0xD8, 0xFF],  // JPEG
  [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],  // PNG
  Array("GIF87a".utf8), Array("GIF89a".utf8),
  [0x49, 0x49, 0x2A, 0x00], [0x4D, 0x4D, 0x00, 0x2A],  // TIFF, and most raw formats
  [0x49, 0x49, 0x2B, 0x00], [0x4D, 0x4D, 0x00, 0x2B],  // BigTIFF
  [0x49, 0x49, 0x52, 0x4F], [0x49, 0x49, 0x55, 0x00],  // Olympus, Panasonic raw
  Array("FUJIFILMCCD-RAW".utf8), Array("FOVb".utf8),
  Array("BM".utf8),  // BMP
  [0xFF, 0x0A],  // JPEG XL, bare
  [0x00, 0x00, 0x00, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A],  // JPEG XL, boxed
  [0x00, 0x00, 0x00, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A],  // JPEG 2000
  Array("8BPS".utf8),  // PSD
]
