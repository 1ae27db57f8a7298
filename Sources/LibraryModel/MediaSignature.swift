/// What tells files of a format by their beginning.
struct MediaSignature: Sendable {
  /// Bytes at a place.
  struct Part: Sendable {
    let offset: Int
    let bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>, at offset: Int = 0) {
      self.offset = offset
      self.bytes = Array(bytes)
    }
  }

  let format: MediaFormat
  let parts: [Part]
  /// What else the beginning must say.
  var isMet: @Sendable ([UInt8]) -> Bool = { _ in true }

  /// All, those that tell more before those that tell less. MP4 and its kin are known by their brands.
  static let all = stills + films

  private static func image(_ ending: String, _ parts: Part...) -> MediaSignature {
    MediaSignature(format: MediaFormat(.image, ending), parts: parts)
  }

  private static func video(_ ending: String, _ parts: Part...) -> MediaSignature {
    MediaSignature(format: MediaFormat(.video, ending), parts: parts)
  }

  private static let stills: [MediaSignature] = [
    image("jpg", Part([0xFF, 0xD8, 0xFF])),
    image("png", Part([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])),
    image("gif", Part("GIF87a".utf8)), image("gif", Part("GIF89a".utf8)),
    image("webp", Part("RIFF".utf8), Part("WEBP".utf8, at: 8)),
    // TIFF, as are most raw formats, and BigTIFF.
    image("cr2", Part([0x49, 0x49, 0x2A, 0x00]), Part("CR".utf8, at: 8)),
    image("tif", Part([0x49, 0x49, 0x2A, 0x00])), image("tif", Part([0x4D, 0x4D, 0x00, 0x2A])),
    image("tif", Part([0x49, 0x49, 0x2B, 0x00])), image("tif", Part([0x4D, 0x4D, 0x00, 0x2B])),
    // Olympus, in three ways, and Panasonic. With what follows, `MMOR` is no word.
    image("orf", Part("IIRO\u{8}\0".utf8)), image("orf", Part("IIRS\u{8}\0".utf8)),
    image("orf", Part("MMOR\0".utf8)),
    image("rw2", Part([0x49, 0x49, 0x55, 0x00])),
    image("raf", Part("FUJIFILMCCD-RAW".utf8)), image("x3f", Part("FOVb".utf8)),
    image("crw", Part("HEAPCCDR".utf8, at: 6)), image("mrw", Part("\0MRM".utf8)),
    image("jxl", Part([0xFF, 0x0A])),
    image("jxl", Part([0x00, 0x00, 0x00, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A])),
    // JPEG 2000: a file of boxes, but not one of films, and a code stream alone.
    image("jp2", Part([0x00, 0x00, 0x00, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A])).unless(
      "mjp2", at: 20),
    image("j2k", Part([0xFF, 0x4F, 0xFF, 0x51])),
    image("psd", Part("8BPS".utf8)),
    // The length of its second header, the lowest byte of which varies, tells a bitmap from a text.
    image("bmp", Part("BM".utf8), Part([0, 0, 0], at: 15)),
    // Without the first header: the length of the second, its one plane, and what is 0 in the number of bits.
    image("dib", Part([40, 0, 0, 0]), Part([1, 0], at: 12), Part([0], at: 15)),
    image("dib", Part([108, 0, 0, 0]), Part([1, 0], at: 12), Part([0], at: 15)),
    image("dib", Part([124, 0, 0, 0]), Part([1, 0], at: 12), Part([0], at: 15)),
  ]

  private static let films: [MediaSignature] =
    [
      video("avi", Part("RIFF".utf8), Part("AVI ".utf8, at: 8)),
      video("webm", matroska).saying([0x42, 0x82, 0x84] + Array("webm".utf8)), video("mkv", matroska),
      // MPEG, as a program stream and as video alone.
      video("mpg", Part([0x00, 0x00, 0x01, 0xBA])), video("mpg", Part([0x00, 0x00, 0x01, 0xB3])),
      // Transport streams: packets of one length. In cameras' files four bytes of time come before each.
      video("mts", sync(0), sync(188), sync(376)), video("m2ts", sync(4), sync(196), sync(388)),
      video("wmv", Part([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11])),
      // What is in Ogg is named at its beginning: Theora, Dirac, VP8, a film of OGM; or else only sound.
      video("ogv", ogg).saying([0x80] + Array("theora".utf8)), video("ogv", ogg).saying("BBCD\0".utf8),
      video("ogv", ogg).saying("OVP80".utf8), video("ogv", ogg).saying("\u{1}video".utf8),
    ]
    // Before MP4, QuickTime had no `ftyp`: a file began with one of these boxes. They are words, too, but a text does
    // not begin as the length of a box; that of the media may be of any size.
    + ["moov", "wide", "free", "skip", "pnot", "mdat"].map { box in
      var signature = video("mov", Part(box.utf8, at: 4))
      signature.isMet = { start in
        box == "mdat" ? !start[..<4].allSatisfy { 0x20..<0x7F ~= $0 } : start[0] < 9
      }
      return signature
    }

  private static let matroska = Part([0x1A, 0x45, 0xDF, 0xA3])
  private static let ogg = Part("OggS".utf8)
  private static func sync(_ offset: Int) -> Part { Part([0x47], at: offset) }

  /// The same where this is not at a place.
  private func unless(_ text: String, at offset: Int) -> MediaSignature {
    let bytes = Array(text.utf8)
    var signature = self
    signature.isMet = { !$0.dropFirst(offset).starts(with: bytes) }
    return signature
  }

  /// The same where these bytes are somewhere in the beginning.
  private func saying(_ bytes: some Sequence<UInt8>) -> MediaSignature {
    let bytes = Array(bytes)
    var signature = self
    signature.isMet = { $0.contains(bytes) }
    return signature
  }
}
