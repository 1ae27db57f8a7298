internal import CPictures

/// A picture that libavcodec decodes, since libvips has no reader for it that its makers hold to be safe: what its header says.
struct StillPicture {
  /// What it is a file of.
  enum Kind: CaseIterable, Hashable {
    /// Windows' and OS/2's, with and without the header of a file.
    case bitmap, bareBitmap
    /// ISO/IEC 15444-1: boxes around a code stream, and a code stream alone.
    case jpeg2000, jpeg2000Stream
    case photoshop
  }

  /// As stored. Each side is 1 or more.
  let size: (width: Int, height: Int)
  /// What the decoder is to find before ``content``.
  var front: [UInt8] = []
  var content: UnsafeRawBufferPointer
  /// Which colours are meant (ICC.1); sRGB where it says nothing.
  var profile: UnsafeRawBufferPointer?
  /// Whether it says that something shows through.
  var isTransparent = false
  /// Whether it is of inks, of which libavcodec makes no colours.
  var isOfInks = false

  /// Reads the header of a file in memory, which must stay there; nil where there is none that can be.
  init?(_ bytes: UnsafeRawBufferPointer, _ kind: Kind) {
    let found: StillPicture? =
      switch kind {
      case .bitmap: StillPicture(bitmap: bytes)
      case .bareBitmap: StillPicture(bareBitmap: bytes)
      case .jpeg2000: StillPicture(jpeg2000: bytes)
      case .jpeg2000Stream: StillPicture(codeStream: bytes)
      case .photoshop: StillPicture(photoshop: bytes)
      }
    guard let found else { return nil }
    self = found
  }

  /// What is before the content is nothing yet.
  init?(width: Int, height: Int, content: UnsafeRawBufferPointer) {
    guard width > 0, height > 0 else { return nil }
    size = (width, height)
    self.content = content
  }

  /// Has it decoded, of JPEG 2000 as small as may be with so many pixels on a side: the longer one, or of a square the other.
  ///
  /// - Returns: nil where it cannot be decoded.
  func withPixels<Result: ~Copyable>(
    _ kind: Kind, atLeast pixels: Int, isSquare: Bool, _ body: (pictures_pixels) -> Result?
  ) -> Result? {
    guard !isOfInks else { return nil }
    let side = isSquare ? min(size.width, size.height) : max(size.width, size.height)
    let isHalved = kind.decoder == PICTURES_JPEG2000
    // It may have fewer than that.
    var halvings = isHalved ? (0...5).last { side >> $0 >= pixels } ?? 0 : 0
    return front.span.bytes.withUnsafeBytes { front in
      var still = pictures_still(
        kind: kind.decoder, front: front.baseAddress, rest: content.baseAddress, front_count: front.count,
        rest_count: content.count, is_opaque: isTransparent ? 0 : 1)
      var out = pictures_pixels()
      while pictures_still_decode(&still, CInt(halvings), &out) != 0 {
        guard halvings > 0 else { return nil }
        halvings = 0
      }
      defer { pictures_free_pixels(out) }
      return body(out)
    }
  }
}

extension StillPicture.Kind {
  fileprivate var decoder: pictures_still_kind {
    switch self {
    case .bitmap, .bareBitmap: PICTURES_BITMAP
    case .jpeg2000, .jpeg2000Stream: PICTURES_JPEG2000
    case .photoshop: PICTURES_PHOTOSHOP
    }
  }

  /// Whether libexiv2 finds Exif and XMP in it.
  var hasMetadata: Bool { self == .jpeg2000 || self == .photoshop }
}
