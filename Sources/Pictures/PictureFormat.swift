/// How a file is to be read, by how it begins: never by its name.
enum PictureFormat: Hashable {
  /// Libexiv2 knows its size and metadata: JPEG, TIFF, and RAW files; not all of those tell from TIFF by how they begin.
  case metadata(isRaw: Bool)
  /// The same, where frames are counted by somebody else.
  case png, webp, gif
  /// Fujifilm's RAW, which holds a JPEG.
  case fujifilmRaw
  /// ISO/IEC 23008-12 (HEIF): the container turns the picture, and has Exif and XMP as items.
  case heif(isAnimated: Bool)
  /// ISO/IEC 18181: a codestream of its own, or boxes around it.
  case jpegXL
  /// TIFF of more than four gigabytes, or as if it were: libexiv2 does not know it.
  case bigTIFF
  /// A picture that libavcodec decodes.
  case still(StillPicture.Kind)
  /// A film, by the name of libavformat's reader for it.
  case film(reader: String)

  /// How many bytes from the start are enough.
  static let beginningLength = 512

  /// The format of a file that begins so; nil if it is none that is read here.
  init?(beginning start: some RandomAccessCollection<UInt8>) {
    let start = Array(start.prefix(Self.beginningLength))
    func has(_ text: String, at offset: Int = 0) -> Bool { start.dropFirst(offset).starts(with: text.utf8) }
    if start.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .metadata(isRaw: false)
    } else if ["IIRO", "IIRS", "MMOR", "IIU\0"].contains(where: { has($0) }) {
      // Olympus's and Panasonic's TIFF.
      self = .metadata(isRaw: true)
    } else if has("FUJIFILMCCD-RAW") {
      self = .fujifilmRaw
    } else if has("II*\0") || has("MM\0*") {
      self = .metadata(isRaw: has("CR", at: 8))
    } else if has("II+\0") || has("MM\0+") {
      self = .bigTIFF
    } else if start.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      self = .png
    } else if has("RIFF"), has("WEBP", at: 8) {
      self = .webp
    } else if has("RIFF"), has("AVI ", at: 8) {
      self = .film(reader: "avi")
    } else if has("GIF8") {
      self = .gif
    } else if start.starts(with: [0xFF, 0x0A]) || has("JXL ", at: 4) {
      self = .jpegXL
    } else if start.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
      self = .film(reader: "matroska,webm")
    } else if Self.isTransportStream(start) {
      self = .film(reader: "mpegts")
    } else if start.starts(with: [0, 0, 1, 0xBA]) {
      self = .film(reader: "mpeg")
    } else if start.starts(with: [0, 0, 1, 0xB3]) {
      self = .film(reader: "mpegvideo")
    } else if has("OggS") {
      self = .film(reader: "ogg")
    } else if start.starts(with: [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) {
      // ASF, as WMV is.
      self = .film(reader: "asf")
    } else if has("8BPS") {
      self = .still(.photoshop)
    } else if has("jP  ", at: 4), !has("mjp2", at: 20) {
      self = .still(.jpeg2000)
    } else if start.starts(with: [0xFF, 0x4F, 0xFF, 0x51]) {
      self = .still(.jpeg2000Stream)
    } else if has("ftyp", at: 4) {
      self = Self(brands: ISOBox.brands(of: start))
    } else if ["moov", "mdat", "wide", "free", "skip", "pnot"].contains(where: { has($0, at: 4) }) {
      // QuickTime before there were brands.
      self = .film(reader: Self.isoReader)
    } else if has("BM"), has("\0\0\0", at: 15) {
      self = .still(.bitmap)
    } else if has("\0\0\0", at: 1), ["(", "l", "|"].contains(where: { has($0) }), has("\u{1}\0", at: 12) {
      // Of 40, 108 and 124 bytes.
      self = .still(.bareBitmap)
    } else {
      return nil
    }
  }

  /// QuickTime and what was made of it.
  static let isoReader = "mov,mp4,m4a,3gp,3g2,mj2"

  private init(brands: [String]) {
    switch brands.first {
    case "crx ": self = .metadata(isRaw: true)
    case "avis", "hevc", "hevx", "msf1": self = .heif(isAnimated: true)
    case "avif", "heic", "heix", "heim", "heis": self = .heif(isAnimated: false)
    case "mif1": self = .heif(isAnimated: brands.contains("msf1"))
    default: self = .film(reader: Self.isoReader)
    }
  }

  /// Packets of 188 bytes, or of 192 with a time before each, as camcorders write them (ISO/IEC 13818-1).
  private static func isTransportStream(_ start: [UInt8]) -> Bool {
    [(0, 188), (4, 192)].contains { first, length in
      (0..<2).allSatisfy { packet in
        let place = first + packet * length
        return place < start.count && start[place] == 0x47
      }
    }
  }
}
